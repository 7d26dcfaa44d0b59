/** Dialogs that ask for one decision. */
export const dialogTexts = {
  cancel: 'Cancel',
  close: 'Close',
  reason: 'Reason',
  reasonHint: 'Kept in the audit log.',
} as const

/** Before a page is left with something on it that isn’t saved. */
export const leavingTexts = {
  title: 'Leave this page?',
  leave: 'Leave',
  stay: 'Stay here',
} as const
