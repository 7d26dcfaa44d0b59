import { MAX_MEDIA_SELECTED } from '../../../../contract/constants.ts'
import { formatCount, formatNumber } from '../../../ui/format.ts'

/** What the creator's library says on the screen. */
export const texts = {
  pages: { label: 'Which media', library: 'Library', deleted: 'Recently deleted' },
  yourMedia: 'Your media',
  clearFilters: 'Clear filters',
  select: 'Select',
  done: 'Done',
  orderHint: 'Drag a card by its handle to change the order here and on your profile.',
  orderFiltered: 'To change the order, clear search and filters.',
  nothingMatches: 'Nothing in your library matches',
  nothingMatchesHint: 'Try another word or fewer filters.',
  clearAll: 'Clear search and filters',
  emptyTitle: 'Your library is empty',
  upload: 'Upload media',
  selectedItems: 'Selected items',
  tags: 'Tags',
  price: 'Price',
  visibility: 'Visibility',
  toTop: 'To the top',
  delete: 'Delete',
  clear: 'Clear',
  restore: 'Restore',
  view: { label: 'View', grid: 'Grid', list: 'List' },
  notOnSale: 'Not on sale',
  selected: (count: number) => `${formatNumber(count)} selected`,
  notShown: (count: number) => `, ${formatNumber(count)} of them not shown`,
  mostAtOnce: ', the most at once',
  selectAll: (count: number | null) => {
    if (count === null) return 'Select all'
    return count > MAX_MEDIA_SELECTED
      ? `Select the first ${formatNumber(MAX_MEDIA_SELECTED)} of ${formatNumber(count)}`
      : `Select all ${formatNumber(count)}`
  },
  selectAllFailed: (reason: string) => `The items couldn’t be selected. ${reason}`,
  selectHint: 'Hold Shift to select everything up to an item.',
  selectAllLoaded: 'Select all loaded',
  restored: 'Restored',
  restoreFailed: (reason: string) => `They couldn’t be restored. ${reason}`,
  emptyLibrary: 'Photos and videos you upload appear here. They stay private until you choose who sees them.',
  changedBefore: (count: number) => `${formatCount(count, 'item')} changed before that.`,
  addTo: { subscription: 'Add to subscription', bundle: 'Add to bundle' },
} as const
