import { z } from 'zod'
import { REFUND_STATUSES } from '../../orders.ts'
import { route } from '../../route.ts'
import { Id, line, Money, Reason } from '../../schemas.ts'

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
    body: z.object({ transactionId: Id, amount: Money, reason: Reason }),
    output: Refund,
  }),
  refundOutside: route({
    method: 'POST',
    path: '/admin/refund/outside',
    summary:
      'Records that what the gateway refused to give back last was given back another way, by a document of outside; it ends there as a refund does.',
    access: { permission: 'refunds.issue' },
    reauthentication: 'recent',
    restricted: 'allowed',
    idempotent: true,
    body: z.object({
      transactionId: Id,
      /** The number of the transfer or of its document. */
      document: line(100).pipe(z.string().min(1, 'Enter the document’s number.')),
      reason: Reason,
    }),
    output: Refund,
  }),
}
