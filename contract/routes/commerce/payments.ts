import { z } from 'zod'
import { DISPUTE_STATUSES, KINDS, PAYMENT_STATUSES, REFUND_STATUSES } from '../../orders.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** One order with its payment, as operators see it. */
export const OperatorPayment = z.object({
  /** The transaction that refunds and disputes name. */
  _id: Id,
  kind: z.enum(KINDS),
  title: z.string(),
  amount: z.string(),
  /** The refunded amount; null if none. */
  refunded: z.string().nullable(),
  /** The amount that lost disputes took; null if none. */
  lost: z.string().nullable(),
  status: z.enum(PAYMENT_STATUSES),
  createdAt: Moment,
  buyer: Person,
  creator: Person,
})

/** A payment that somebody has to decide, or give back, at the gateway. */
export const UndecidedPayment = z.object({
  transactionId: Id,
  /**
   * `held`: the gateway waits for the merchant's review; `unknown`: a day after it was sent nobody knows how it ends;
   * `refund_refused`: it is to be given back by itself, and the gateway refuses that; `refund_outside`: an operator sends what
   * the gateway refused another way; `refund_outside_over`: the same of a charge that was given back meanwhile;
   * `refund_waiting`: for a day the gateway hasn't said what was given back there, so that it isn't asked for a refund;
   * `transfer_missing`: it was given back so, and the books say another sum, or nothing.
   */
  status: z.enum([
    'held',
    'unknown',
    'refund_refused',
    'refund_outside',
    'refund_outside_over',
    'refund_waiting',
    'transfer_missing',
  ]),
  /** Our own reference, the gateway's invoice number; of a transfer, the document's. */
  reference: z.string(),
  gatewayTransactionId: z.string().nullable(),
  /** The amount that was sent, or is to be given back. */
  amount: z.string(),
  /** When it was sent, first refused to be given back, or given back. */
  since: Moment,
})

export const paymentRoutes = {
  payments: route({
    method: 'GET',
    path: '/admin/payments',
    summary:
      'Every order with its payment, newest first; or those of one person, of the number of an order or a charge, or whose payment stands so.',
    access: { permission: 'refunds.issue' },
    query: Page.extend({
      /** A whole username or email, or the number of a transaction, of a payment, or the gateway's of a charge. */
      search: line(254).optional(),
      status: z.enum(PAYMENT_STATUSES).optional(),
    }),
    output: listOf(OperatorPayment),
  }),
  undecidedPayments: route({
    method: 'GET',
    path: '/admin/undecidedpayments',
    summary:
      'Payments that somebody has to decide at the gateway: held for review, without an end for a day, or to be given back and refused; and what was given back another way, but doesn’t match the books. The oldest 500 of each.',
    access: { permission: 'refunds.issue' },
    output: z.object({ items: z.array(UndecidedPayment) }),
  }),
  payment: route({
    method: 'GET',
    path: '/admin/payments/:transactionId',
    summary: 'One order: each attempt to pay it with what happened, and what was given back.',
    access: { permission: 'refunds.issue' },
    params: z.object({ transactionId: Id }),
    output: OperatorPayment.extend({
      /** The platform's part and the creator's, less what was given back. */
      platformFee: z.string(),
      creatorShare: z.string(),
      /** Commissions paid out of the platform's part, less what was taken back of them. */
      commissions: z.array(z.object({ referrer: Person, amount: z.string() })),
      /** Commissions that were agreed and not paid: what stays of each in the platform's part, less what was given back. */
      withheld: z.array(
        z.object({
          referrer: Person,
          amount: z.string(),
          reason: z.enum(['suspended', 'leaving']),
          at: Moment,
        }),
      ),
      /** The refundable amount; `$0` while the payment is not captured. */
      refundable: z.string(),
      /** The amount that a bank can still charge back, refunded or not; `$0` while a dispute is open. */
      disputable: z.string(),
      attempts: z.array(
        z.object({
          _id: Id,
          status: z.enum(PAYMENT_STATUSES),
          /** Our own reference, by which the gateway knows it. */
          reference: z.string(),
          gatewayTransactionId: z.string().nullable(),
          /** Such as `Visa 1111`. */
          card: z.string().nullable(),
          /** For a further period of a subscription: by its schedule, or as its fan gave another card for what was owed. */
          isRenewal: z.boolean(),
          /** The gateway's answers on the billing address (AVS) and the security code (CVV), a letter each. */
          avs: z.string().nullable(),
          cvv: z.string().nullable(),
          events: z.array(
            z.object({
              status: z.enum(PAYMENT_STATUSES),
              source: z.enum(['live', 'lookup', 'webhook', 'settlement', 'operator']),
              reason: z.string().nullable(),
              at: Moment,
            }),
          ),
        }),
      ),
      refunds: z.array(
        z.object({
          _id: Id,
          amount: z.string(),
          status: z.enum(REFUND_STATUSES),
          reason: z.string(),
          createdAt: Moment,
          /** Who asked for it; null of the product itself. */
          by: Person.nullable(),
          /** The number of the document by which it was given back another way; null of any other. */
          document: z.string().nullable(),
        }),
      ),
      /**
       * The last refusal by the gateway of a refund that can only be sent another way; `sending`: when that was
       * started, and by whom.
       */
      outside: z
        .object({
          refundId: Id,
          /** The attempt to pay that it is of. */
          attemptId: Id,
          amount: z.string(),
          sending: z.object({ since: Moment, by: Person }).nullable(),
        })
        .nullable(),
      disputes: z.array(
        z.object({ _id: Id, amount: z.string(), status: z.enum(DISPUTE_STATUSES), openedAt: Moment }),
      ),
    }),
  }),
}
