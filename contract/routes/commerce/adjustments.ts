import { z } from 'zod'
import { route } from '../../route.ts'
import { Day, Id, line, listOf, Moment, Page, PositiveMoney, Reason } from '../../schemas.ts'
import { Month } from './statements.ts'
import { Person } from './subscriptions.ts'

/** The platform's own accounts that an adjustment may move money between. */
export const AdjustedAccount = z.enum(
  ['bank', 'gateway', 'processor_fees', 'dispute_fees', 'suspense'],
  'Choose one of the platform’s own accounts.',
)

/** An operator's entry in the books from an outside document, such as a bank statement or a processor's bill. */
export const Adjustment = z.object({
  _id: Id,
  /** The account that holds less by it, and the one that holds more. */
  from: AdjustedAccount,
  to: AdjustedAccount,
  amount: z.string(),
  /** The document's own number, and its day. */
  reference: z.string(),
  date: Day,
  reason: z.string(),
  status: z.enum(['proposed', 'posted', 'declined']),
  proposedBy: Person,
  proposedAt: Moment,
  /**
   * The operator who posted or declined it: the one who proposed it if nobody else could. Null while it is proposed.
   */
  decidedBy: Person.nullable(),
  decidedAt: Moment.nullable(),
  /** Their reason; null while it is proposed. */
  decisionReason: z.string().nullable(),
})

export const adjustmentRoutes = {
  books: route({
    method: 'GET',
    path: '/admin/books',
    summary:
      'What the platform’s own accounts hold, to be compared with statements; the gateway’s is a matter of `npm run admin -- books`.',
    access: { permission: 'ledger.adjust' },
    output: z.object({
      /** As in the ledger: what we have or have spent is positive, what isn't ours is negative. */
      bank: z.string(),
      processorFees: z.string(),
      disputeFees: z.string(),
      suspense: z.string(),
      /** The part of suspense that is set aside for moderators of subreddits; never positive. */
      suspenseHeld: z.string(),
    }),
  }),
  booksMonth: route({
    method: 'GET',
    path: '/admin/books/month',
    summary:
      'What the platform earned in a month of UTC, and what creators and referrers were owed at its end; of the present month so far.',
    access: { permission: 'ledger.adjust' },
    query: z.object({ month: Month.optional() }),
    output: z.object({
      month: Month,
      /** Those that can be asked for, the present one first; at most ten years. */
      months: z.array(Month),
      sold: z.string(),
      refunded: z.string(),
      /** The platform's share of sales, less commissions and what was given back of it. */
      share: z.string(),
      processorFees: z.string(),
      disputeFees: z.string(),
      disputeLosses: z.string(),
      /** The share less fees and losses. */
      earned: z.string(),
      /** The balances of creators and referrers at the end, reserve included. */
      owed: z.string(),
      /** The amount set aside at the end for payouts under way. */
      payouts: z.string(),
    }),
  }),
  booksMonthFile: route({
    method: 'GET',
    path: '/admin/books/month/csv',
    summary:
      'The books of a month of UTC as a CSV file: what each kind of account held when it began and ended, and what changed that.',
    access: { permission: 'ledger.adjust' },
    rateLimit: { points: 30, seconds: 600 },
    query: z.object({ month: Month }),
    file: 'text/csv',
    output: z.void(),
  }),
  adjustments: route({
    method: 'GET',
    path: '/admin/adjustments',
    summary: 'Adjustments of the books, newest first: those that wait for a second person, or all.',
    access: { permission: 'ledger.adjust' },
    query: Page.extend({ showing: z.enum(['open', 'all']).default('all') }),
    output: listOf(Adjustment),
  }),
  proposeAdjustment: route({
    method: 'POST',
    path: '/admin/adjustments',
    summary:
      'Enters what a document of outside says: money moves between two of the platform’s own accounts once a second person has approved it, where there is one. A document is entered once.',
    access: { permission: 'ledger.adjust' },
    reauthentication: 'recent',
    idempotent: true,
    body: z
      .object({
        from: AdjustedAccount,
        to: AdjustedAccount,
        amount: PositiveMoney,
        reference: line(100).pipe(z.string().min(1, 'Enter the document’s number.')),
        date: Day,
        reason: Reason,
        /** The operator knows that nobody else could approve it, so that it is posted at once. Means nothing where somebody could. */
        alone: z.boolean().default(false),
      })
      .refine(({ from, to }) => from !== to, { path: ['to'], error: 'Choose two different accounts.' }),
    output: Adjustment,
  }),
  decideAdjustment: route({
    method: 'POST',
    path: '/admin/adjustments/decide',
    summary:
      'Approves an adjustment that another person proposed, which posts it, or declines it; anyone may decline their own.',
    access: { permission: 'ledger.adjust' },
    reauthentication: 'recent',
    body: z.object({ adjustmentId: Id, decision: z.enum(['approve', 'decline']), reason: Reason }),
    output: Adjustment,
  }),
  adjustmentsFile: route({
    method: 'GET',
    path: '/admin/adjustments/csv',
    summary: 'All adjustments of the books as a CSV file, newest first.',
    access: { permission: 'ledger.adjust' },
    rateLimit: { points: 30, seconds: 600 },
    file: 'text/csv',
    output: z.void(),
  }),
}
