/** Discover's heading, as the document and the application show it. */
export const discoverHeading = {
  title: 'Discover',
  lead: 'New from everyone who publishes here.',
} as const

/** Discover and its search. */
export const discoverTexts = {
  yourContent: 'Your Premium Content',
  everything: 'All content',
  creators: 'Creators',
  sortBy: 'Sort by',
  sorts: { new: 'New', popular: 'Popular' },
  show: 'Show',
  types: { all: 'All', image: 'Photos', video: 'Videos' },
  suggestedTags: 'Suggested tags',
  showTags: 'Show tags',
  hideTags: 'Hide tags',
  tags: 'Tags',
  filterByTags: 'Filter by tags',
  noResults: 'No media with these filters',
  noResultsHint: 'Remove a filter, or choose another one.',
  showEverything: 'Show everything',
  nothingYet: 'Nothing has been published yet',
  nothingYetHint: 'What creators publish appears here.',
  makingSample: 'We’re making the sample data',
  makingSampleHint: 'It takes about two minutes, then appears here automatically.',
  search: 'Search',
  clearSearch: 'Clear the search',
  mediaFound: 'Media found',
  resultsFor: (words: string) => `Results for “${words}”`,
  correctedTo: (words: string) => `Showing results for “${words}”`,
  noResultsFor: (words: string) => `No results for “${words}”`,
  noResultsForHint: 'Try fewer or different words, or a creator’s name.',
  browseAll: 'Browse All Content',
} as const
