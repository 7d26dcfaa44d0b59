import type { SubmissionFailure } from '../../../../contract/submissions.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../ui/format.ts'
import { formatExactDateTime } from '../../../ui/format-occasional.ts'

export const scheduleTexts = {
  title: 'Schedule posts',
  lead: 'Your posts, each with a subreddit where it can go next.',
  plan: 'Plan a batch',
  timeline: 'Timeline',
  /** Fixed wording: docs/product.md. */
  search: 'find by subreddit',
  searchHint: 'Part of a subreddit’s name',
  count: (count: number) => formatCount(count, 'post'),
  order: 'Order',
  orders: { roundRobin: 'Round robin', shuffled: 'Shuffled', earnings: 'Highest earning first' },
  orderHints: {
    roundRobin: 'One subreddit per post at a time, in the order you chose them.',
    shuffled: 'Posts and subreddits in random order. The order doesn’t change between visits.',
    earnings: 'Subreddits where your posts earned the most in the last 12 months come first.',
  },
  ofPost: 'Showing one post.',
  allPosts: 'Show all posts',
  failed: 'We couldn’t load what can be scheduled',
  emptyTitle: 'Nothing to schedule',
  empty: 'Choose subreddits for your posts, and they appear here, ready to be scheduled.',
  posts: 'Go to posts',
  noResults: (search: string) => `No subreddit matches “${search}”`,
  list: 'Posts to schedule',
  /** Fixed wording: docs/product.md. */
  showMore: 'Show More',
} as const

export const timeTexts = {
  label: 'Date and time',
  hint: (zone: string) => `In ${zone} time`,
  which: (time: string) => `Which ${time}?`,
  first: 'Before clocks go back',
  second: 'After clocks go back',
} as const

export const cardTexts = {
  lost: 'This post isn’t scheduled yet, and your changes to it will be lost.',
  link: 'Open the link',
  title: 'Title',
  inTurn: (title: string) => `Rotate: next “${title}”`,
  expected: (amount: string) => `Expected to earn ${amount}`,
  removals: (removed: number, posts: number) =>
    `${formatNumber(removed)} of your last ${formatCount(posts, 'post')} here ${removed === 1 ? 'was' : 'were'} removed`,
  /** Fixed wording: docs/product.md. */
  chooseTitle: 'Choose a title',
  /** Fixed wording: docs/product.md. */
  noTitle: 'Select a title',
  comment: 'Comment',
  commentHint: 'Posted as the first comment. Leave it empty for none.',
  flair: 'Flair',
  flairText: 'Flair text',
  flairTextHint: 'This flair lets you write your own text.',
  chooseFlair: 'Choose a flair',
  noFlair: 'No flair',
  noFlairThere: 'This subreddit has no flair.',
  flairUnknown: 'We couldn’t read this subreddit’s flair.',
  watermark:
    'This subreddit requires your username on pictures. Automatic posts are links to your page, without a copy of the picture. To upload a copy with your name on it, post manually.',
  verify: 'Track your verification',
  reopen: 'Try this subreddit again',
  use: (title: string) => `Use “${title}”`,
  when: 'When',
  endOfQueue: 'At the end of the queue',
  later: timeTexts.label,
  chooseTime: 'Choose a date and time.',
  schedule: 'Schedule post',
  submit: 'Submit now',
  submitTitle: (subreddit: string) => `Post in r/${subreddit} now?`,
  submitEffect: 'It’s posted right away, and stays until it’s deleted on the forum.',
  remove: 'Remove subreddit',
  removed: (subreddit: string) => `r/${subreddit} was removed from this post.`,
  undo: 'Undo',
  back: (subreddit: string) => `r/${subreddit} is back.`,
  scheduled: (subreddit: string, moment: string) =>
    `r/${subreddit}: scheduled for ${formatExactDateTime(moment)}`,
  /** Fixed wording: docs/product.md. */
  posted: (subreddit: string) => `posted ${subreddit}`,
  waits: (subreddit: string, account: string | null, until: string | null) =>
    until === null
      ? `Not posted in r/${subreddit} yet. It’s posted as soon as ${account === null ? 'your account' : `u/${account}`} can post again.`
      : `The forum isn’t accepting posts from ${account === null ? 'your account' : `u/${account}`} right now. It’s posted in r/${subreddit} after ${formatDateTime(until)}.`,
  waitsForResume: (subreddit: string) =>
    `Not posted in r/${subreddit} yet. Your queue is paused, and the post goes up once you resume it.`,
  sent: (subreddit: string) => `Sent to r/${subreddit}. Check the timeline for the result.`,
  notPosted: (failure: SubmissionFailure | null) => failure?.message ?? 'It wasn’t posted.',
  open: 'Open on the forum',
  onTimeline: 'See the timeline',
} as const

export const posterTexts = {
  poster: 'Posted by',
  account: (name: string) => `u/${name}`,
  firstAccount: 'Your account',
  byHand: 'I’ll post it myself',
  choose: 'Choose who posts it',
  byHandHint: 'We remind you when it’s time, and open the forum’s page filled in.',
} as const

export const nsfwTexts = {
  label: 'Mark as NSFW',
  hint: 'The forum shows it only to people who opted in to adult content. Keep this on unless your post is safe for work.',
} as const
