import type { z } from 'zod'
import type { Waiting } from '../../../../contract/routes/site.ts'
import type { Db } from '../../../db/client.ts'
import { listCards, listRenewedByCard } from '../cards/data.ts'
import { findBalance } from '../payouts/data.ts'
import { listOwnSubscriptions } from '../renewals/data.ts'
import { presentPriceChange } from '../renewals/present.ts'
import { expiringCards, pastDue, possiblePayout, unansweredPrices } from './rules.ts'

/** More than anybody has; who has more is told of the newest. */
const MAX_SUBSCRIPTIONS = 200

/**
 * What of their money waits for a person: cards that expire while something renews by them, subscriptions that are past due,
 * higher prices to answer, and what they could be paid.
 */
export async function findMoneyWaiting(
  db: Db,
  userId: string,
  now: Date,
): Promise<z.output<typeof Waiting>[]> {
  const [subscriptions, cards, renewed, balance] = await Promise.all([
    listOwnSubscriptions(db, userId, { showing: 'current', limit: MAX_SUBSCRIPTIONS }),
    listCards(db, userId),
    listRenewedByCard(db, userId),
    findBalance(db, userId, now),
  ])
  return [
    ...pastDue(subscriptions),
    ...expiringCards(cards, renewed, now),
    ...unansweredPrices(subscriptions.map((row) => presentPriceChange(row, now))),
    ...possiblePayout(balance),
  ]
}
