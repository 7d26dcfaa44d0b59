import { formatCount } from '../../../ui/format.ts'

/** The forum's facts about a subreddit. */
export const detailsTexts = {
  failed: 'We couldn’t read this subreddit',
  read: (when: string) => `Read from the forum on ${when}`,
  refresh: 'Refresh',
  refreshed: 'Up to date',
  rules: 'Rules',
  noRules: 'This subreddit has no rules.',
  requirements: 'Post requirements',
  unreadRequirements: 'We couldn’t read this subreddit’s requirements.',
  noRequirements: 'The forum sets no requirements here.',
  connectForRequirements: 'Connect a forum account to see post requirements and flair.',
  unavailable: (forum: string) =>
    `${forum} isn’t set up on this site, so we can’t read this subreddit’s requirements.`,
  connect: 'Connect an account',
  reconnect: 'Connect again',
  flair: 'Flair',
  noFlair: 'Posts here have no flair to choose.',
  unreadFlair: 'We couldn’t read this subreddit’s flair.',
  ownText: 'custom text allowed',
  states: {
    private: 'This subreddit is private.',
    gone: 'The forum doesn’t know this subreddit.',
    banned: 'The forum closed this subreddit.',
    quarantined: 'The forum hides this subreddit behind a warning.',
  },
} as const

/** The changes of a subreddit on the forum. */
export const changeTexts = {
  title: 'Recent changes',
  failed: 'We couldn’t load recent changes',
  parts: { rules: 'Rules', flair: 'Flair', requirements: 'Post requirements', access: 'Access' },
  before: 'Before',
  after: 'Now',
  reordered: 'Only the order changed.',
  ownText: detailsTexts.ownText,
  states: {
    ...detailsTexts.states,
    read: 'Anyone can see it.',
    unread: 'We haven’t read this subreddit yet.',
  },
} as const

/** For creators without a forum account. */
export const connectTexts = {
  title: (forum: string) => `Promote your work on ${forum}`,
  about:
    'Connect your account to find subreddits that suit you, see what each one requires, and track your verification.',
  connect: 'Connect an account',
  creatorsOnly: 'Only creators can connect a forum account and post.',
  unavailable: (forum: string) => `${forum} isn’t set up on this site, so there’s no account to connect.`,
} as const

/** While the forum no longer accepts an account. */
export const reconnectTexts = {
  label: 'Forum account to connect again',
  sentence: (forum: string, names: readonly string[]) =>
    `${forum} no longer accepts ${new Intl.ListFormat('en-US').format(names)}. Posts and messages for ${names.length === 1 ? 'this account are on hold until you reconnect it' : 'these accounts are on hold until you reconnect them'}.`,
  connect: 'Connect again',
} as const

/** The forum's requirements of posts, a sentence each. */
export const requirementTexts = {
  flair: 'Flair is required.',
  titleRequired: (parts: readonly string[]) => `The title needs one of: ${parts.join(', ')}`,
  titleForbidden: (parts: readonly string[]) => `Not in the title: ${parts.join(', ')}`,
  bodyRequired: (parts: readonly string[]) => `The text needs one of: ${parts.join(', ')}`,
  bodyForbidden: (parts: readonly string[]) => `Not in the text: ${parts.join(', ')}`,
  titleAtLeast: (letters: number) => `Titles must have at least ${formatCount(letters, 'character')}.`,
  titleAtMost: (letters: number) => `Titles can have up to ${formatCount(letters, 'character')}.`,
  pattern: (pattern: string) => `Titles must match the pattern ${pattern}`,
  needsText: 'Posts must include text.',
  noText: 'Posts can’t include text.',
  onlyFrom: (domains: readonly string[]) => `Links only to: ${domains.join(', ')}`,
  notFrom: (domains: readonly string[]) => `No links to: ${domains.join(', ')}`,
  repost: (days: number) => `The same link can be posted again after ${formatCount(days, 'day')}.`,
} as const

/** A table of subreddits whose rows can be selected. */
export const tableTexts = {
  table: 'Subreddits',
  columns: { name: 'Name', subscribers: 'Subscribers' },
  sortBy: 'Sort by',
  selectAll: 'Select all loaded',
  selectHint: 'Hold Shift to select everything up to a row.',
} as const

/** Several of a few numbers. */
export const togglesTexts = { all: 'All', none: 'None' } as const
