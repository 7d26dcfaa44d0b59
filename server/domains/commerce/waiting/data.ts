import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Waiting } from '../../../../contract/routes/site.ts'
import type { Db } from '../../../db/client.ts'
import { listCards, listRenewedByCard } from '../cards/data.ts'
import { cardName, expiryOf, lastDayOf } from '../cards/rules.ts'
import { findBalance } from '../payouts/data.ts'
import { MIN_PAYOUT_CENTS } from '../payouts/rules.ts'
import { listOwnSubscriptions } from '../renewals/data.ts'
import { presentPriceChange } from '../renewals/present.ts'

/** More than anybody has; who has more is told of these. */
const MAX_SUBSCRIPTIONS = 200

/**
 * What of their money waits for a person: cards that expire while something renews by them, subscriptions that are past due,
 * higher prices to answer, and what they could be paid while nothing is on its way to them.
 */
export async function findMoneyWaiting(
  db: Db,
  userId: string,
  now: Date,
): Promise<z.output<typeof Waiting>[]> {
  const page = { showing: 'current' as const, limit: MAX_SUBSCRIPTIONS }
  const [subscriptions, cards, renewed, balance] = await Promise.all([
    listOwnSubscriptions(db, userId, page),
    listCards(db, userId),
    listRenewedByCard(db, userId),
    findBalance(db, userId, now),
  ])
  const none = { since: null, due: null, amount: null, name: null }
  const waiting: z.output<typeof Waiting>[] = []

  const pastDue = subscriptions.filter(({ status }) => status === 'past_due').length
  if (pastDue > 0) waiting.push({ ...none, kind: 'past_due', count: pastDue })

  for (const kind of ['card_expired', 'card_expiring'] as const) {
    const expiry = kind === 'card_expired' ? 'expired' : 'soon'
    const these = cards.filter(({ expires }) => expiryOf(expires, now) === expiry)
    const count = renewed.filter(({ stored_card_id: id }) => these.some((card) => card.id === id)).length
    const paying = these.filter(({ id }) => renewed.some((renews) => renews.stored_card_id === id))
    const [card] = paying
    if (!card) continue
    const name = paying.length === 1 ? cardName(card.brand, card.last_four) : null
    const first = paying.map(({ expires }) => expires ?? '').toSorted()[0] ?? ''
    waiting.push({ ...none, kind, count, name, due: lastDayOf(first) })
  }

  const asked = subscriptions
    .map((row) => presentPriceChange(row, now))
    .filter((change) => change !== null && change.answer === null)
    .map((change) => change?.on ?? null)
  if (asked.length > 0)
    waiting.push({ ...none, kind: 'price_change', count: asked.length, due: asked.toSorted()[0] ?? null })

  if (balance.available >= MIN_PAYOUT_CENTS && balance.onTheWay === 0)
    waiting.push({ ...none, kind: 'payout_possible', count: 1, amount: formatMoney(balance.available) })
  return waiting
}
