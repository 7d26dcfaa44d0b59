import type { z } from 'zod'
import { profileImageAddress } from '../../../../contract/files.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type {
  OwnSubscription,
  PendingPayment,
  Receipt,
} from '../../../../contract/routes/commerce/renewals.ts'
import { cardName } from '../cards/rules.ts'
import { statusMessage } from '../payments/rules.ts'
import { absenceOfCreator, presentParty, presentReduction, presentSeller } from '../present.ts'
import { consequence, noticeEnds, payingOf } from '../price-changes/rules.ts'
import { firstRenewal, statusAt } from '../subscriptions/rules.ts'
import type { OwnSubscriptionRow, PendingRow, ReceiptRow } from './data.ts'
import { isRenewable, owedNow, resumeRefusal, termsOf } from './rules.ts'

/** A subscription as its fan sees it. */
export function presentOwnSubscription(row: OwnSubscriptionRow, now: Date): z.output<typeof OwnSubscription> {
  const status = statusAt(row, now)
  const isLive = status !== 'expired' && status !== 'canceled' && status !== 'trialing'
  const canResume = status === 'canceled' && resumeRefusal(row, now) === null
  const owed = owedNow(row, now)
  const isThere = row.creatorHiddenAt === null && !row.blocked
  return {
    _id: row.id,
    planId: row.plan_id,
    title: row.title,
    creator: {
      ...presentParty(row.creator_id, row.creatorUsername, absenceOfCreator(row)),
      profileImage: isThere ? profileImageAddress(row.creator_id, row.profile_image) : null,
    },
    price: formatMoney(row.price_cents),
    months: row.months,
    owed: owed && { price: formatMoney(owed.cents), months: owed.months },
    next: isLive || canResume ? presentNext(row) : null,
    terms: termsOf(row, now).map(({ months, cents }) => ({ months, price: formatMoney(cents) })),
    retired: row.planRetiredAt !== null,
    priceChange: presentPriceChange(row, now),
    status,
    expiration: row.expiration.toISOString(),
    renews: isLive && isRenewable(row) && !row.lacksConsent,
    canResume,
    card: isLive || canResume ? cardName(row.card_brand, row.card_last_four) : null,
    startedAt: row.created_at.toISOString(),
    endedAt: status === 'expired' ? (row.ended_at ?? row.expiration).toISOString() : null,
  }
}

/** What is charged next where it differs: as agreed, and for who has canceled at the plan's price of now, if that is lower. */
function presentNext(row: OwnSubscriptionRow) {
  const { months, cents } = payingOf(row)
  const prices = { price_cents: row.planCents, terms: row.terms }
  const lower = row.status === 'canceled' ? consequence(prices, { months, cents }, { ask: false }) : null
  if (row.nextCents === null && !lower) return null
  return { months, price: formatMoney(lower?.cents ?? cents) }
}

/** The higher price that is asked of the fan of a subscription; null where none is, or nothing is charged any more. */
export function presentPriceChange(
  row: OwnSubscriptionRow,
  now: Date,
): z.output<typeof OwnSubscription>['priceChange'] {
  const { askedCents: cents, askedMonths: months, askedFrom } = row
  const isCharged = (row.status === 'active' || row.status === 'past_due') && isRenewable(row)
  if (!isCharged || cents === null || months === null || askedFrom === null) return null
  const from = noticeEnds({ ...row, effective_from: askedFrom }, now)
  const schedule = { anchorAt: row.anchor_at, currentPeriodEnd: row.expiration }
  return {
    price: formatMoney(cents),
    months,
    on: firstRenewal(schedule, row.nextMonths ?? row.months, from).toISOString(),
    answer: row.agreed_at ? 'agreed' : row.declined_at ? 'declined' : null,
  }
}

/** A payment, its card, and the cents of it that were refunded. */
export function presentReceipt(
  row: ReceiptRow,
  returnedCents: number,
  brand: string,
): z.output<typeof Receipt> {
  return {
    _id: row.id,
    title: row.title,
    creator: presentSeller(row, brand),
    amount: formatMoney(row.amount_cents),
    returned: returnedCents > 0 ? formatMoney(returnedCents) : null,
    byBank: row.byBank,
    months: row.kind === 'subscription' && row.trial_days === null ? row.months : null,
    reduced: presentReduction(row),
    status: row.status,
    card: cardName(row.card_brand, row.card_last_four),
    paidAt: row.dated_at.toISOString(),
  }
}

const NOT_OWED = 'You don’t owe this anymore. If the payment goes through, we’ll give the money back.'

/** A payment that is still being decided, with what happens next. */
export function presentPending(row: PendingRow, brand: string): z.output<typeof PendingPayment> {
  return {
    _id: row.id,
    title: row.title,
    creator: presentSeller(row, brand),
    amount: formatMoney(row.amount_cents),
    status: row.status,
    message: row.orderStatus === 'open' ? statusMessage(row) : NOT_OWED,
    startedAt: row.created_at.toISOString(),
  }
}
