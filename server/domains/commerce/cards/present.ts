import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Card, cardRoutes } from '../../../../contract/routes/commerce/cards.ts'
import { absenceOfCreator, presentParty } from '../present.ts'
import type { CardRow, listOwed, RenewedByCard } from './data.ts'
import { brandName, expiryOf } from './rules.ts'

/** A stored card with the subscriptions that are charged to it. */
export function presentCard(row: CardRow, renewed: RenewedByCard[], now: Date): z.output<typeof Card> {
  const { id, brand, last_four: lastFour, expires, created_at: addedAt } = row
  return {
    _id: id,
    brand: brandName(brand),
    lastFour,
    expires: expires && `${expires.slice(5)}/${expires.slice(2, 4)}`,
    expiry: expiryOf(expires, now),
    renews: renewed
      .filter((subscription) => subscription.stored_card_id === id)
      .map((row) => ({
        _id: row.id,
        title: row.title,
        creator: presentParty(row.creator_id, row.creatorUsername, absenceOfCreator(row)),
      })),
    addedAt: addedAt.toISOString(),
  }
}

/** What a card for renewals is charged for at once. */
export function presentPastDue(
  pastDue: Awaited<ReturnType<typeof listOwed>>,
): z.output<typeof cardRoutes.cards.output>['pastDue'] {
  return pastDue.map(({ id, title, cents }) => ({ _id: id, title, price: formatMoney(cents) }))
}
