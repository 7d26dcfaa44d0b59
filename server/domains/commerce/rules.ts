import type { ErrorCode } from '../../../contract/errors.ts'
import { parseMoney } from '../../../contract/money.ts'

/** Why this person may not edit what somebody sells; null when they may (docs/product.md, Access). */
export function editRefusal(item: { creator_id: string } | undefined, editorId: string): ErrorCode | null {
  if (!item) return 'item_not_found'
  return item.creator_id === editorId ? null : 'not_owner'
}

/** Integer cents of money text that the contract has accepted; throws on anything else, never guesses. */
export function centsOf(money: string): number {
  const cents = parseMoney(money)
  if (cents === null) throw new Error('money text that the contract should have refused')
  return cents
}

/** Why something can't be sold at this price; null when it can. */
export function priceRefusal(priceCents: number, leastCents: number): ErrorCode | null {
  return priceCents < leastCents ? 'price_too_low' : null
}
