import {
  DELETED_MEDIA_KEPT_DAYS,
  MAX_MEDIA_SELECTED,
  MAX_TAGS_PER_ITEM,
} from '../../../../contract/constants.ts'
import { formatCount, formatNumber } from '../../../ui/format.ts'

/** The creator's library. */
export const texts = {
  title: 'Manage media',
  lead: 'Your library: what everyone sees, what you sell, and what only you see.',
  pages: { label: 'Which media', library: 'Library', deleted: 'Recently deleted' },
  yourMedia: 'Your media',
  clearFilters: 'Clear filters',
  select: 'Select',
  done: 'Done',
  orderHint: 'Drag a card by its handle to change the order here and on your profile.',
  orderFiltered: 'To change the order, clear search and filters.',
  nothingMatches: 'No results in your library',
  nothingMatchesHint: 'Try another word or fewer filters.',
  clearAll: 'Clear search and filters',
  emptyTitle: 'Your library is empty',
  upload: 'Upload media',
  selectedItems: 'Selected items',
  tags: 'Tags',
  price: 'Price',
  visibility: 'Visibility',
  toTop: 'Move to top',
  delete: 'Delete',
  clear: 'Clear',
  restore: 'Restore',
  restoreItem: (name: string) => `Restore ${name}`,
  deletedOn: (date: string) => `Deleted ${date}`,
  bulkTitle: {
    change: (what: string, items: string) => `${what} of ${items}`,
    add: (to: string, items: string) => `${to}: ${items}`,
  },
  view: { label: 'View', grid: 'Grid', list: 'List' },
  notOnSale: 'Not for sale',
  selected: (count: number) => `${formatNumber(count)} selected`,
  notShown: (count: number) => `, ${formatNumber(count)} of them not shown`,
  mostAtOnce: ' (the maximum)',
  selectAll: (count: number | null) => {
    if (count === null) return 'Select all'
    return count > MAX_MEDIA_SELECTED
      ? `Select the first ${formatNumber(MAX_MEDIA_SELECTED)} of ${formatNumber(count)}`
      : `Select all ${formatNumber(count)}`
  },
  selectAllFailed: (reason: string) => `We couldn’t select your media. ${reason}`,
  selectHint: 'Hold Shift to select everything up to an item.',
  selectAllLoaded: 'Select all loaded',
  restored: 'Restored',
  restoreFailed: (reason: string) => `We couldn’t restore them. ${reason}`,
  emptyLibrary: 'Photos and videos you upload appear here. They stay private until you choose who sees them.',
  lost: 'Your changes to the selected items aren’t saved.',
  changedBefore: (count: number) => `${formatCount(count, 'item')} changed before that.`,
  filters: {
    search: 'Search',
    searchHint: 'Search your media',
    button: (active: number) => (active > 0 ? `Filters (${active})` : 'Filters'),
    tags: 'Tags',
    anyTag: 'Any tag',
    type: 'Type',
    allTypes: 'All types',
    visibility: 'Visibility',
    anyVisibility: 'Any visibility',
  },
  types: { image: 'Photos', video: 'Videos', embed: 'External GIFs' },
  visibilities: {
    public: 'Free',
    locked: 'Must be unlocked',
    store: 'In shop',
    search: 'Shown in search',
    promotion: 'Forum promotion',
    private: 'Private',
  },
  untitled: { gif: 'Untitled GIF', video: 'Untitled video', photo: 'Untitled photo' },
  chips: { takenDown: 'Taken down', inSearch: 'In search', promotion: 'Promotion', gif: 'External GIF' },
  daysLeft: (days: number) => (days <= 1 ? 'Last day' : `${days} days left`),
  orderFailed: (reason: string) => `We couldn’t change the order. ${reason}`,
  topFailed: (reason: string) => `We couldn’t move everything to the top. ${reason}`,
  movedToTop: (count: number) => `${formatCount(count, 'item')} moved to the top`,
  updated: (count: number) => `${formatCount(count, 'item')} updated`,
  change: (count: number) => `Change ${formatCount(count, 'item')}`,
  bulkPrice: {
    label: 'Price',
    hint: (sold: number, all: number) => `What each one costs on its own. ${inStore(sold, all)}`,
    sell: (count: number) => (count === 1 ? 'Also put it up for sale' : 'Also put them all up for sale'),
  },
  bulkTags: {
    add: 'Add tags',
    most: `Up to ${MAX_TAGS_PER_ITEM} tags per item.`,
    remove: 'Remove tags',
    of: (count: number, all: number) => `${formatNumber(count)} of ${formatNumber(all)}`,
  },
  bulkVisibility: {
    who: 'Who can see them',
    advanced: 'Advanced',
    leave: 'No change',
    off: 'Off',
    on: 'On',
    now: 'Who can see them now',
    afterwards: 'Who will see them',
    onFor: (count: number, all: number) => `On for ${formatNumber(count)} of ${formatNumber(all)}`,
    untitled: (count: number) =>
      count === 1
        ? '1 item has no title. Add one before you sell it.'
        : `${formatNumber(count)} items have no title. Add titles before you sell them.`,
  },
  deletion: {
    question: (what: string) => `Delete ${what}?`,
    confirm: 'Delete',
    done: (what: string) => `Deleted ${what}`,
    undo: 'Undo',
    ownEffect: (single: boolean) =>
      `${single ? 'It’s' : 'They’re'} removed from your profile, your shop, and everything you sell. You can restore ${single ? 'it' : 'them'} from “Recently deleted” for ${DELETED_MEDIA_KEPT_DAYS} days.`,
    otherEffect:
      'It’s removed from its creator’s profile, shop, and everything they sell. It can’t be restored, and the audit log records that you deleted it.',
    effectsFailed: (single: boolean, reason: string) =>
      `Buyers keep access. We couldn’t check which bundles and subscriptions include ${single ? 'it' : 'them'}. ${reason}`,
    noEffects: (single: boolean) =>
      single
        ? 'No one has bought it, and it isn’t in a bundle or subscription.'
        : 'No one has bought any of them, and none are in a bundle or subscription.',
    buyers: (count: number, single: boolean) =>
      `${formatCount(count, 'person', 'people')} bought ${single ? 'this' : 'these'}. Buyers keep access.`,
    bundles: (count: number, titles: string) =>
      `${count === 1 ? 'This bundle gets' : 'These bundles get'} smaller: ${titles}.`,
    subscriptions: (count: number, single: boolean, titles: string) =>
      `Subscribers to ${count === 1 ? 'this' : 'these'} lose ${single ? 'it' : 'them'}: ${titles}.`,
  },
  deleted: {
    hint: `Kept for ${DELETED_MEDIA_KEPT_DAYS} days, then gone for good. Buyers keep access.`,
    back: (what: string, single: boolean) => `${what} ${single ? 'is' : 'are'} back in your library`,
    failed: (reason: string) => `We couldn’t restore anything. ${reason}`,
    emptyTitle: 'Nothing deleted recently',
    empty: `Media you delete stays here for ${DELETED_MEDIA_KEPT_DAYS} days, so you can restore it.`,
  },
  selectItem: (name: string) => `Select ${name}`,
  editItem: (name: string) => `Edit ${name}`,
  deleteItem: (name: string) => `Delete ${name}`,
  moving: {
    item: 'movable item',
    handle: (name: string) => `Move ${name}`,
    instructions:
      'To move this item, press Space, then the arrow keys, and Space again to drop it. Press Escape to cancel.',
    unknown: 'The item',
    position: (place: number, all: number) => `position ${formatNumber(place)} of ${formatNumber(all)}`,
    pickedUp: (name: string, position: string) => `Picked up ${name} at ${position}.`,
    over: (name: string, position: string) => `${name} is over ${position}.`,
    outside: (name: string) => `${name} isn’t over a position.`,
    dropped: (name: string, position: string) => `Dropped ${name} at ${position}.`,
    unmoved: (name: string) => `${name} didn’t move.`,
    canceled: (name: string, position: string) => `Canceled. ${name} is back at ${position}.`,
  },
  addTo: { subscription: 'Add to subscription', bundle: 'Add to bundle' },
} as const

function inStore(sold: number, all: number): string {
  if (sold === 0) return all === 1 ? 'It isn’t in your shop yet.' : 'None are in your shop yet.'
  if (sold === all) return all === 1 ? 'It’s in your shop now.' : 'All of them are in your shop now.'
  return `${formatNumber(sold)} of ${formatNumber(all)} are in your shop now.`
}
