import type { EARNINGS_GROUPS } from '../../../../contract/promotion.ts'
import { formatCount } from '../../../ui/format.ts'

type Group = (typeof EARNINGS_GROUPS)[number]

/** What a row stands for. */
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
    'A visit counts for 7 days. A purchase belongs to the last post its buyer came by, and to that post alone. Renewals belong to the post that brought the first payment. Refunds are taken off.',
  zone: 'Hours and weekdays are in the time zone of your queue.',
  period: 'Posted',
  days: (days: number) => `Last ${days} days`,
  custom: 'Choose dates',
  from: 'From',
  to: 'To',
  backwards: 'Choose a day that isn’t before the first one.',
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
  redemptions: 'Redeemed',
  sales: 'Sales',
  renewals: 'Renewals',
  chart: (by: Group) => `Earned by ${groups[by].toLowerCase()}`,
  visitsChart: (by: Group) => `Visits by ${groups[by].toLowerCase()}`,
  summary: (earned: string, posts: number) => `${earned} from ${formatCount(posts, 'post')}`,
  visitsSummary: (visits: number, posts: number) =>
    `${formatCount(visits, 'visit')} from ${formatCount(posts, 'post')}`,
  ofCount: (amount: string, count: number) => `${amount} (${count})`,
  visitsOf: (visits: number) => formatCount(visits, 'visit'),
  none: 'Nothing found',
  emptyTitle: 'No posts in this time',
  empty:
    'Post with a link, and this page shows who came by it and what they bought. Or look at a longer time.',
  create: 'Create a post',
  suggestions: 'What did best',
  suggestionsOf: 'From your posts of the last year.',
  bestHours: 'Hours',
  bestSubreddits: 'Subreddits',
  tooFew: (posts: number, least: number) =>
    `After ${least} posts we suggest hours and subreddits. You have ${posts}.`,
  nothingYet:
    'Nothing stands out yet. Post a few times at the same hour or in the same subreddit to compare.',
  slot: (weekday: string, hour: string) => `${weekday}s at ${hour}`,
} as const
