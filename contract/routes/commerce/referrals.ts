import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, Reason } from '../../schemas.ts'

/** The caller's commission on one purchase. It doesn't say who bought what. */
export const Commission = z.object({
  _id: Id,
  amount: z.string(),
  /** The part that was reversed by a refund or by the operator. */
  returned: z.string().nullable(),
  /** The people referred by the caller: buyer, seller, or both. */
  side: z.enum(['buyer', 'seller', 'both']),
  /** The title of the shared code; null for the caller’s own link. */
  sharedCode: z.string().nullable(),
  earnedAt: Moment,
  /** On hold: as far as its sale is disputed, until the bank decides. */
  status: z.enum(['pending', 'available', 'onHold', 'returned', 'canceled']),
})

export const referralRoutes = {
  referralFigures: route({
    method: 'GET',
    path: '/users/referrals',
    summary:
      'Whom the caller referred, and what that earned: in all, each month, pending, on hold, and available.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({
      /** People who signed up through the caller’s own link, or a code that they share now. */
      signUps: z.object({ fans: z.number().int(), creators: z.number().int() }),
      pending: z.string(),
      available: z.string(),
      /** Kept until disputes are decided. */
      reserved: z.string(),
      /** The last 12 months in UTC, the oldest first; what was taken back is subtracted in the month that it was. */
      months: z.array(z.object({ month: z.string(), earned: z.string() })),
    }),
  }),
  commissions: route({
    method: 'GET',
    path: '/users/commissions',
    summary: 'The caller’s commissions, newest first.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Commission),
  }),
  cancelCommissions: route({
    method: 'POST',
    path: '/admin/commissions/cancel',
    summary: 'Cancels a person’s pending commissions, as for spam, fake accounts and deception.',
    access: { permission: 'payouts.approve' },
    reauthentication: 'recent',
    body: z.object({
      username: line(100).pipe(z.string().min(1, 'Enter a username.')),
      reason: Reason,
    }),
    output: z.object({ count: z.number().int(), amount: z.string() }),
  }),
}
