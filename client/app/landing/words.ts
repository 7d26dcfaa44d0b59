/** The headline of the front door, as the document and the application show it. */
export const landingWords = {
  headline: ['Your work.', 'Your fans.', 'Paid directly.'],
  lead: 'Sell subscriptions, bundles and single pieces, and bring people to them from the communities that fit. The dull part is done for you.',
} as const
