/** Pages in place of one that doesn’t exist or doesn’t work right now. */
export const fallbackTexts = {
  notFound: 'Page not found',
  notFoundTitle: 'We couldn’t find this page',
  notFoundHint: 'The link may be outdated or mistyped.',
  unavailable: 'Temporarily unavailable',
  unavailableTitle: 'This feature is turned off right now',
  unavailableHint: 'It’ll be back. Everything you bought or created is safe.',
  browse: 'Browse All Content',
  home: 'Go to the home page',
} as const
