import { z } from 'zod'
import { REFUND_STATUSES } from '../../orders.ts'
import { route } from '../../route.ts'
import { Id, line, Money, PositiveMoney, Reason } from '../../schemas.ts'

/** One refund; `unknown` is being looked up, and is not sent again. */
export const Refund = z.object({
  _id: Id,
  transactionId: Id,
  status: z.enum(REFUND_STATUSES),
  amount: z.string(),
})

export const refundRoutes = {
  refund: route({
    method: 'POST',
    path: '/admin/refund',
    summary:
      'Gives back a payment: all of it, which also ends what it granted, or a part once it has settled. 202 while the gateway has not answered.',
    access: { permission: 'refunds.issue' },
    reauthentication: 'recent',
    restricted: 'allowed',
    transaction: 'manual',
    idempotent: true,
    body: z.object({
      transactionId: Id,
      amount: PositiveMoney,
      /** What was shown as left of the payment: another amount is a 409, as somebody else refunded meanwhile. */
      left: Money,
      reason: Reason,
    }),
    output: Refund,
  }),
  sendOutside: route({
    method: 'POST',
    path: '/admin/refund/outside/sending',
    summary:
      'Begins to send another way what the gateway refused to give back last of a payment, or takes that back; meanwhile the gateway is asked to give back nothing of it.',
    access: { permission: 'refunds.issue' },
    reauthentication: 'recent',
    restricted: 'allowed',
    transaction: 'manual',
    body: z.object({
      transactionId: Id,
      /** The refund that was shown. */
      refundId: Id,
      sending: z.boolean(),
      reason: Reason,
    }),
    output: Refund,
  }),
  refundOutside: route({
    method: 'POST',
    path: '/admin/refund/outside',
    summary:
      'Records that what is sent another way was given back so, not at the gateway, by a document of outside; it ends as a refund does.',
    access: { permission: 'refunds.issue' },
    reauthentication: 'recent',
    restricted: 'allowed',
    idempotent: true,
    body: z.object({
      transactionId: Id,
      refundId: Id,
      /** The number of the transfer or of its document. */
      document: line(100).pipe(z.string().min(1, 'Enter the document’s number.')),
      reason: Reason,
    }),
    output: Refund,
  }),
}
