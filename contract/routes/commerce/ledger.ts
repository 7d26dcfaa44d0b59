import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** A movement of money as buyer and creator see it; gross, fee and share only for the creator. */
export const Transaction = z.object({
  _id: Id,
  status: z.string(),
  kind: z.string(),
  title: z.string(),
  amount: z.string(),
  fee: z.string().nullable(),
  share: z.string().nullable(),
  buyerId: Person,
  creatorId: Person,
  transactionDate: Moment,
})

export const ledgerRoutes = {
  transactions: route({
    method: 'GET',
    path: '/users/transactions',
    summary: 'The caller’s sales and purchases, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Transaction).extend({
      /** Sums of all own sales in money text. */
      totals: z.object({ gross: z.string(), fee: z.string(), share: z.string(), spent: z.string() }),
    }),
  }),
}
