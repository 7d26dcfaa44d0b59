/** Before a dialog is closed with something in it that isn’t saved. A file of its own, as few visits need it. */
export const discardTexts = {
  title: 'Close without saving?',
  discard: 'Discard',
  keepEditing: 'Keep editing',
} as const
