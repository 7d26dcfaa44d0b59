import { formatCount, formatDateTime } from '../../../ui/format.ts'

export const slotsTexts = {
  title: 'Recurring slots',
  lead: 'Times of the week that fill themselves, seven days ahead, with what you’d post next.',
  timeline: 'Timeline',
  add: 'Add a slot',
  list: 'Your slots',
  failed: 'We couldn’t load your slots',
  emptyTitle: 'No slots yet',
  empty:
    'Add a time of the week. It’s filled from your posts and their subreddits, in the order of your queue.',
  zone: (timeZone: string) => `Times are in ${timeZone.replaceAll('_', ' ')} time.`,
  queue: 'Queue settings',
  everyDay: 'Every day',
  anywhere: 'Any subreddit',
  byHand: 'By hand',
  next: (moment: string) => `Next ${formatDateTime(moment)}`,
  planned: (count: number) => `${formatCount(count, 'post')} on the timeline`,
  editOf: (name: string) => `Edit ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  deleted: 'Slot deleted. What’s scheduled already stays.',
  undo: 'Undo',
  back: 'Your slot is back.',
  saved: (scheduled: number) =>
    scheduled === 0 ? 'Slot saved.' : `Slot saved, and ${formatCount(scheduled, 'post')} scheduled.`,
} as const

export const slotTexts = {
  addTitle: 'Add a slot',
  editTitle: 'Edit slot',
  editHint: 'What’s scheduled already keeps its time.',
  days: 'Days',
  time: 'Time',
  subreddit: 'Subreddit',
  subredditHint: 'Leave it empty for any, in turn.',
  save: 'Save',
} as const

export const reuseTexts = {
  title: 'Post again, or delete',
  failed: 'We couldn’t load your rules',
  recycle: 'Post again where it did well',
  recycleHint:
    'The post can be used in that subreddit again once the days are over, unless it was removed there.',
  recycleDays: 'After how many days',
  recycleMinScore: 'If its score is at least',
  remove: 'Delete posts that do badly',
  removeHint: 'They’re deleted on the forum, in your name.',
  removeBelow: 'If the score is below',
  removeAfterHours: 'After how many hours',
  removeTitle: 'Delete posts by their score?',
  removeEffect:
    'From when you save, posts below the score are deleted on the forum as their hours are over. They can’t be brought back there.',
  removeConfirm: 'Turn on',
  now: (count: number) =>
    count === 0
      ? 'None of your posts would be deleted now.'
      : `${formatCount(count, 'post')} would be deleted now.`,
  whole: 'Enter a whole number.',
  save: 'Save',
  saved: 'Saved.',
} as const
