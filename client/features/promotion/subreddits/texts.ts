import { formatCount, formatNumber } from '../../../ui/format.ts'

const yesOrNo = { true: 'Yes', false: 'No' } as const
const answers = { ...yesOrNo, unknown: 'Unknown' } as const

/** The names of a subreddit's fields and of their answers. */
export const fieldTexts = {
  verificationType: 'Verification',
  notes: 'Notes',
  categorized: 'Categorized',
  sellingAccountsAllowed: 'Selling accounts allowed',
  ocSettings: 'Original content',
  boyAndGirlRequired: 'Man and woman required',
  couplesOnly: 'Couples only',
  malesAllowed: 'Men allowed',
  womenOnly: 'Women only',
  toysAllowed: 'Toys allowed',
  sexActsAllowed: 'Explicit acts allowed',
  watermarkType: 'Watermark',
  faceRequired: 'Face required',
  postFrequency: 'Post limit',
  repostFrequency: 'Repost limit',
  tags: 'Tags',
  answers,
  oc: { none: 'No rule', ocOnly: 'Original content only', noOc: 'No original content' },
  watermarks: { unknown: 'Unknown', 'not allowed': 'Not allowed', 'reddit username': 'Reddit username' },
  units: { hours: 'hours', days: 'days' },
  noLimit: 'No limit',
  frequency: (maxPosts: number, amount: number, unit: 'hours' | 'days') =>
    `At most ${formatCount(maxPosts, 'post')} every ${formatCount(amount, unit === 'hours' ? 'hour' : 'day')}`,
} as const

/** The filters of the table. */
export const filterTexts = {
  label: 'Filter subreddits',
  search: 'Search',
  searchHint: 'Search by name',
  button: (active: number) => (active > 0 ? `Filters (${active})` : 'Filters'),
  tags: 'Tags',
  any: 'Any',
  clear: 'Clear filters',
  names: {
    verificationSetting: fieldTexts.verificationType,
    sellingAccountsAllowed: fieldTexts.sellingAccountsAllowed,
    ocSettings: fieldTexts.ocSettings,
    boyAndGirlRequired: fieldTexts.boyAndGirlRequired,
    couplesOnly: fieldTexts.couplesOnly,
    malesAllowed: fieldTexts.malesAllowed,
    womenOnly: fieldTexts.womenOnly,
    categorized: fieldTexts.categorized,
  },
  none: 'All',
  yesOrNo,
  answers,
  oc: fieldTexts.oc,
  categorized: { yes: 'Yes', no: 'No' },
} as const

/** The table of subreddits, for operators. */
export const manageTexts = {
  title: 'Manage subreddits',
  lead: 'Every subreddit we track, with its rules as we know them.',
  import: 'Import subreddits',
  columns: {
    name: 'Name',
    subscribers: 'Subscribers',
    verification: 'Verification',
    categorized: 'Categorized',
    tags: 'Tags',
  },
  isCategorized: 'Categorized',
  notCategorized: 'Not categorized',
  unknownSize: 'Unknown',
  failed: 'We couldn’t load the subreddits',
  emptyTitle: 'No subreddits yet',
  empty: 'Import subreddits by name. We read their rules, flair, and requirements from the forum.',
  noResultsTitle: 'No results for these filters',
  noResults: 'Try another word or fewer filters.',
  selected: (count: number) => `${formatNumber(count)} selected`,
  selection: 'Selected subreddits',
  clear: 'Clear',
  refresh: 'Refresh from forum',
  refreshing: (count: number) =>
    `Reading ${formatCount(count, 'subreddit')} from the forum. This can take a few minutes.`,
  addToList: 'Add to a list',
} as const

