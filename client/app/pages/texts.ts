/** All that one creator sells, on one page. */
export const buyTexts = {
  title: (name: string) => `Buy from ${name}`,
  lead: 'Subscriptions, bundles, and singles in one list.',
  profileOf: (username: string) => `${username}’s profile`,
  subscriptions: 'Subscriptions',
  bundles: 'Bundles',
  singles: 'Singles',
} as const
