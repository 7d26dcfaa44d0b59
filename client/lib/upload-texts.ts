/** What is said of bytes that don't arrive; apart from `callTexts`, as the first load sends none. */
export const uploadTexts = {
  stalled: 'The upload has stopped moving. Check your connection and try again.',
} as const
