import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page, Reason, Success } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** A difference between our payments and what the gateway charged, until it is gone. */
export const Finding = z.object({
  _id: Id,
  kind: z.enum([
    'unknown_charge',
    'charge_not_recorded',
    'amount_differs',
    'payment_without_charge',
    'chargeback_not_recorded',
    'unknown_refund',
    'refund_not_made',
    'refund_made_after_all',
    'settlement_differs',
    'settlement_failed',
    'settled_after_all',
  ]),
  /** Null for a charge that we know nothing of. */
  transactionId: Id.nullable(),
  /** The gateway's number of what was charged; of a settled batch that of the batch. */
  gatewayTransactionId: z.string(),
  /**
   * The amount that the gateway charged or didn't refund, null when it lists nothing; for a batch, the amount settled beyond our
   * payments, or what is in suspense although it was settled after all.
   */
  amount: z.string().nullable(),
  since: Moment,
  /** The operator who takes care of it; null while nobody does. */
  owner: Person.nullable(),
})

/** The batches that the gateway settled, and whether each was moved to the bank account. */
export const Settlement = z.object({
  _id: Id,
  batchId: z.string(),
  settledAt: Moment,
  charged: z.string(),
  refunded: z.string(),
  chargedBack: z.string(),
  /** The amount that it brings to the bank account, before the acquirer's fees. */
  net: z.string(),
  /** `waiting`: it differs and is compared again, as what may be in it isn't decided yet or was explained since. */
  state: z.enum(['posted', 'differs', 'waiting']),
  /** By how much the gateway says more than our payments, refunds and disputes come to; null where they are the same. */
  difference: z.string().nullable(),
})

export const reconciliationRoutes = {
  settlements: route({
    method: 'GET',
    path: '/admin/settlements',
    summary: 'The gateway’s settled batches, newest first.',
    access: { permission: 'refunds.issue' },
    query: Page,
    output: listOf(Settlement),
  }),
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
