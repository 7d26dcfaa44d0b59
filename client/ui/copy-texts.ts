/** A text with a button that copies it. */
export const copyTexts = {
  copy: 'Copy',
  copied: 'Copied',
  failed: 'We couldn’t copy this. Select the text instead.',
} as const
