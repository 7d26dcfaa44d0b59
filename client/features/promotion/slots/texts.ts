import { formatCount } from '../../../ui/format.ts'
import { formatExactDateTime } from '../../../ui/format-occasional.ts'

export const slotsTexts = {
  title: 'Recurring slots',
  lead: 'Weekly times that fill automatically from your posts, seven days ahead.',
  timeline: 'Timeline',
  add: 'Add a slot',
  list: 'Your slots',
  failed: 'We couldn’t load your slots',
  emptyTitle: 'No slots yet',
  empty: 'Add a weekly time, and we’ll schedule your next post for it, in the order of your queue.',
  zone: (timeZone: string) =>
    timeZone === 'UTC' ? 'Times are in UTC.' : `Times are in ${timeZone.replaceAll('_', ' ')} time.`,
  queue: 'Queue settings',
  everyDay: 'Every day',
  anywhere: 'Any subreddit',
  byHand: 'Manually',
  next: (moment: string) => `Next ${formatExactDateTime(moment)}`,
  planned: (count: number) => `${formatCount(count, 'post')} on the timeline`,
  editOf: (name: string) => `Edit ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  deleted: 'Slot deleted. Posts already scheduled stay on the timeline.',
  undo: 'Undo',
  back: 'Slot restored.',
  saved: (scheduled: number) =>
    scheduled === 0 ? 'Slot saved.' : `Slot saved, and ${formatCount(scheduled, 'post')} scheduled.`,
} as const

export const slotTexts = {
  addTitle: 'Add a slot',
  editTitle: 'Edit slot',
  editHint: 'Posts already scheduled keep their time.',
  days: 'Days',
  time: 'Time',
  subreddit: 'Subreddit',
  subredditHint: 'Leave it empty to use any subreddit.',
  lost: 'Your changes to this slot aren’t saved.',
  lostNew: 'This slot isn’t added yet.',
  save: 'Save',
} as const

export const reuseTexts = {
  title: 'Repost and delete rules',
  failed: 'We couldn’t load your rules',
  recycle: 'Reuse posts that did well',
  recycleHint:
    'After the number of days you set, a post can be used again in the same subreddit, unless it was removed there.',
  recycleDays: 'Days until reuse',
  recycleMinScore: 'Minimum score',
  remove: 'Delete posts that do poorly',
  removeHint: 'We’ll delete them on the forum for you.',
  removeBelow: 'Delete below a score of',
  removeAfterHours: 'Hours before deleting',
  removeTitle: 'Delete posts by their score?',
  removeEffect:
    'Once you save, posts that stay below the score are deleted on the forum when their time is up. Deleted posts can’t be restored.',
  removeConfirm: 'Turn on',
  now: (count: number) =>
    count === 0
      ? 'Saving won’t delete any of your posts right away.'
      : `Saving will delete ${formatCount(count, 'post')} within minutes.`,
  whole: 'Enter a whole number.',
  save: 'Save',
  saved: 'Saved.',
  lost: 'Your changes to these rules aren’t saved.',
} as const
