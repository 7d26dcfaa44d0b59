/** In place of a profile that isn’t there. */
export const unknownTexts = {
  title: 'No one here',
  unknown: 'We couldn’t find this person',
  hint: 'The name may be misspelled, or the account may be gone.',
  browse: 'Browse All Content',
} as const
