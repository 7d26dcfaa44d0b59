import { z } from 'zod'
import { DISPUTE_CAUSES, DISPUTE_STATUSES, KINDS } from '../../orders.ts'
import { route } from '../../route.ts'
import { Day, Id, line, listOf, Moment, Money, Page, PositiveMoney, Reason, Success } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** A payment that the cardholder's bank took back, wholly or in part. */
export const Dispute = z.object({
  _id: Id,
  transactionId: Id,
  kind: z.enum(KINDS),
  title: z.string(),
  buyer: Person,
  creator: Person,
  amount: z.string(),
  /** The bank's fee for the dispute. */
  fee: z.string(),
  cause: z.enum(DISPUTE_CAUSES),
  /** The bank's. */
  caseNumber: z.string(),
  /** Evidence is taken until this day. */
  respondBy: Day.nullable(),
  status: z.enum(DISPUTE_STATUSES),
  openedAt: Moment,
  decidedAt: Moment.nullable(),
})

export const disputeRoutes = {
  disputes: route({
    method: 'GET',
    path: '/admin/disputes',
    summary: 'Disputed payments, newest first: those that the bank has not decided, or all.',
    access: { permission: 'refunds.issue' },
    query: Page.extend({ showing: z.enum(['open', 'all']).default('open') }),
    output: listOf(Dispute),
  }),
  disputeRatio: route({
    method: 'GET',
    path: '/admin/disputes/ratio',
    summary: 'How many of the payments of the last 30 days were disputed: what the card networks watch.',
    access: { permission: 'refunds.issue' },
    output: z.object({
      payments: z.number().int(),
      disputes: z.number().int(),
      /** With two decimals. */
      percent: z.number(),
    }),
  }),
  openDispute: route({
    method: 'POST',
    path: '/admin/disputes',
    summary:
      'Records that a bank took a payment back: access ends, a subscription is not renewed, and the creator’s part is held until the bank decides. With the cause `fraud`, the card that paid is removed from the buyer’s cards.',
    access: { permission: 'refunds.issue' },
    reauthentication: 'recent',
    idempotent: true,
    body: z.object({
      transactionId: Id,
      amount: PositiveMoney,
      fee: Money,
      cause: z.enum(DISPUTE_CAUSES),
      caseNumber: line(60).pipe(z.string().min(1, 'Enter the bank’s case number.')),
      respondBy: Day.optional(),
      reason: Reason,
    }),
    output: Dispute,
  }),
  decideDispute: route({
    method: 'POST',
    path: '/admin/disputes/decide',
    summary:
      'Records the bank’s decision. Won: the money and the access are back. Lost: everyone gives back their part; what is left of the payment, if anything, gives the access back.',
    access: { permission: 'refunds.issue' },
    reauthentication: 'recent',
    body: z.object({ disputeId: Id, outcome: z.enum(['won', 'lost']), reason: Reason }),
    output: Success,
  }),
  disputeEvidence: route({
    method: 'GET',
    path: '/admin/disputes/:disputeId/evidence',
    summary: 'The facts about a disputed payment, to be sent to the bank.',
    access: { permission: 'refunds.issue' },
    params: z.object({ disputeId: Id }),
    output: z.object({
      sections: z.array(
        z.object({
          title: z.string(),
          facts: z.array(z.object({ label: z.string(), value: z.string() })),
        }),
      ),
    }),
  }),
}
