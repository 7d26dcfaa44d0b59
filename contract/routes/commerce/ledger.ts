import { z } from 'zod'
import { MAX_TRANSACTIONS_PAGE_SIZE, PAGE_SIZE } from '../../constants.ts'
import { KINDS } from '../../orders.ts'
import { route } from '../../route.ts'
import { Day, Id, listOf, Moment, Page, TimeZone } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** A movement of money as buyer and creator see it; fee and share, less what was given back, only for the creator. */
export const Transaction = z.object({
  _id: Id,
  status: z.string(),
  kind: z.enum(KINDS),
  title: z.string(),
  amount: z.string(),
  /** The part that the buyer got back by refunds and lost disputes; null if none. */
  returned: z.string().nullable(),
  /** Whether a bank took some of it back. */
  byBank: z.boolean(),
  /** While it is `disputed`: whether the bank has decided. */
  dispute: z.enum(['open', 'lost']).nullable(),
  fee: z.string().nullable(),
  share: z.string().nullable(),
  buyerId: Person,
  creatorId: Person,
  /** When the money moved; before that, when it was ordered. */
  transactionDate: Moment,
})

/** Sales of one day, including those that were refunded later. */
export const DayOfSales = z.object({
  day: Day,
  sales: z.number().int(),
  gross: z.string(),
  fee: z.string(),
  share: z.string(),
})

export const ledgerRoutes = {
  transactions: route({
    method: 'GET',
    path: '/users/transactions',
    summary: 'The caller’s sales and purchases, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({
      limit: z.coerce.number().int().min(1).max(MAX_TRANSACTIONS_PAGE_SIZE).default(PAGE_SIZE),
      userId: Id.optional(),
    }),
    output: listOf(Transaction).extend({
      /** Sums in money text, less what was taken back: of all own sales, of all commissions, and of what was bought. */
      totals: z.object({
        gross: z.string(),
        fee: z.string(),
        share: z.string(),
        commissions: z.string(),
        spent: z.string(),
      }),
    }),
  }),
  earnings: route({
    method: 'GET',
    path: '/users/earnings',
    summary: 'The caller’s sales on each day of a range, in their time zone.',
    access: 'user',
    self: 'userId',
    query: z.object({
      userId: Id.optional(),
      /** The first and the last day; without them from the first sale, or to the last. */
      from: Day.optional(),
      to: Day.optional(),
      timeZone: TimeZone.default('UTC'),
    }),
    output: z.object({
      /** Days without a sale are left out. A refund changes nothing here. */
      days: z.array(DayOfSales),
    }),
  }),
}
