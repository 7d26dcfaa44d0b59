/** Searching, sorting, and selecting the rows of a table. */
export const tableTexts = {
  search: 'Search',
  sortBy: 'Sort by',
  unsorted: 'Default',
  ascending: (column: string) => `${column}, ascending`,
  descending: (column: string) => `${column}, descending`,
  searching: 'Searching…',
  selected: (count: number) => `${count} selected`,
  selectAll: 'Select all',
} as const
