import type { Kind } from '../../../../contract/orders.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { Capture } from '../../../ports/payments/port.ts'
import { contentsVersion } from '../../media/versions/data.ts'
import type { OfferTerms } from '../offers/rules.ts'
import type { Content, Item } from '../orders/rules.ts'

/** An order that was just paid, and what it delivers. */
export type PaidOrder = {
  id: string
  buyerId: string
  creatorId: string
  itemId: string
  amountCents: number
  /** Of a subscription how many months it pays for. */
  months: TermMonths
  subscriptionId: string | null
  /** The terms that follow when it pays for a trial. */
  trial: OfferTerms['trial']
  contents: Content[]
  storedCardId: string | null
  /** Charged while the buyer wasn't there, so that it says nothing of the card that they want to pay by. */
  isRenewedByUs: boolean
  charge: Capture
  now: Date
}

/** The buyer's choice: the amount of a tip, the number of months of a subscription. `brand`: what a donation is to. */
export type WantedOf = { buyerId: string; amountCents: number | null; months: TermMonths; brand: string }

/** The functions of a kind of sellable; `sellables/actions.ts` lists the kinds. */
export type Sellable = {
  /** Somebody has it for good, so that the database refuses a second paid order. */
  boughtOnce: boolean
  /** It is charged again by the same card, which is therefore kept. */
  renews: boolean
  /** The product for sale under this id to this buyer, locked until the transaction ends; null if there is none. */
  find(db: Db, itemId: string, wanted: WantedOf): Promise<Item | null>
  /** Whether the buyer has it already, so that paying would buy nothing. */
  isOwned(db: Db, buyerId: string, item: { id: string; contents: Content[] }): Promise<boolean>
  /** Gives what was agreed, once; what the item has become since changes nothing. */
  grant(db: Tx, order: PaidOrder): Promise<void>
  /** Until when what this paid order bought is to be delivered, where that isn't at once; null once it was. */
  deliveredBy?(db: Db, orderId: string): Promise<Date | null>
  /** Takes back exactly what the order gave. */
  revoke(db: Tx, order: { id: string; subscriptionId: string | null }, now: Date): Promise<void>
}

/** A row of something that is sold, with its creator's. */
export type Sold = { creator_id: string; title: string; price_cents: number; hidden_at: Date | null }

export const SOLD_COLUMNS = ['item.creator_id', 'item.title', 'item.price_cents', 'users.hidden_at'] as const

/** The item of such a row. */
export function itemOf(kind: Kind, sold: Sold, contents: Content[] | null): Item {
  return {
    kind,
    creatorId: sold.creator_id,
    creatorHidden: sold.hidden_at !== null,
    title: sold.title,
    priceCents: sold.price_cents,
    contents,
    ...(contents ? { contentsVersion: contentsVersion(contents.map(({ versionId }) => versionId)) } : {}),
  }
}
