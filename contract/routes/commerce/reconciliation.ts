import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Moment, Reason, Success } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** A difference between our payments and what the gateway charged, until it is gone. */
export const Finding = z.object({
  _id: Id,
  kind: z.enum([
    'unknown_charge',
    'charge_not_recorded',
    'amount_differs',
    'payment_without_charge',
    'unknown_refund',
  ]),
  /** Null for a charge that we know nothing of. */
  transactionId: Id.nullable(),
  gatewayTransactionId: z.string(),
  /** What the gateway charged; null when it lists nothing. */
  amount: z.string().nullable(),
  since: Moment,
  /** The operator who takes care of it; null while nobody does. */
  owner: Person.nullable(),
})

export const reconciliationRoutes = {
  findings: route({
    method: 'GET',
    path: '/admin/findings',
    summary: 'How payments differ from what the gateway charged, by the daily comparison; the oldest first.',
    access: { permission: 'refunds.issue' },
    output: z.object({ items: z.array(Finding) }),
  }),
  takeFinding: route({
    method: 'POST',
    path: '/admin/findings/take',
    summary: 'Makes the caller the operator who takes care of a difference.',
    access: { permission: 'refunds.issue' },
    body: z.object({ findingId: Id }),
    output: Success,
  }),
  resolveFinding: route({
    method: 'POST',
    path: '/admin/findings/resolve',
    summary: 'Ends a difference that was explained outside. Payouts go on when none is left.',
    access: { permission: 'refunds.issue' },
    reauthentication: 'recent',
    body: z.object({ findingId: Id, reason: Reason }),
    output: Success,
  }),
}
