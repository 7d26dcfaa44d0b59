import { formatCount, formatNumber } from '../../../ui/format.ts'

/** Everything a creator sells. */
export const sellingTexts = {
  title: 'Your shop',
  lead: 'What fans can buy from you. Add media to subscriptions and bundles, or sell single items.',
  profile: 'See your profile',
  subscriptions: 'Subscriptions',
  subscriptionsEmpty: 'A subscription unlocks everything in it for a monthly price.',
  perMonth: 'per month',
  subscriptionCreated: 'Subscription created',
  bundles: 'Bundles',
  bundlesEmpty: 'A bundle is a set of photos and videos at one price. Buyers keep access.',
  bundleCreated: 'Success!',
  singles: 'Singles',
  inShop: 'Manage singles',
  singlesEmptyTitle: 'Sell one item at a time',
  choose: 'Choose from your media',
  singlesEmpty: 'Select items in your library, set a price, and turn on “Show in shop”.',
  loadFailed: (what: string) => `We couldn’t load your ${what}`,
  noneYet: (what: string) => `No ${what} yet`,
  empty: 'Nothing inside yet',
  edit: 'Edit',
} as const

/** The choices for a subscription's content. */
export const includesTexts = {
  label: 'What it includes',
  allLocked: 'All locked media',
  allLockedHint: 'Everything locked in your library, and each new upload as soon as it’s ready.',
  chosen: 'Chosen items',
  chosenHint: 'Only what you select, one by one.',
} as const

/** The dialog that creates a subscription or bundle. */
export const createTexts = {
  title: (kind: string) => `New ${kind}`,
  name: 'Title',
  price: 'Price',
  pricePerMonth: 'Price per month',
  submit: (kind: string) => `Create ${kind}`,
  lost: (kind: string) => `Your new ${kind} isn’t created yet.`,
} as const

/** The editor of a subscription or bundle. */
export const editTexts = {
  subscription: 'Edit subscription',
  bundle: 'Edit bundle',
  subscriptionLead:
    'Subscribers see everything in it while their subscription is active. A lower price applies to them from their next renewal.',
  bundleLead: 'Buyers keep what’s in the bundle when they buy it, even if you change it later.',
  all: 'Your shop',
  title: 'Title',
  description: 'Description',
  price: 'Price',
  pricePerMonth: 'Price per month',
  chat: 'Chat included',
  lessOwned: 'Lower price for fans who own part of it',
  lessOwnedHint: 'They pay for the items they don’t own yet, each at its share of the price.',
  tooMany: (count: string) =>
    `You can choose up to ${count} items. The newest ${count} are selected. The rest will be removed when you save.`,
  selected: (count: string) => `${count} selected`,
  allLocked: (leftOut: number) =>
    leftOut > 0 ? `All locked media except ${formatCount(leftOut, 'item')}` : 'All locked media',
  empty: 'Nothing inside yet',
  gone: (count: number) =>
    count === 1
      ? 'One of the selected items was deleted or made private. Remove it and save again.'
      : `${formatNumber(count)} of the selected items were deleted or made private. Remove them and save again.`,
  removeGone: (count: number) => (count === 1 ? 'Remove it' : `Remove all ${formatNumber(count)}`),
  unsaved: 'Unsaved changes',
  saved: 'Saved',
  save: 'Save',
  subscriptionSaved: 'Updated Subscription',
  bundleSaved: 'Updated bundle',
  lost: (kind: string) => `Your changes to this ${kind} aren’t saved.`,
  premiumContent: 'Your shop',
  another: 'It belongs to another creator.',
  loadFailed: 'We couldn’t load this',
} as const

/** The payers of a higher price, and subscribers' answers. */
export const raiseTexts = {
  label: 'Who pays the new price',
  newOnly: 'New subscribers only',
  newOnlyHint: 'Current subscribers keep the price they pay.',
  ask: 'Ask current subscribers',
  askHint: (days: number) =>
    `They get an email, and have at least ${days} days to agree. Those who don’t keep their price until then, and aren’t renewed after that.`,
  asked: (price: string) => `You asked subscribers to agree to ${price} a month`,
  answers: ({
    agreed,
    declined,
    waiting,
    left,
  }: Record<'agreed' | 'declined' | 'waiting' | 'left', number>) => {
    const gone = left > 0 ? `, ${formatNumber(left)} left without answering` : ''
    return `${formatCount(agreed, 'subscriber')} agreed, ${formatNumber(declined)} declined, ${formatNumber(waiting)} haven’t answered yet${gone}.`
  },
  askedOn: (date: string) => `Asked ${date}. Changing the price again replaces this request.`,
} as const

