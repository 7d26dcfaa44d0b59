import { formatMoney } from '../../../../contract/money.ts'
import { cardName, expiryOf, lastDayOf } from '../cards/rules.ts'
import { MIN_PAYOUT_CENTS } from '../payouts/rules.ts'

const NOTHING = { since: null, due: null, amount: null, name: null }

type Card = { id: string; brand: string; last_four: string; expires: string | null }

/** Cards that have expired or soon will, while something renews by them: for each of the two how much does, and by when. */
export function expiringCards(cards: Card[], renewed: { stored_card_id: string | null }[], now: Date) {
  const renews = ({ id }: Card) => renewed.filter((subscription) => subscription.stored_card_id === id).length
  const ofExpiry = (kind: 'card_expired' | 'card_expiring', expiry: 'expired' | 'soon') => {
    const paying = cards
      .flatMap((card) => (card.expires === null ? [] : [{ ...card, expires: card.expires }]))
      .filter((card) => expiryOf(card.expires, now) === expiry && renews(card) > 0)
      .toSorted((one, other) => (one.expires < other.expires ? -1 : 1))
    const [first] = paying
    if (!first) return []
    const count = paying.reduce((sum, card) => sum + renews(card), 0)
    const name = paying.length === 1 ? cardName(first.brand, first.last_four) : null
    return [{ ...NOTHING, kind, count, name, due: lastDayOf(first.expires) }]
  }
  return [...ofExpiry('card_expired', 'expired'), ...ofExpiry('card_expiring', 'soon')]
}

/** Subscriptions that are paid for now, and that no card is there to renew: it was removed, or a bank took a payment back. */
export function withoutCard(subscriptions: { status: string; renews: boolean; card: string | null }[]) {
  const count = subscriptions.filter(
    ({ status, renews, card }) => status === 'active' && renews && card === null,
  ).length
  return count === 0 ? [] : [{ ...NOTHING, kind: 'no_card' as const, count }]
}

/** Subscriptions that lack a payment which a card would make at once: none is still undecided, and the price is agreed to. */
export function pastDue(subscriptions: { owed: unknown }[]) {
  const count = subscriptions.filter(({ owed }) => owed !== null).length
  return count === 0 ? [] : [{ ...NOTHING, kind: 'past_due' as const, count }]
}

/** Higher prices that a fan has yet to answer, and when the first would be charged. */
export function unansweredPrices(changes: ({ on: string; answer: string | null } | null)[]) {
  const days = changes.flatMap((change) => (change && change.answer === null ? [change.on] : [])).toSorted()
  const [first] = days
  return first === undefined
    ? []
    : [{ ...NOTHING, kind: 'price_change' as const, count: days.length, due: first }]
}

/** The amount that somebody could be paid, in cents available, while no payout is under way. */
export function possiblePayout({ available, onTheWay }: { available: number; onTheWay: number }) {
  if (available < MIN_PAYOUT_CENTS || onTheWay > 0) return []
  return [{ ...NOTHING, kind: 'payout_possible' as const, count: 1, amount: formatMoney(available) }]
}
