import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Moment } from '../../schemas.ts'

/** A difference between our payments and what the gateway charged, until it is gone. */
export const Finding = z.object({
  _id: Id,
  kind: z.enum(['unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge']),
  /** Null for a charge that we know nothing of. */
  transactionId: Id.nullable(),
  gatewayTransactionId: z.string(),
  /** What the gateway charged; null when it lists nothing. */
  amount: z.string().nullable(),
  since: Moment,
})

export const reconciliationRoutes = {
  findings: route({
    method: 'GET',
    path: '/admin/findings',
    summary: 'How payments differ from what the gateway charged, by the daily comparison; the oldest first.',
    access: { permission: 'refunds.issue' },
    output: z.object({ items: z.array(Finding) }),
  }),
}