/** Importing subreddits by name. */
export const importTexts = {
  title: 'Import subreddits',
  label: 'Subreddit names',
  hint: 'One per line, or separated by commas. Names like r/Gardens and addresses work too.',
  found: (count: number) => formatCount(count, 'subreddit'),
  wrong: (words: readonly string[], more: number) =>
    `Not a subreddit name: ${words.join(', ')}${more > 0 ? `, and ${formatNumber(more)} more` : ''}`,
  none: 'Enter at least one name.',
  lost: 'The names you entered will be lost.',
  submit: 'Import',
  done: (added: number, known: number) =>
    [
      added > 0 ? `${formatCount(added, 'subreddit')} added.` : 'No new subreddits.',
      ...(known > 0 ? [`${formatNumber(known)} already tracked.`] : []),
      'Their rules are being read from the forum.',
    ].join(' '),
} as const

/** Adding the selected subreddits to a list. */
export const addTexts = {
  title: (count: number) => `Add ${formatCount(count, 'subreddit')} to a list`,
  list: 'List',
  choose: 'Choose a list',
  siteWide: (title: string) => `${title} (site-wide)`,
  none: 'Create a list first.',
  toLists: 'Subreddit lists',
  failed: 'We couldn’t load your lists',
  submit: 'Add',
  done: (title: string) => `Added to “${title}”`,
} as const

/** The tags of subreddits. */
export const tagTexts = {
  title: 'Manage tags',
  about: 'Tags group subreddits by topic. Creators filter by them.',
  none: 'No tags yet.',
  list: 'Tags of subreddits',
  name: 'New tag',
  add: 'Add tag',
  added: (name: string) => `“${name}” added`,
  failed: 'We couldn’t load the tags',
} as const

/** One subreddit. */
export const subredditTexts = {
  title: (name: string) => `r/${name}`,
  verification: 'Your verification',
  manage: 'All subreddits',
  failed: 'We couldn’t load this subreddit',
  unknownTitle: (name: string) => `We don’t track r/${name}`,
  unknown: 'We don’t have any rules for it yet. Search for it when you choose subreddits for a post.',
  creates: 'We don’t track this subreddit yet. Save the form to start.',
  subscribers: (count: number) => formatCount(count, 'subscriber'),
  read: (when: string) => `Read from the forum ${when}`,
  unread: 'Not read from the forum yet',
  states: {
    private: 'This subreddit is private.',
    gone: 'The forum no longer knows this subreddit.',
    banned: 'The forum closed this subreddit.',
    quarantined: 'The forum quarantined this subreddit.',
  },
  changed: (parts: readonly ('rules' | 'flair' | 'requirements' | 'access')[], when: string) =>
    `Changed ${when}: ${parts.map((part) => PARTS[part]).join(', ')}`,
  rules: 'What we know about its rules',
  unchecked:
    'We haven’t checked these rules yet, so they may be wrong. Read the subreddit’s own rules first.',
  forum: 'What the forum says',
  form: 'Edit our notes on its rules',
  groups: {
    about: 'About',
    posting: 'Who and what may post',
    content: 'Content',
    limits: 'Limits',
  },
  notesHint: 'Everyone sees them. Write what creators should know before they post.',
  categorizedHint: 'You read the rules, and this form is complete.',
  limitHint: 'Fill in all three, or none for no limit.',
  maxPosts: 'Maximum posts',
  every: 'Every',
  unit: 'Unit',
  chooseUnit: 'Choose',
  incomplete: 'Fill in all three, or clear them for no limit.',
  number: 'Enter a whole number from 1 to 1,000.',
  lost: 'Your changes to this subreddit aren’t saved and will be lost.',
  save: 'Save',
  /** Fixed wording: docs/product.md. */
  updated: 'SR has been updated',
  delete: 'Stop tracking',
  deleteTitle: (name: string) => `Stop tracking r/${name}?`,
  deleteEffect: 'Our notes on it are deleted. This works only while no creator uses it, and can’t be undone.',
  deleted: (name: string) => `r/${name} is no longer tracked`,
} as const

const PARTS = { rules: 'rules', flair: 'flair', requirements: 'post requirements', access: 'access' } as const
