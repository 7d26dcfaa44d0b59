import { formatCount } from '../../../ui/format.ts'

/** Stored cards, on the billing page and where one is added. */
export const storedCardTexts = {
  title: 'Cards',
  failed: 'We couldn’t load your cards',
  none: 'No saved cards',
  noneWhy: 'Save a card to pay in one tap. Subscriptions renew with it.',
  name: (brand: string, lastFour: string) => `${brand} ${lastFour}`,
  expires: (date: string) => `Expires ${date}`,
  expired: (date: string) => `Expired ${date}`,
  soon: 'Expires soon',
  over: 'Expired',
  /** How many of whose names then follow, or the one. */
  renews: (what: string) => `Renews ${what}`,
  subscriptions: (count: number) => formatCount(count, 'subscription'),
  add: 'Add card',
  replace: 'Replace',
  replaceNamed: (name: string) => `Replace ${name}`,
  forRenewals: 'Use for renewals',
  forRenewalsNamed: (name: string) => `Use for renewals: ${name}`,
  forRenewalsAsked: (name: string) => `Use ${name} for renewals?`,
  charge: (name: string) => `Charge ${name}`,
  chosen: (name: string) => `Your subscriptions renew with ${name} now`,
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} removed`,
  asked: {
    title: (name: string) => `Remove ${name}?`,
    effect: 'You can’t pay with it anymore. You can add it again anytime.',
    renews: (titles: string) =>
      `${titles} won’t renew until you choose another card. You keep access until the paid period ends.`,
    confirm: 'Remove card',
    keep: 'Keep it',
  },
  update: 'Update card',
  updateNamed: (title: string) => `Update card for ${title}`,
  justPaid: (title: string) => `“${title}” was just paid. This card wasn’t saved or charged.`,
  nothingDue: (title: string) =>
    `There’s nothing to pay for “${title}” right now. This card wasn’t saved or charged.`,
  validated: 'Your bank checks the card. You won’t be charged.',
  chargedNow: (price: string, title: string) => `We’ll charge ${price} for “${title}” right away.`,
  nothingNow: 'Nothing is charged right away.',
  chargedTogether: (price: string, count: number) =>
    `That’s ${price} for ${formatCount(count, 'subscription')}.`,
  save: 'Save card',
  saveAndPay: (price: string) => `Save and pay ${price}`,
  retry: 'Check again',
  saved: 'Card saved',
  renewed: (done: string, count: number) => `${done}. ${formatCount(count, 'subscription')} renewed.`,
  stillPastDue: (done: string, count: number) =>
    `${done}, but we couldn’t charge it for ${formatCount(count, 'subscription')}. Try another card.`,
} as const
