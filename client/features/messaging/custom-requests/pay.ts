import type { Buyable } from '../../commerce/parts/buyable.ts'
import type { RequestTerms } from './api.ts'
import { requestTexts } from './texts.ts'

/** An accepted request as what the purchase dialog sells. */
export function requestOf(
  { _id: itemId, price }: Pick<RequestTerms, '_id' | 'price'>,
  creatorUsername: string,
): Buyable {
  return {
    kind: 'custom',
    itemId,
    title: requestTexts.forSale(creatorUsername),
    price: price ?? '',
    creatorUsername,
  }
}
