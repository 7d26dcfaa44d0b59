/** Money for a creator, of an amount that the fan chooses. */
export const tipTexts = {
  of: (price: string) => `Tip of ${price}`,
  send: 'Send a tip',
  sendTo: (name: string) => `Send ${name} a tip`,
  amount: 'Amount',
  other: 'Other',
  otherAmount: 'Other amount',
  next: (price: string) => `Tip ${price}`,
  limits: (least: string, most: string) => `Choose ${least} to ${most}.`,
} as const
