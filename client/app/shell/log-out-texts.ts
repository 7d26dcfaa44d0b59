/** The question before a log-out that would lose something. */
export const logOutTexts = {
  title: 'Log out now?',
  confirm: 'Log out',
  cancel: 'Stay logged in',
  lost: 'Uploads will stop and unsaved changes will be lost. You can resume interrupted uploads after you log in again.',
} as const
