import { formatNumber } from '../format.ts'

/** Searching, sorting, and selecting the rows of a table. */
export const tableTexts = {
  search: 'Search',
  sortBy: 'Sort by',
  unsorted: 'Default order',
  sorted: (column: string, order: string) => `${column}, ${order}`,
  searching: 'Searching…',
  selected: (count: number) => `${formatNumber(count)} selected`,
  selectAll: 'Select all',
} as const

/** The two directions of an order, up and down. */
export const orderTexts = {
  words: ['A to Z', 'Z to A'],
  figures: ['lowest first', 'highest first'],
  past: ['oldest first', 'newest first'],
  due: ['earliest first', 'latest first'],
  steps: ['in order', 'in reverse order'],
} as const
