import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Subscription } from '../../../../contract/routes/commerce/subscriptions.ts'
import { isSubscribed, monthOfTermCents } from '../../../../contract/subscriptions.ts'
import { type Covers, presentShowing } from '../present.ts'
import type { PlanRow } from './data.ts'
import { priceFor } from './rules.ts'

/** A plan as the viewing fan sees it; `owed` has the cents that they owe by plan. */
export function presentPlan(
  row: PlanRow,
  { covers, owed }: { covers: Covers; owed: ReadonlyMap<string, number> },
  now: Date,
): z.output<typeof Subscription> {
  const owedCents = owed.get(row.id)
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
    message: messageOf(row, owes, now),
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

function messageOf(row: PlanRow, owed: string | null, now: Date): string | null {
  if (row.status === null) return null
  const subscribed = isSubscribed(row, now)
  if (row.status !== 'past_due') return subscribed ? 'Already Subscribed!' : 'Your subscription has ended.'
  const failed = 'Your last payment hasn’t gone through.'
  if (owed === null) return failed
  return `${failed} Update your card to pay the ${owed} you owe and ${subscribed ? 'keep' : 'get back'} your access.`
}
