import { formatCount, formatNumber } from '../../../ui/format.ts'

/** Where subreddits are chosen for a post. */
export const pickerTexts = {
  title: 'Choose subreddits',
  lead: (title: string) => `For “${title}”`,
  failed: 'We couldn’t load this post',
  edit: 'Edit post',
  posts: 'All posts',
  saving: 'Saving…',
  saved: 'All changes saved',
  saveFailed: 'Your last changes aren’t saved.',
  retry: 'Save again',
  leftOut: (count: number) =>
    count === 1
      ? 'We couldn’t add this subreddit. Everything else is saved.'
      : 'We couldn’t add these subreddits. Everything else is saved.',
  dismiss: 'Dismiss',
  lost: 'Your last changes to the subreddits aren’t saved yet.',
  selected: (count: number) => `Selected (${formatNumber(count)})`,
  discarded: (count: number) => `Discarded (${formatNumber(count)})`,
  schedule: 'Schedule',
  nothingSelected: 'Subreddits you select appear here.',
  nothingDiscarded: 'Subreddits you discard appear here, and stay out of your way.',
  moveToDiscarded: (name: string) => `Discard r/${name}`,
  moveToSelected: (name: string) => `Select r/${name}`,
  selectedOf: (name: string) => `Selected: r/${name}`,
  discardedOf: (name: string) => `Discarded: r/${name}`,
  remove: (name: string) => `Remove r/${name}`,
  searchIn: 'Search in',
  /** Fixed wording: docs/product.md. */
  tracked: 'Tracked Subreddits',
  all: 'All Subreddits',
  noForum: (forum: string) =>
    `${forum} isn’t set up on this site, so you can choose only among tracked subreddits.`,
  columns: { verification: 'Verification', status: 'Status', actions: 'Actions' },
  noRecord: 'Not started',
  unknownSize: 'Unknown',
  select: 'Select',
  discard: 'Discard',
  isSelected: 'Selected',
  isDiscarded: 'Discarded',
  undo: 'Undo',
  didSelect: (count: number) => `${formatCount(count, 'subreddit')} selected`,
  didDiscard: (count: number) => `${formatCount(count, 'subreddit')} discarded`,
  didRemove: (name: string) => `r/${name} removed`,
  settled: { onTimeline: 'On the timeline', posted: 'Posted' },
  stayed: (count: number) =>
    count === 1
      ? '1 subreddit stays as it is because this post is on the timeline there or was posted there.'
      : `${formatNumber(count)} subreddits stay as they are because this post is on the timeline there or was posted there.`,
  full: 'A post can have up to 2,000 subreddits. Remove some first.',
  keys: 'On a row, press Enter to select it and D to discard it.',
  chosen: (count: number) => `${formatNumber(count)} chosen`,
  chosenBar: 'Chosen rows',
  clear: 'Clear',
  listFailed: 'We couldn’t load subreddits',
  emptyTitle: 'No results',
  empty: 'Try another word or fewer filters, or search all subreddits.',
  notes: 'What we know about its rules',
  tryAgain: 'Try again',
  details: (name: string) => `About r/${name}`,
  known: 'Known',
  search: 'Search',
  searchTracked: 'Search by name',
  searchForum: (forum: string) => `Search ${forum}`,
  searchForumHint: 'A topic or a name',
  searchFirst: (forum: string) => `Enter a topic to search all of ${forum}.`,
  results: (count: number, isMore: boolean) =>
    isMore
      ? `First ${formatCount(count, 'result')}`
      : count === 0
        ? 'No results'
        : formatCount(count, 'result'),
  emptyForum: 'Try another word.',
  more: 'Show more',
  end: (forum: string) => `That’s everything ${forum} found.`,
  isPrivate: 'Private',
  verificationRequired: 'Verification required',
  removed: (count: number) =>
    count === 1
      ? '1 subreddit is hidden because it’s on a list that you remove from search.'
      : `${formatNumber(count)} subreddits are hidden because they’re on lists that you remove from search.`,
  subscribers: (count: number) => formatCount(count, 'subscriber'),
} as const

/** The filters of tracked subreddits. */
export const filterTexts = {
  label: 'Filter subreddits',
  status: 'Your status',
  statuses: { any: 'All', none: 'Not started' },
  verification: 'Verification',
  anyVerification: 'Any',
  button: (active: number) => (active > 0 ? `Filters (${active})` : 'Filters'),
  tags: 'Tags',
  tagsHint: 'Select a tag once to require it, twice to exclude it, and a third time to clear it.',
  required: (name: string) => `${name}: required`,
  excluded: (name: string) => `${name}: excluded`,
  lists: 'Exclude lists',
  tagsFailed: 'We couldn’t load the tags.',
  noTags: 'No tags yet.',
  listsFailed: 'We couldn’t load your lists.',
  viewLists: 'View Lists',
  noLists: 'You have no lists yet.',
  clear: 'Clear filters',
} as const
