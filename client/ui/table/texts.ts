import { formatNumber } from '../format.ts'

/** Searching, sorting, and selecting the rows of a table. */
export const tableTexts = {
  search: 'Search',
  sortBy: 'Sort by',
  unsorted: 'Default order',
  ascending: (column: string) => `${column}, ascending`,
  descending: (column: string) => `${column}, descending`,
  searching: 'Searching…',
  selected: (count: number) => `${formatNumber(count)} selected`,
  selectAll: 'Select all',
} as const
