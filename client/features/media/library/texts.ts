import type { Showing } from './api.ts'

/** Your Content and its cards. */
export const libraryTexts = {
  title: 'Your Premium Content',
  lead: 'Everything you’ve bought or unlocked, in one place.',
  bundleFailed: 'We couldn’t load this bundle',
  discover: 'Discover',
  kinds: 'What to show',
  /** Fixed wording: docs/product.md. */
  showing: { images: 'Images', videos: 'Videos', all: 'All' } satisfies Record<Showing, string>,
  nothingOf: {
    images: 'You have no photos yet',
    videos: 'You have no videos yet',
    all: 'Nothing here yet',
  } satisfies Record<Showing, string>,
  search: 'Search',
  searchHint: 'Title or creator',
  creator: 'Creator',
  everyCreator: 'All creators',
  noResults: 'No results',
  noResultsHint: 'Try fewer words, or show everything.',
  showAll: 'Show everything',
  nothingHint:
    'Everything you buy or unlock appears here: singles, bundles, and what your subscriptions include.',
  browse: 'Browse All Content',
  list: 'Your premium content',
  untitled: (type: 'image' | 'video') => (type === 'video' ? 'Untitled video' : 'Untitled photo'),
  video: 'Video',
  viewMedia: 'View Media',
  viewMediaOf: (title: string) => `View Media: ${title}`,
}
