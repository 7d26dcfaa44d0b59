import type { EARNINGS_GROUPS } from '../../../../contract/promotion.ts'
import { formatCount, formatNumber, withCents } from '../../../ui/format.ts'

type Group = (typeof EARNINGS_GROUPS)[number]

/** The groupings. */
const groups: Record<Group, string> = {
  subreddit: 'Subreddit',
  post: 'Post',
  title: 'Title',
  flair: 'Flair',
  hour: 'Hour',
  weekday: 'Weekday',
}

export const earningsTexts = {
  title: 'What posts earned',
  lead: 'Which posts, subreddits, and hours brought visits, followers, and sales.',
  rules:
    'Purchases are credited to the last post the buyer visited from in the 7 days before. Renewals are credited to the post that brought the first payment. Refunds are subtracted.',
  zone: 'Hours and weekdays are in the time zone of your queue.',
  period: 'Posted',
  days: (days: number) => `Last ${days} days`,
  custom: 'Choose dates',
  from: 'From',
  to: 'To',
  backwards: 'Choose an end date that isn’t before the start date.',
  by: 'Show earnings by',
  groups,
  failed: 'We couldn’t load what your posts earned',
  download: 'Download CSV',
  downloadFailed: 'We couldn’t make the file. Please try again.',
  earned: 'Earned',
  posts: 'Posts',
  removed: 'Removed',
  visits: 'Visits',
  signUps: 'Sign-ups',
  follows: 'Follows',
  trials: 'Free trials',
  /** There is room for a word at the head of a column. */
  trialsInTable: 'Trials',
  redemptions: 'Redeemed',
  sales: 'Sales',
  renewals: 'Renewals',
  chart: (by: Group) => `Earned by ${groups[by].toLowerCase()}`,
  visitsChart: (by: Group) => `Visits by ${groups[by].toLowerCase()}`,
  summary: (earned: string, posts: number) => `${earned} from ${formatCount(posts, 'post')}`,
  visitsSummary: (visits: number, posts: number) =>
    `${formatCount(visits, 'visit')} from ${formatCount(posts, 'post')}`,
  ofCount: (amount: string, count: number) => `${withCents(amount)} (${formatNumber(count)})`,
  visitsOf: (visits: number) => formatCount(visits, 'visit'),
  none: 'Nothing found',
  emptyTitle: 'No posts in this period',
  empty: 'Post with a tracked link to see visits and sales here, or choose a longer period.',
  create: 'Create a post',
  suggestions: 'What did best',
  suggestionsOf: 'From your posts of the last year.',
  bestHours: 'Hours',
  bestSubreddits: 'Subreddits',
  tooFew: (posts: number, least: number) =>
    `You’ll see suggested hours and subreddits after ${least} posts. You have ${formatNumber(posts)}.`,
  nothingYet:
    'Nothing stands out yet. Post a few more times at the same hour or in the same subreddit to compare.',
  slot: (weekday: string, hour: string) => `${weekday}s at ${hour}`,
} as const
