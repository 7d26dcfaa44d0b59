/** Creators in a row. */
export const creatorsTexts = {
  label: 'Creators',
  /** The price of their cheapest subscription. */
  from: (price: string) => `From ${price}/mo`,
} as const
