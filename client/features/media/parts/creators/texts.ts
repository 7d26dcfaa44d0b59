/** Creators in a row. */
export const creatorsTexts = {
  label: 'Creators',
  /** What the cheapest of their subscriptions costs. */
  from: (price: string) => `From ${price}/mo`,
} as const
