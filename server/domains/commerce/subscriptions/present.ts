import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Subscription } from '../../../../contract/routes/commerce/subscriptions.ts'
import { isSubscribed, monthOfTermCents } from '../../../../contract/subscriptions.ts'
import type { findOwed } from '../cards/data.ts'
import { type Covers, presentShowing } from '../present.ts'
import type { PlanRow } from './data.ts'
import { priceFor } from './rules.ts'

/**
 * A plan as the viewing fan sees it; `owed` has the cents that they owe by plan, `undecided` those that they pay for already.
 */
export function presentPlan(
  row: PlanRow,
  { covers, owed, undecided }: { covers: Covers } & Awaited<ReturnType<typeof findOwed>>,
  now: Date,
): z.output<typeof Subscription> {
  const owedCents = owed.get(row.id)
  const isUndecided = undecided.has(row.id)
  const owes = owedCents === undefined ? null : formatMoney(owedCents)
  return {
    _id: row.id,
    userId: row.creator_id,
    creatorId: row.creator_id,
    title: row.title,
    ...presentShowing(row, covers),
    price: formatMoney(row.price_cents),
    terms: presentTerms(row),
    chatEnabled: row.chat_enabled,
    includes: row.includes_all ? 'allLocked' : 'chosen',
    mediaIds: row.mediaIds,
    excludedMediaIds: row.excludedMediaIds,
    photoCount: row.photoCount,
    videoCount: row.videoCount,
    videoSeconds: row.videoSeconds,
    status: row.status,
    expiration: row.expiration?.toISOString() ?? null,
    owed: owes,
    undecided: isUndecided,
    message: messageOf(row, { owed: owes, undecided: isUndecided }, now),
  }
}

function presentTerms(row: PlanRow): z.output<typeof Subscription>['terms'] {
  return row.terms.flatMap(({ months, discountPercent }) => {
    const cents = priceFor(row, months)
    if (months === 1 || cents === null) return []
    const perMonth = formatMoney(monthOfTermCents(cents, months))
    return { months, discountPercent, price: formatMoney(cents), perMonth }
  })
}

function messageOf(
  row: PlanRow,
  { owed, undecided }: { owed: string | null; undecided: boolean },
  now: Date,
): string | null {
  if (row.status === null) return null
  const subscribed = isSubscribed(row, now)
  if (row.status !== 'past_due') return subscribed ? 'Already Subscribed!' : 'Your subscription has ended.'
  // What can't be paid anymore, as its fan didn't agree to the price, is offered as to anybody.
  if (owed === null) return undecided ? 'Your payment is being processed.' : null
  return `Your last payment hasn’t gone through. Update your card to pay the ${owed} you owe and ${subscribed ? 'keep' : 'get back'} your access.`
}
