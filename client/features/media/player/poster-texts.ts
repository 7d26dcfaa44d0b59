/** A video before it is played, apart from what comes with the player. */
export const posterTexts = {
  play: (title: string) => `Play ${title || 'the video'}`,
} as const
