import type { Offer } from './offers.ts'
import type { Sub, Term } from './subs.ts'

/** What a fan can pay for. */
export type Thing =
  | { kind: 'subscription'; months: Term }
  | { kind: 'single'; item: number }
  /** By an offer, where one is named. */
  | { kind: 'bundle'; offer: Offer | null }
  | { kind: 'message'; message: Message }
  | { kind: 'tip'; cents: number }

/** What a creator sent one fan for a price. */
export type Message = { id: string; fan: number; creator: number; cents: number }

export type Order = {
  id: string
  fan: number
  creator: number
  kind: Thing['kind']
  /** The items that it gave. */
  items: number[]
  message: Message | null
  cents: number
  returned: number
  /** What a bank took that hasn't decided yet, and what of it wasn't given back before. */
  contested: number
  disputed: number
  /** What banks kept. */
  lost: number
  /** Its dispute, which is open, ended its subscription. */
  ended: boolean
  state: 'paid' | 'disputed' | 'lost' | 'refunded'
  paidAt: Date
  sub: Sub | null
  period: number
}

/** What is left of the order's money. */
export const leftOf = ({ cents, returned }: Order): number => cents - returned

/** Whether its items are the buyer's, or a bank decides on that. */
export const isHeld = ({ state }: Order): boolean => state === 'paid' || state === 'disputed'
