import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Money, Page, Reason, Success } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** Money that a creator or referrer asked to be paid out, as they see it. */
export const Payout = z.object({
  _id: Id,
  amount: z.string(),
  status: z.enum(['requested', 'approved', 'in_transit', 'paid', 'failed', 'canceled', 'returned']),
  requestedAt: Moment,
  changedAt: Moment,
  /** Why it failed, was canceled, or came back. */
  reason: z.string().nullable(),
  /**
   * What keeps one that hasn't gone to the bank from going there: new bank details, none, a suspension, or
   * differences between our payments and the gateway's. `until`: when
   * that ends by itself; null where somebody has to do something.
   */
  hold: z
    .object({
      why: z.enum(['newDetails', 'noDetails', 'suspended', 'differences']),
      since: Moment.nullable(),
      until: Moment.nullable(),
    })
    .nullable(),
})

export const payoutRoutes = {
  balance: route({
    method: 'GET',
    path: '/users/balance',
    summary: 'The caller’s earnings: pending, available, being paid out, and paid out.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({
      /** Shares that aren't available yet (docs/product.md, Money). */
      pending: z.string(),
      /** Negative when refunds and disputes took more than there was. */
      available: z.string(),
      /** Kept until disputes are decided. */
      reserved: z.string(),
      /** Requested and not paid yet. */
      onTheWay: z.string(),
      paidOut: z.string(),
      /** The smallest payout. */
      minimum: z.string(),
    }),
  }),
  payouts: route({
    method: 'GET',
    path: '/users/payouts',
    summary: 'The caller’s payouts, newest first.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Payout),
  }),
  requestPayout: route({
    method: 'POST',
    path: '/users/payouts',
    summary: 'Sets an amount of the caller’s available balance aside to be paid out.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    reauthentication: 'recent',
    idempotent: true,
    rateLimit: { points: 20, seconds: 600 },
    body: z.object({ userId: Id.optional(), amount: Money }),
    output: Payout,
  }),
  allPayouts: route({
    method: 'GET',
    path: '/admin/payouts',
    summary:
      'Everyone’s payouts: those that wait for the operator or the bank, the longest first, or all, newest first.',
    access: { permission: 'payouts.approve' },
    query: Page.extend({ showing: z.enum(['open', 'all']).default('open') }),
    output: listOf(
      Payout.extend({
        person: Person,
        /**
         * Flags of the person's account: a suspended person is paid nothing that hasn't gone to the bank, and a person
         * who is leaving is erased once none of their payouts is open.
         */
        accountFlags: z.array(z.enum(['suspended', 'leaving'])),
        /**
         * The amount that the payout's person owes the platform meanwhile, while the payout hasn't gone to the bank;
         * null if none.
         */
        owes: z.string().nullable(),
        /** The last four of where they are paid; null without details. */
        bankLastFour: z.string().nullable(),
        /** Earlier payouts of theirs that operators said failed or came back, and that nobody else has paid out since; the latest first. */
        recovered: z.array(
          z.object({
            amount: z.string(),
            status: z.enum(['failed', 'returned']),
            by: Person,
            at: Moment,
            reason: z.string(),
          }),
        ),
        /**
         * Why its next step needs another operator: it is the caller’s own, or they recorded that an earlier one of its
         * person failed or came back. Null where they may take it.
         */
        needsAnother: z.enum(['own', 'recovery']).nullable(),
      }),
    ),
  }),
  decidePayout: route({
    method: 'POST',
    path: '/admin/payouts/decide',
    summary:
      'Approves or cancels a payout, or records whether the bank paid it, or that it came back later. What is canceled, failed, or returned is available again, but for what refunds and disputes take of it; who recorded that approves no payout of the person before somebody else has.',
    access: { permission: 'payouts.approve' },
    reauthentication: 'recent',
    body: z.object({
      payoutId: Id,
      decision: z.enum(['approve', 'cancel', 'paid', 'failed', 'returned']),
      reason: Reason,
    }),
    output: Success,
  }),
  exportPayouts: route({
    method: 'POST',
    path: '/admin/payouts/export',
    summary:
      'The approved payouts of people who aren’t suspended, and whose bank details aren’t new, as a CSV file for the bank; they are in transit from then on.',
    access: { permission: 'payouts.approve' },
    reauthentication: 'recent',
    idempotent: 'sealed',
    body: z.object({ reason: Reason }),
    output: z.object({
      /** RFC 4180, with a header. */
      csv: z.string(),
      count: z.number().int(),
      /** Approved ones that stay, as their bank details are new or missing, or their person is suspended. */
      held: z.number().int(),
      total: z.string(),
    }),
  }),
  payoutExports: route({
    method: 'GET',
    path: '/admin/payouts/exports',
    summary: 'The files that were made for the bank, newest first.',
    access: { permission: 'payouts.approve' },
    query: Page,
    output: listOf(
      z.object({
        _id: Id,
        by: Person,
        exportedAt: Moment,
        reason: z.string(),
        count: z.number().int(),
        total: z.string(),
        /** Whether the file is still there: for 90 days, unless somebody in it has been erased since. */
        hasFile: z.boolean(),
        /** How many payouts of a file that is still there were paid. */
        paid: z.number().int(),
        /** How many failed or came back: with any, the file can’t be downloaded again, as it could pay them twice. */
        unpaid: z.number().int(),
      }),
    ),
  }),
  downloadPayoutExport: route({
    method: 'POST',
    path: '/admin/payouts/exports/download',
    summary:
      'The same file again, byte for byte, as it was exported, while none of its payouts has failed or come back. It changes no payout.',
    access: { permission: 'payouts.approve' },
    reauthentication: 'recent',
    body: z.object({ exportId: Id, reason: Reason }),
    output: z.object({ csv: z.string() }),
  }),
}
