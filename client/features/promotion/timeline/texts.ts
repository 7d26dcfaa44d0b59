import type { Output } from '../../../../contract/route.ts'
import type { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import type { SubmissionState } from '../../../../contract/submissions.ts'
import { formatCount, formatDateTime } from '../../../ui/format.ts'

type Stayed = Output<typeof scheduleRoutes.moveDay>['stayed']

/** How many posts stayed where they were, and why: the reasons of most, and how many more there were. */
function reasons(stayed: Stayed): string[] {
  const told = stayed.slice(0, 2)
  const others = stayed.slice(2).reduce((sum, { posts }) => sum + posts, 0)
  return [
    ...told.map(({ posts, reason }) => `${formatCount(posts, 'post')} stayed: ${reason}`),
    ...(others > 0 ? [`${formatCount(others, 'more', 'more')} stayed too.`] : []),
  ]
}

const movedBy = (count: number, how: string) =>
  `${count === 0 ? 'No posts were' : formatCount(count, 'post')} ${how}.`

export const timelineTexts = {
  title: 'Timeline',
  lead: 'Your scheduled posts, and how each one did.',
  schedule: 'Schedule posts',
  slots: 'Recurring slots',
  queue: 'Queue settings',
  views: 'View',
  view: { list: 'List', week: 'Week', day: 'Day' },
  shown: 'Show',
  filters: {
    upcoming: 'Upcoming',
    waiting: 'Manual',
    posted: 'Posted',
    failed: 'Failed',
    unknown: 'Unconfirmed',
  },
  failed: 'We couldn’t load your timeline',
  emptyTitle: 'Nothing here yet',
  /** Fixed wording: docs/product.md. */
  empty: 'You don’t have any scheduled posts.',
  emptyLink: 'Create some here',
  none: {
    waiting: 'Posts that you make manually appear here when they’re due.',
    posted: 'Published posts appear here, with their score and comments.',
    failed: 'No failed posts.',
    unknown: 'No unconfirmed posts.',
  },
  noneOfPost: 'Nothing is scheduled for this post.',
  ofPost: 'Showing one post.',
  allPosts: 'Show all posts',
  overdue: 'Overdue',
  overdueLead:
    'Their time has passed. They go up once your queue is running and their account can post. Posts that you make manually wait for you.',
  nothingThatDay: 'Nothing planned',
  week: (from: string, to: string) => `${from} to ${to}`,
  previousWeek: 'Previous week',
  nextWeek: 'Next week',
  day: (weekday: string, date: string) => `${weekday}, ${date}`,
  previousDay: 'Previous day',
  nextDay: 'Next day',
  freeHour: 'Free',
  today: 'Today',
  paused: 'Your queue is paused. Nothing is posted until you resume it.',
  resume: 'Resume',
  resumed: 'Your queue is running again.',
  stopped: (name: string) => `The forum stopped u/${name}. Check the account there, then resume posting.`,
  stoppedByYou: (name: string) => `Posting as u/${name} is paused.`,
  resting: (name: string, until: string) =>
    `The forum isn’t accepting posts from u/${name} right now. We’ll try again ${formatDateTime(until)}.`,
  pacing: (name: string, until: string) =>
    `Posts from u/${name} are late, so we’re spacing them out. The next one goes up after ${formatDateTime(until)}.`,
  postAgain: 'Resume posting',
  moveDay: 'Move this day',
  moveDayOf: (day: string) => `Move everything scheduled on ${day}`,
  moveBy: { day: 'To the next day', week: 'A week later', back: 'To the day before', hour: 'An hour later' },
  moved: (count: number, stayed: Stayed) =>
    [
      count === 0 && stayed.length === 0 ? 'Nothing is scheduled on this day.' : movedBy(count, 'moved'),
      ...reasons(stayed),
    ].join(' '),
  movedBack: (count: number, stayed: Stayed) => [movedBy(count, 'moved back'), ...reasons(stayed)].join(' '),
  movedTo: (subreddit: string, time: string) => `r/${subreddit} moved to ${time}.`,
  notMoved: (subreddit: string, reason: string) => `r/${subreddit} wasn’t moved: ${reason}`,
  past: 'That time has passed. Choose a later one.',
  undo: 'Undo',
  dragging: {
    pickedUp: (title: string) => `Picked up “${title}”.`,
    over: (title: string, place: string) => `“${title}” is over ${place}.`,
    outside: (title: string) => `“${title}” isn’t over a day or an hour.`,
    dropped: (title: string, place: string) => `“${title}” was dropped on ${place}.`,
    unmoved: (title: string) => `“${title}” stays where it was.`,
  },
} as const

export const itemTexts = {
  state: {
    scheduled: 'Scheduled',
    waiting: 'Post manually',
    submitting: 'Posting',
    posted: 'Posted',
    failed: 'Failed',
    unknown: 'Unconfirmed',
    canceled: 'Canceled',
  } satisfies Record<SubmissionState, string>,
  removed: {
    moderator: 'Removed by moderators',
    automod_filtered: 'Removed by an automatic filter',
    reddit: 'Removed by the forum’s spam filter',
    anti_evil_ops: 'Removed by the forum’s safety team',
    community_ops: 'Removed by the forum’s staff',
    legal_operations: 'Removed by the forum for legal reasons',
    copyright_takedown: 'Removed after a copyright claim',
    user: 'Removed by the owner of the profile',
    author: 'Deleted',
    deleted: 'Deleted',
  } as Record<string, string | undefined>,
  removedOtherwise: 'Removed',
  takenDown: 'Deleted for a low score',
  clash: {
    frequency: 'Closer to your other posts in this subreddit than it allows',
    duplicate: 'Same picture in this subreddit within a day',
    close: 'Closer to another post than your queue allows',
  },
  account: (name: string) => `u/${name}`,
  byHand: 'Manually',
  score: (score: number) => formatCount(score, 'point'),
  comments: (count: number) => formatCount(count, 'comment'),
  commentFailed: (reason: string | null) =>
    ['The first comment wasn’t posted.', reason].filter(Boolean).join(' '),
  retryComment: 'Post the comment again',
  retriesComment: 'We’ll try the comment again.',
  commentWaits: 'The comment will be posted next.',
  open: 'Open on the forum',
  edit: 'Edit',
  editOf: (title: string) => `Edit “${title}”`,
  moveOf: (title: string, subreddit: string) => `Move “${title}” in r/${subreddit}`,
  moves: {
    hourEarlier: 'An hour earlier',
    hourLater: 'An hour later',
    dayEarlier: 'To the day before',
    dayLater: 'To the next day',
  },
  cancelOf: (title: string, subreddit: string) => `Cancel “${title}” in r/${subreddit}`,
  canceled: (subreddit: string) => `Removed from the timeline. r/${subreddit} is available again.`,
  undo: 'Undo',
  put: 'Restored to the timeline.',
  reopen: 'Try this subreddit again',
  reopened: 'Added to the queue again.',
  resubmit: 'Post it again anyway',
  reschedule: 'Schedule again',
  verify: 'Track your verification',
  reconnect: 'Connect again',
  remove: 'Remove from the timeline',
  submitPage: 'Post it on the forum',
  commentToPaste: 'First comment',
  commentHint: 'Paste this comment below your post. If we can post as this account, we’ll add it for you.',
  markNsfw: 'Mark it NSFW on the forum’s page before you post it.',
  confirm: 'Paste the link',
  confirmTitle: 'Paste the link to your post',
  confirmLead: 'We’ll track its score, comments, and removal like any other post.',
  confirmField: 'Link to the post',
  confirmSave: 'Save',
  confirmed: 'Marked as posted.',
} as const

export const editTexts = {
  title: (subreddit: string) => `Edit the post in r/${subreddit}`,
  postTitle: 'Title',
  comment: 'Comment',
  commentHint: 'Posted as the first comment. Leave it empty for none.',
  when: 'When',
  endOfQueue: 'At the end of the queue',
  chooseTime: 'Choose a date and time.',
  choosePoster: 'Choose who posts it: its account was disconnected.',
  save: 'Save',
  saved: 'Saved.',
  savedFor: (time: string) => `Saved. It’s scheduled for ${time}.`,
  lost: 'Your changes to this post aren’t saved and will be lost.',
} as const

export const queueTexts = {
  title: 'Queue settings',
  lead: 'When posts at the end of your queue go up.',
  failed: 'We couldn’t load your queue',
  pause: 'Pause everything',
  pauseHint: 'Nothing is posted while your queue is paused.',
  timeZone: 'Time zone',
  takeOwnZone: (timeZone: string) => `Use ${timeZone}, your device’s time zone`,
  days: 'Days',
  hours: 'Hours',
  gap: 'Minutes between posts',
  sameMedia: 'Minutes between posts of the same picture',
  sameMediaHint: '0 for no limit',
  save: 'Save',
  saved: 'Queue updated.',
  lost: 'Your changes to the queue aren’t saved.',
  accounts: 'Accounts',
  account: {
    posting: 'Posting',
    resting: 'Waiting',
    stopped: 'Stopped',
    disconnected: 'Not connected',
  },
  stop: 'Stop',
  stopOf: (name: string) => `Stop u/${name}`,
  start: 'Resume posting',
  startOf: (name: string) => `Resume posting as u/${name}`,
  whole: 'Enter a whole number.',
} as const
