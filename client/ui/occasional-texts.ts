// Texts of dialogs that few visits need: apart from `texts.ts`, which every page’s first load has.

/** Before a dialog is closed with something in it that isn’t saved. */
export const discardTexts = {
  title: 'Close without saving?',
  discard: 'Discard',
  keepEditing: 'Keep editing',
} as const

/** Why an operator does something. */
export const reasonTexts = { label: 'Reason', hint: 'Kept in the audit log.' } as const
