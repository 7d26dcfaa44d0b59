/** Waiting, failing, and empty parts of a page. */
export const stateTexts = {
  tryAgain: 'Try again',
  reload: 'Reload',
  loadFailed: 'We couldn’t load this',
  partFailed: 'We couldn’t load this part of the page',
  loading: 'Loading',
  /** Fixed wording: docs/product.md. */
  loadingPage: 'Loading...',
  loadingMore: 'Loading more',
  showMore: 'Show more',
  working: 'Working…',
} as const

/** A price that is lower than usual. */
export const priceTexts = { full: 'Full price' } as const

/** The button that hands on the address of a page. */
export const shareTexts = { share: 'Share' } as const

/** Links on a profile. */
export const linksTexts = { label: 'Links' } as const

/** The colors of the pages. */
export const schemeTexts = { label: 'Appearance', auto: 'System', dark: 'Dark', light: 'Light' } as const

/** The place for short messages, and the key that leads to the newest of them. */
export const toastTexts = { label: 'Notices (F8)' } as const

/** Dialogs that ask for one decision. */
export const dialogTexts = {
  cancel: 'Cancel',
  close: 'Close',
} as const

/** Before a page is left with something on it that isn’t saved. */
export const leavingTexts = {
  title: 'Leave this page?',
  leave: 'Leave',
  stay: 'Stay here',
} as const
