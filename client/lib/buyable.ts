/** What can be bought with one card payment, as far as the dialog must know it. `price` is money text of the wire. */
export type Buyable = {
  kind: 'subscription' | 'bundle' | 'single'
  itemId: string
  title: string
  price: string
  creatorUsername: string
  /** What one gets, in words: `12 photos, 3 videos`. */
  mediaCount?: string
  /** How many items that is, which is what one agrees to buy; of a subscription nobody says. */
  itemCount?: number
}
