/** One photo or video in a grid. */
export const tileTexts = {
  photo: 'Photo',
  video: 'Video',
  locked: (name: string) => `${name}, locked`,
  error: 'This media has an error',
} as const
