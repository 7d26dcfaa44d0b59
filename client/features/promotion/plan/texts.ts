import { MAX_PLAN_ROWS } from '../../../../contract/promotion.ts'
import { formatCount, formatDate } from '../../../ui/format.ts'

export const planTexts = {
  title: 'Plan a batch',
  lead: 'Choose posts, see when each one goes up, then schedule them all at once.',
  schedule: 'Schedule one by one',
  timeline: 'Timeline',
  /** Fixed wording: docs/product.md. */
  search: 'find by subreddit',
  searchHint: 'Part of a subreddit’s name',
  count: (count: number) => formatCount(count, 'post'),
  list: 'Posts to choose from',
  all: 'Select all shown',
  one: (title: string, subreddit: string) => `“${title}” in r/${subreddit}`,
  failed: 'We couldn’t load what can be scheduled',
  emptyTitle: 'Nothing to schedule',
  empty: 'Choose subreddits for your posts, and they appear here.',
  posts: 'Go to posts',
  noResults: (search: string) => `No subreddit matches “${search}”`,
  first: (count: number) => (count === 1 ? 'Plan this post' : `Plan the first ${formatCount(count, 'post')}`),
  chosen: (count: number) => `Plan ${formatCount(count, 'selected post')}`,
  most: (limit: number) => `A plan holds up to ${formatCount(limit, 'post')}. Select fewer.`,
  files: 'CSV file',
  filesHint: `Import a CSV file of up to ${MAX_PLAN_ROWS} rows with the columns post, subreddit, title, time, comment, flair, flair text, account, and NSFW. Omit a column to use the post’s own value. The timeline you download has every post in the same columns, with its result.`,
  import: 'Import CSV',
  importLabel: 'CSV file with a plan',
  export: 'Download timeline',
  exportFailed: 'We couldn’t download your timeline. Please try again.',
} as const

export const previewTexts = {
  planning: 'Planning…',
  summary: (count: number, from: string, to: string) =>
    formatDate(from) === formatDate(to)
      ? `${formatCount(count, 'post')} on ${formatDate(from)}`
      : `${formatCount(count, 'post')} from ${formatDate(from)} to ${formatDate(to)}`,
  nothing: 'None of these posts can be scheduled as they are.',
  problems: (count: number) => `${formatCount(count, 'post needs', 'posts need')} attention`,
  line: (line: number) => `Line ${line}`,
  place: (place: number) => `Post ${place}`,
  title: 'Title',
  account: (name: string) => `u/${name}`,
  byHand: 'Manually',
  use: (title: string) => `Use “${title}”`,
  verify: 'Track your verification',
  reopen: 'Try this subreddit again',
  check: 'Check again',
  remove: 'Remove',
  removeOf: (title: string, subreddit: string, mark: string | null = null) =>
    `Remove “${title}” in r/${subreddit}${mark === null ? '' : `, ${mark}`}`,
  shuffle: 'Shuffle',
  back: 'Back',
  schedule: (count: number) => `Schedule ${formatCount(count, 'post')}`,
  scheduled: (count: number) => `${formatCount(count, 'post')} scheduled.`,
  left: (count: number) => `${formatCount(count, 'post', 'posts')} couldn’t be scheduled.`,
  removed: 'Removed from this plan.',
  undo: 'Undo',
  unsaved: 'This plan isn’t scheduled yet and will be lost.',
} as const
