import type { Output } from '../../../../contract/route.ts'
import type { cardRoutes } from '../../../../contract/routes/commerce/cards.ts'
import { cardsQuery } from './api.ts'

/** What another card for renewals is charged for at once, which comes with the stored cards. */
export const pastDueQuery = {
  ...cardsQuery,
  select: ({ pastDue }: Output<typeof cardRoutes.cards>) => pastDue,
}
