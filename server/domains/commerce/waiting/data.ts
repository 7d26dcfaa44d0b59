import type { z } from 'zod'
import type { Waiting } from '../../../../contract/routes/site.ts'
import type { Db } from '../../../db/client.ts'
import { listCards, listRenewedByCard } from '../cards/data.ts'
import { findBalance } from '../payouts/data.ts'
import { listOwnSubscriptions } from '../renewals/data.ts'
import { presentOwnSubscription } from '../renewals/present.ts'
import { expiringCards, pastDue, possiblePayout, unansweredPrices, withoutCard } from './rules.ts'

/** More than anybody has; who has more is told of what is past due, and of the newest. */
const MAX_SUBSCRIPTIONS = 200

/**
 * A person's open money matters: cards that expire while something renews by them, subscriptions that are past due or
 * have no card to renew with, higher prices to answer, and the amount that they could be paid.
 */
export async function findMoneyWaiting(
  db: Db,
  userId: string,
  now: Date,
): Promise<z.output<typeof Waiting>[]> {
  const [rows, cards, renewed, balance] = await Promise.all([
    listOwnSubscriptions(db, userId, { showing: 'current', limit: MAX_SUBSCRIPTIONS }),
    listCards(db, userId),
    listRenewedByCard(db, userId),
    findBalance(db, userId, now),
  ])
  const subscriptions = rows.map((row) => presentOwnSubscription(row, now))
  return [
    ...pastDue(subscriptions),
    ...withoutCard(subscriptions),
    ...expiringCards(cards, renewed, now),
    ...unansweredPrices(subscriptions.map(({ priceChange }) => priceChange)),
    ...possiblePayout(balance),
  ]
}
