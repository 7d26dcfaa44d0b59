/** Waiting, failing, and empty parts of a page. */
export const stateTexts = {
  tryAgain: 'Try again',
  loadFailed: 'We couldn’t load this',
  partFailed: 'We couldn’t load this part of the page',
  loading: 'Loading',
  loadingMore: 'Loading more',
  showMore: 'Show more',
  working: 'Working…',
} as const

/** One photo or video in a grid. */
export const tileTexts = {
  photo: 'Photo',
  video: 'Video',
  locked: (name: string) => `${name}, locked`,
  error: 'This media has an error',
} as const

/** A page that is mostly text. */
export const textPageTexts = {
  summary: 'In short',
  contents: 'Contents',
  onThisPage: 'On this page',
} as const

/** A text with a button that copies it. */
export const copyTexts = {
  copy: 'Copy',
  copied: 'Copied',
  failed: 'We couldn’t copy this. Select the text instead.',
} as const

/** The colors of the pages. */
export const schemeTexts = { label: 'Appearance', auto: 'System', dark: 'Dark', light: 'Light' } as const
