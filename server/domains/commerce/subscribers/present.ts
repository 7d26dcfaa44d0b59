import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Subscriber } from '../../../../contract/routes/commerce/subscribers.ts'
import { presentParty } from '../present.ts'
import { statusAt } from '../subscriptions/rules.ts'
import type { SubscriberRow } from './data.ts'
import { daysRefusal, extensionRefusal } from './rules.ts'

/** A subscription as its creator sees it. */
export function presentSubscriber(row: SubscriberRow, now: Date): z.output<typeof Subscriber> {
  const status = statusAt(row, now)
  const isGone = row.fanHiddenAt !== null
  const live = status === 'expired' ? null : status
  return {
    _id: row.id,
    planId: row.plan_id,
    title: row.title,
    subscriber: presentParty(row.fan_id, row.fanUsername, {
      hiddenAt: row.fanHiddenAt,
      leavingSince: row.fanLeavingSince,
    }),
    price: formatMoney(row.price_cents),
    months: row.months,
    status,
    expiration: row.expiration.toISOString(),
    endedAt: status === 'expired' ? (row.ended_at ?? row.expiration).toISOString() : null,
    startedAt: row.created_at.toISOString(),
    canMessage: !isGone && !row.blocked,
    canAddDays: !isGone && daysRefusal(live) === null,
    canExtend: !isGone && extensionRefusal(live, { underWay: false }) === null,
  }
}
