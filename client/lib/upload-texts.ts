/** Messages for uploads that stall; separate from `callTexts` because the first load uploads nothing. */
export const uploadTexts = {
  stalled: 'The upload has stopped moving. Check your connection and try again.',
} as const
