import type { SubmissionFailure } from '../../../../contract/submissions.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../ui/format.ts'

export const scheduleTexts = {
  title: 'Schedule posts',
  lead: 'Each post with a subreddit where it can go up next, one of each post in turn.',
  plan: 'Plan a batch',
  timeline: 'Timeline',
  search: 'Find by subreddit',
  searchHint: 'Part of a subreddit’s name',
  count: (count: number) => formatCount(count, 'post'),
  order: 'Order',
  orders: { roundRobin: 'In turn', shuffled: 'Shuffled', earnings: 'Best earning first' },
  orderHints: {
    roundRobin: 'One subreddit of each post in turn, in the order you chose them.',
    shuffled: 'One subreddit of each post in turn, both in a random order that stays the same.',
    earnings: 'One subreddit of each post in turn, first where your posts of the last 12 months earned most.',
  },
  failed: 'We couldn’t load what can be scheduled',
  emptyTitle: 'Nothing to schedule',
  empty: 'Choose subreddits for your posts, and they appear here, ready to be scheduled.',
  posts: 'Go to posts',
  noResults: (search: string) => `No subreddit matches “${search}”`,
  list: 'Posts to schedule',
} as const

export const cardTexts = {
  link: 'Open the link',
  title: 'Title',
  inTurn: (title: string) => `In turn, next “${title}”`,
  expected: (amount: string) => `Expected to earn ${amount}`,
  removals: (removed: number, posts: number) =>
    `${formatNumber(removed)} of your last ${formatCount(posts, 'post')} here ${removed === 1 ? 'was' : 'were'} removed`,
  /** The specification’s, to the letter. */
  noTitle: 'Select a title',
  comment: 'Comment',
  commentHint: 'Posted as the first comment. Leave it empty for none.',
  flair: 'Flair',
  chooseFlair: 'Choose a flair',
  noFlair: 'No flair',
  noFlairThere: 'There’s no flair to choose here.',
  flairUnknown: 'We couldn’t read the flair of this subreddit.',
  use: (title: string) => `Use “${title}”`,
  when: 'When',
  endOfQueue: (moment: string | null) =>
    moment === null ? 'At the end of the queue' : `At the end of the queue: ${formatDateTime(moment)}`,
  later: 'Date and time',
  timeHint: (zone: string) => `In ${zone} time`,
  chooseTime: 'Choose a date and time.',
  schedule: 'Schedule post',
  submit: 'Submit now',
  submitTitle: (subreddit: string) => `Post in r/${subreddit} now?`,
  submitEffect: 'It goes up at once, and stays there until it’s deleted on the forum.',
  remove: 'Remove from usable',
  removed: (subreddit: string) => `r/${subreddit} is no longer usable for this post.`,
  undo: 'Undo',
  back: (subreddit: string) => `r/${subreddit} is usable again.`,
  scheduled: (subreddit: string, moment: string) => `r/${subreddit}: scheduled for ${formatDateTime(moment)}`,
  /** The specification’s, to the letter. */
  posted: (subreddit: string) => `posted ${subreddit}`,
  sent: (subreddit: string) => `Sent to r/${subreddit}. The timeline shows what became of it.`,
  notPosted: (failure: SubmissionFailure | null) => failure?.message ?? 'It wasn’t posted.',
  open: 'Open on the forum',
  onTimeline: 'See the timeline',
} as const

export const posterTexts = {
  poster: 'Posted by',
  account: (name: string) => `u/${name}`,
  firstAccount: 'Your account',
  byHand: 'Me, by hand',
  byHandHint: 'We remind you when it’s time, and open the forum’s page filled in.',
} as const
