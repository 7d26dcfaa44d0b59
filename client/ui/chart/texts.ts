/** A chart over time. */
export const chartTexts = {
  asTable: 'View as table',
} as const
