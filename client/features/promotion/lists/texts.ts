import { formatCount, formatNumber } from '../../../ui/format.ts'

/** Lists of subreddits. */
export const listTexts = {
  title: 'Subreddit lists',
  lead: 'Group subreddits, such as the ones that work for you or the ones that banned you.',
  create: 'Create a list',
  name: 'Title',
  recommended: 'Suggestions',
  siteWide: 'For everyone (site-wide)',
  siteWideHint: 'Everyone sees this list. Only operators can change it.',
  submit: 'Create list',
  created: (title: string) => `“${title}” created`,
  lists: 'Your lists',
  failed: 'We couldn’t load your lists',
  search: 'Search lists',
  noResults: (search: string) => `No results for “${search}”`,
  emptyTitle: 'No lists yet',
  empty: 'Create a list above, then add subreddits to it.',
  none: 'You have no lists yet.',
  isSiteWide: 'Site-wide',
  isOwn: 'Yours',
  isRemoved: 'Not in search',
  count: (count: number) => formatCount(count, 'subreddit'),
  ofCard: (list: { count: number; siteWide: boolean; removeFromSearch: boolean }) =>
    [
      formatCount(list.count, 'subreddit'),
      ...(list.siteWide ? ['Site-wide'] : []),
      ...(list.removeFromSearch ? ['Not in search'] : []),
    ].join('\u00a0· '),
  inShort: (names: readonly string[], count: number) =>
    names.length === 0
      ? 'No subreddits yet'
      : `${names.map((name) => `r/${name}`).join(', ')}${count > names.length ? `, and ${formatNumber(count - names.length)} more` : ''}`,
  edit: 'Edit',
  view: 'View',
  editOf: (title: string) => `Edit “${title}”`,
  viewOf: (title: string) => `View “${title}”`,
  delete: 'Delete',
  deleteOf: (title: string) => `Delete “${title}”`,
  deleteChosen: (count: number) => `Delete ${formatCount(count, 'list')}`,
  deleteTitle: (titles: readonly string[]) =>
    titles.length > 1 ? `Delete ${formatCount(titles.length, 'list')}?` : `Delete “${titles[0] ?? ''}”?`,
  deleteEffect: 'The subreddits stay tracked. This can’t be undone.',
  deleteSiteWide:
    'Site-wide lists disappear for everyone. The subreddits stay tracked. This can’t be undone.',
  deleted: (count: number) => (count > 1 ? `${formatCount(count, 'list')} deleted` : 'List deleted'),
  subreddits: 'Subreddits',
  holds: 'Includes',
  kind: 'Type',
  actions: 'Actions',
} as const

/** One list and its subreddits. */
export const editorTexts = {
  title: 'Edit list',
  back: 'All lists',
  failed: 'We couldn’t load this list',
  readOnly: 'This list is for everyone. Only operators can change it.',
  name: 'Title',
  /** Fixed wording: docs/product.md. */
  removeFromSearch: 'Remove From Search',
  yes: 'Yes',
  yesHint: 'These subreddits don’t appear when you search tracked subreddits.',
  no: 'No',
  noHint: 'These subreddits still appear in searches.',
  search: 'Search subreddits',
  searchHint: 'Part of a name',
  found: 'Search results',
  searchFailed: 'We couldn’t search subreddits',
  noResults: (search: string) => `No results for “${search}”`,
  searchFirst: 'No subreddits are tracked yet.',
  subscribers: (count: number) => formatCount(count, 'subscriber'),
  add: 'Add',
  addOf: (name: string) => `Add r/${name}`,
  onList: 'Added',
  selected: (count: number) => `Selected (${formatNumber(count)})`,
  /** Beside the picker’s own selected ones. */
  onThisList: 'On this list',
  nothing: 'Nothing on this list yet. Search for subreddits and add them.',
  remove: (name: string) => `Remove r/${name}`,
  full: 'A list can hold up to 2,000 subreddits.',
  /** Fixed wording: docs/product.md. */
  submit: 'Update List',
  updated: 'Updated!',
  lost: 'Your changes to this list aren’t saved and will be lost.',
} as const

/** The lists in a dialog, beside the search of subreddits. */
export const dialogTexts = {
  /** Fixed wording: docs/product.md. */
  lists: 'View Lists',
  list: 'View/Edit List',
  back: 'Back to lists',
  leaveTitle: 'Discard changes?',
  leave: 'Discard',
  stay: 'Keep editing',
} as const
