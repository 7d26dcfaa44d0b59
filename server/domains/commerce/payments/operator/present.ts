import type { z } from 'zod'
import { formatMoney } from '../../../../../contract/money.ts'
import type {
  OperatorPayment,
  paymentRoutes,
  UndecidedPayment,
} from '../../../../../contract/routes/commerce/payments.ts'
import { cardName } from '../../cards/rules.ts'
import { disputableCents } from '../../disputes/rules.ts'
import { type OrderBalance, refundableCents, returnedPart } from '../../ledger/rules.ts'
import { presentPerson } from '../../present.ts'
import type { listWithheld } from '../../referrals/data.ts'
import { documentOf } from '../../refunds/rules.ts'
import type {
  listAttempts,
  listGivenBack,
  listReferrers,
  OperatorPaymentRow,
  RefusedRefundRow,
  TransferRow,
  UndecidedRow,
  WaitingRefundRow,
} from './data.ts'

/** An order with its payment, as operators see it. */
export function presentOperatorPayment(row: OperatorPaymentRow): z.output<typeof OperatorPayment> {
  return {
    _id: row.id,
    kind: row.kind,
    title: row.title,
    amount: formatMoney(row.amount_cents),
    refunded: row.refundedCents ? formatMoney(row.refundedCents) : null,
    lost: row.lostCents ? formatMoney(row.lostCents) : null,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    buyer: presentPerson(row.buyer_id, row.buyerUsername, row.buyerLeavingSince),
    creator: presentPerson(row.creator_id, row.creatorUsername, row.creatorLeavingSince),
  }
}

/** A payment that somebody has to decide, or give back, at the gateway. */
export function presentUndecided(
  row: UndecidedRow | RefusedRefundRow | WaitingRefundRow,
): z.output<typeof UndecidedPayment> {
  return {
    transactionId: row.order_id,
    status: undecidedStatus(row),
    reference: row.reference,
    gatewayTransactionId: row.gateway_transaction_id,
    amount: formatMoney(row.amount_cents),
    since: row.since.toISOString(),
  }
}

function undecidedStatus(row: UndecidedRow | RefusedRefundRow | WaitingRefundRow) {
  if ('isWaiting' in row) return 'refund_waiting'
  if ('isOutside' in row) {
    if (!row.isOutside) return 'refund_refused'
    return row.status === 'voided' || row.status === 'refunded' ? 'refund_outside_over' : 'refund_outside'
  }
  return row.status === 'held' ? 'held' : 'unknown'
}

/** The refunds sent another way that aren't in the books. */
export function presentTransfer(row: TransferRow): z.output<typeof UndecidedPayment> {
  return {
    ...{ transactionId: row.order_id, status: 'transfer_missing', reference: row.document },
    ...{ gatewayTransactionId: null, amount: formatMoney(row.amount_cents), since: row.since.toISOString() },
  }
}

type GivenBack = Awaited<ReturnType<typeof listGivenBack>>
type Detail = GivenBack & {
  balance: OrderBalance
  referrers: Awaited<ReturnType<typeof listReferrers>>
  withheld: Awaited<ReturnType<typeof listWithheld>>
  /** The refunds that the gateway refused and that can be sent another way. */
  outside: GivenBack['refunds'][number] | null
  attempts: Awaited<ReturnType<typeof listAttempts>>
}

function presentSending(refund: Detail['refunds'][number]) {
  const { outside_since: since, senderId, senderName, senderLeavingSince } = refund
  if (!since || !senderId || !senderName) return null
  return { since: since.toISOString(), by: presentPerson(senderId, senderName, senderLeavingSince) }
}

/** The same with all that happened to it. */
export function presentPaymentDetail(
  row: OperatorPaymentRow,
  { balance, referrers, withheld, attempts, refunds, disputes, outside }: Detail,
): z.output<typeof paymentRoutes.payment.output> {
  const charged = { status: row.status, amountCents: row.amount_cents }
  const earlier = disputes.map(({ status, amount_cents: amountCents }) => ({ status, amountCents }))
  // A charge that never paid an order can't be disputed as one.
  const disputable = balance.grossCents > 0 ? disputableCents(charged, earlier) : 0
  const creator = balance.parties.find(({ role }) => role === 'creator')
  const share = creator ? creator.earnedCents - creator.returnedCents : 0
  return {
    ...presentOperatorPayment(row),
    platformFee: formatMoney(balance.grossCents - balance.returnedCents - share),
    creatorShare: formatMoney(share),
    commissions: referrers.flatMap(({ id, username, leavingSince }) => {
      const part = balance.parties.find(({ role, userId }) => role === 'referrer' && userId === id)
      const cents = part ? part.earnedCents - part.returnedCents : 0
      if (cents <= 0) return []
      return [{ referrer: presentPerson(id, username, leavingSince), amount: formatMoney(cents) }]
    }),
    withheld: withheld.map(({ id, username, leavingSince, cents, reason, at }) => ({
      ...{ referrer: presentPerson(id, username, leavingSince), reason },
      // The refunds took their part of it as of every share.
      amount: formatMoney(cents - returnedPart(cents, balance)),
      at: at.toISOString(),
    })),
    refundable: formatMoney(row.status === 'captured' ? refundableCents(balance) : 0),
    disputable: formatMoney(disputable),
    attempts: attempts.map(
      ({ id, status, reference, gateway_transaction_id, events, avs, cvv, ...card }) => ({
        _id: id,
        status,
        reference,
        gatewayTransactionId: gateway_transaction_id,
        card: cardName(card.card_brand, card.card_last_four),
        ...{ isRenewal: card.off_session, avs, cvv },
        events: events.map(({ to_status, source, reason, at }) => ({
          ...{ status: to_status, source, reason, at: at.toISOString() },
        })),
      }),
    ),
    refunds: refunds.map(({ id, cents, status, reason, created_at, number, askerId, askerName, ...one }) => ({
      ...{ _id: id, amount: formatMoney(cents), status, reason },
      createdAt: created_at.toISOString(),
      by: askerId && askerName ? presentPerson(askerId, askerName, one.askerLeavingSince) : null,
      document: documentOf(number),
    })),
    outside: outside && {
      refundId: outside.id,
      attemptId: outside.paymentId,
      amount: formatMoney(outside.cents),
      sending: presentSending(outside),
    },
    disputes: disputes.map(({ id, amount_cents, status, opened_at }) => ({
      ...{ _id: id, amount: formatMoney(amount_cents), status, openedAt: opened_at.toISOString() },
    })),
  }
}
