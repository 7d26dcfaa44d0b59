import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { OwnSubscription, Receipt } from '../../../../contract/routes/commerce/renewals.ts'
import { cardName } from '../cards/rules.ts'
import { presentPerson, presentReduction } from '../present.ts'
import { statusAt } from '../subscriptions/rules.ts'
import type { OwnSubscriptionRow, ReceiptRow } from './data.ts'
import { isRenewable, resumeRefusal } from './rules.ts'

/** A subscription as its fan sees it. */
export function presentOwnSubscription(row: OwnSubscriptionRow, now: Date): z.output<typeof OwnSubscription> {
  const status = statusAt(row, now)
  const isLive = status !== 'expired' && status !== 'canceled' && status !== 'trialing'
  const canResume = status === 'canceled' && resumeRefusal(row, now) === null
  return {
    _id: row.id,
    planId: row.plan_id,
    title: row.title,
    creator: presentPerson(row.creator_id, row.creatorUsername, row.creatorHiddenAt),
    price: formatMoney(row.price_cents),
    retired: row.planRetiredAt !== null,
    status,
    expiration: row.expiration.toISOString(),
    renews: isLive && isRenewable(row),
    canResume,
    card: isLive || canResume ? cardName(row.card_brand, row.card_last_four) : null,
    startedAt: row.created_at.toISOString(),
  }
}

/** What somebody paid, and by which card. */
export function presentReceipt(row: ReceiptRow): z.output<typeof Receipt> {
  return {
    _id: row.id,
    title: row.title,
    creator: presentPerson(row.creator_id, row.creatorUsername, row.creatorHiddenAt),
    amount: formatMoney(row.amount_cents),
    reduced: presentReduction(row),
    status: row.status,
    card: cardName(row.card_brand, row.card_last_four),
    paidAt: (row.paid_at ?? row.created_at).toISOString(),
  }
}