/** For how long a subscription is sold. */
export const termTexts = {
  label: 'Longer terms',
  hint: 'Fans can pay for several months at once, at a discount of 1 to 50%.',
  discount: (length: string) => `Discount for ${length}, in percent`,
  pay: (price: string, month: string) => `Fans pay ${price}, which is ${month} a month.`,
} as const

/** The cover of a subscription or bundle. */
export const coverTexts = {
  label: 'Cover',
  hint: 'Shown beside the title. Fans who can’t see the item see it blurred.',
  choose: 'Choose a cover',
  change: 'Change cover',
  remove: 'Remove cover',
  library: 'Your media',
} as const

/** To stop selling a subscription or bundle, sell it again, or delete it. */
export const retireTexts = {
  tag: 'No longer for sale',
  hint: {
    subscription:
      'If you stop selling it, no one new can subscribe. Current subscribers keep it, and it keeps renewing.',
    bundle: 'If you stop selling it, no one new can buy it. Buyers keep it.',
  },
  retiredHint: {
    subscription: 'It’s no longer for sale. Subscribers keep it, and it renews.',
    bundle: 'It’s no longer for sale. Buyers keep it.',
  },
  retire: 'Stop selling',
  sellAgain: 'Sell again',
  retired: (title: string) => `“${title}” is no longer for sale.`,
  soldAgain: (title: string) => `“${title}” is for sale again.`,
  undo: 'Undo',
  delete: 'Delete',
  asked: (title: string) => `Delete “${title}”?`,
  effect: 'No one has it yet. Its media stays in your library. This can’t be undone.',
  deleted: (title: string) => `Deleted “${title}”.`,
} as const

/** Where a creator picks media for it. */
export const pickerTexts = {
  title: (count: string) => `Media · ${count} selected`,
  leftOutTitle: (count: string) => `Exclude · ${count} selected`,
  leftOutHint: 'Select what subscribers don’t get. Public and private items are never part of it.',
  selectedOnly: 'Show selected only',
  media: 'Your media',
  loadFailed: 'We couldn’t load your media',
  unlisted: (count: number) =>
    count === 1
      ? '1 selected item is now private and isn’t listed here.'
      : `${formatNumber(count)} selected items are now private and aren’t listed here.`,
  noSelectedFound: 'No results in your selection',
  noneFound: 'No results in your library',
  clear: 'Clear search and filters',
  noneFoundHint: 'Try another search. Your selection doesn’t change.',
  noneSelected: 'Nothing selected yet',
  noneSelectedHint: 'Turn off “Show selected only” to choose media.',
  emptyLibrary: 'Your library is empty',
  upload: 'Upload media',
  emptyLibraryHint: 'Upload photos and videos, then choose them here.',
  search: 'Search',
  searchHint: 'Title, word, or tag',
  type: 'Type',
  allTypes: 'All types',
  photos: 'Photos',
  videos: 'Videos',
  gifs: 'External GIFs',
  video: 'Video',
  photo: 'Photo',
  untitled: 'Untitled',
} as const

/** Products that contain media. */
export type Kind = 'subscription' | 'bundle'

/** Adding media to a product. */
export const addTexts = {
  addTo: { subscription: 'Which subscription', bundle: 'Which bundle' },
  newOne: { subscription: 'New subscription', bundle: 'New bundle' },
  title: 'Title',
  price: { subscription: 'Price per month', bundle: 'Price' },
  holds: (kind: Kind, price: string, contents: string | null) =>
    `${price}${kind === 'subscription' ? ' per month' : ''} · ${contents ?? 'Empty'}`,
  add: (count: number) => `Add ${formatCount(count, 'item')}`,
  createAndAdd: (count: number) => `Create and add ${formatCount(count, 'item')}`,
  leftOut: (count: number) =>
    `${formatCount(count, 'item')} can’t be sold, because ${count === 1 ? 'it’s' : 'they’re'} private, deleted, or taken down.`,
  chooseOthers: 'Choose other items',
  added: ({ added, already, left, title }: { added: number; already: number; left: number; title: string }) =>
    [
      added > 0 || already === 0
        ? `Added ${formatCount(added, 'item')} to “${title}”.`
        : `“${title}” already has all of them.`,
      ...(already > 0 && added > 0 ? [`${formatNumber(already)} already there.`] : []),
      ...(left > 0 ? [`${formatNumber(left)} couldn’t be added.`] : []),
    ].join(' '),
  removed: (count: number, title: string) => `Removed ${formatCount(count, 'item')} from “${title}”.`,
  undo: 'Undo',
  undoFailed: (reason: string) => `We couldn’t remove them. ${reason}`,
} as const
