/** A page that broke, and a newer version. */
export const brokenTexts = {
  title: 'We couldn’t open this page',
  what: 'Something went wrong',
  hint: 'Your connection may have dropped, or a new version may be available.',
  reload: 'Reload the page',
  newVersion: 'A new version is available.',
  reloadShort: 'Reload',
} as const
