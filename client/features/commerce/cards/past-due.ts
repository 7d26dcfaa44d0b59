import { centsOf, formatMoney } from '../../../../contract/money.ts'
import type { Output } from '../../../../contract/route.ts'
import type { cardRoutes } from '../../../../contract/routes/commerce/cards.ts'
import { ApiError } from '../../../lib/api.ts'
import { cardsQuery } from './api.ts'
import { storedCardTexts as texts } from './texts.ts'

/** What another card for renewals is charged for at once, which comes with the stored cards. */
export const pastDueQuery = {
  ...cardsQuery,
  select: ({ pastDue }: Output<typeof cardRoutes.cards>) => pastDue,
}

type Owed = Output<typeof cardRoutes.cards>['pastDue'][number]

/** What a call sends of what was shown, so that nothing else is charged. */
export const shownOf = (owed: readonly Owed[]) => owed.map(({ _id, price }) => ({ _id, price }))

/** Whether a call was refused, as something else is past due by now. */
export const isChanged = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.code === 'past_due_changed'

/** What all of it comes to. */
export const totalOf = (owed: readonly { price: string }[]): string =>
  formatMoney(owed.reduce((sum, { price }) => sum + centsOf(price), 0))

/** What several come to, as a list of them may be longer than the screen; nothing of one. */
export const together = (owed: readonly { price: string }[]): string | null =>
  owed.length < 2 ? null : texts.chargedTogether(totalOf(owed), owed.length)
