import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type {
  CustomRequest,
  CustomRequestTerms,
} from '../../../../contract/routes/messaging/custom-requests.ts'
import type { RequestRow, TermsRow } from './data.ts'
import { deliverBy, type RequestFacts, stateOf } from './rules.ts'

/** A request with the facts of its order. */
export function factsOf(row: TermsRow): RequestFacts {
  const { status, delivered, overdue, leaving, counts_from, payment_status } = row
  const refunded = row.refunded === true
  const refunding = row.refunding === true
  const paid = counts_from === null ? null : { refunded, disputed: payment_status === 'disputed', refunding }
  return { status, delivered, overdue, leaving, paid }
}

/** A request's terms. */
export function presentTerms(row: TermsRow): z.input<typeof CustomRequestTerms> {
  const { price_cents: cents, delivery_days: days, counts_from: countsFrom } = row
  return {
    _id: row.id,
    userId: row.fan_id,
    creatorId: row.creator_id,
    maxMinutes: row.max_minutes,
    pricePerMinute: formatMoney(row.minute_price_cents),
    state: stateOf(factsOf(row)),
    price: cents === null ? null : formatMoney(cents),
    deliveryDays: days,
    deliverBy:
      countsFrom === null || days === null || row.refunding
        ? null
        : deliverBy(new Date(countsFrom), days).toISOString(),
    late: row.overdue && !row.leaving,
    reason: row.reason,
  }
}

/** A request as one of its two people sees it. */
export function presentRequest(row: RequestRow): z.input<typeof CustomRequest> {
  return {
    ...presentTerms(row),
    requestedBy: row.fan_id,
    requestMessage: row.message,
    username: row.username,
    creatorUsername: row.creator_username,
    createdAt: row.created_at.toISOString(),
    messageId: row.message_id,
    payable: row.payable ?? false,
  }
}
