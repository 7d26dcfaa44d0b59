/** Items on a wall. */
export const wallTexts = {
  view: (title: string) => `View Media: ${title || 'Gif'}`,
} as const
