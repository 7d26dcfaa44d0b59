import {
  type Entry,
  type OrderBalance,
  type OrderPosting,
  orderBalance,
} from '../../domains/commerce/ledger/rules.ts'

export const DAY_MS = 24 * 3600 * 1000
/** When the model's time begins. */
export const start = new Date('2027-01-01T00:00:00Z')
/** A referrer who has all that they are asked for. */
export const rich = () => Number.MAX_SAFE_INTEGER
/** The sum of lines of journals, in cents. */
export const sum = (entries: { amountCents: number }[]) =>
  entries.reduce((total, one) => total + one.amountCents, 0)

/** The journals of one order, and what they come to. */
export class Order {
  readonly postings: OrderPosting[] = []
  /** The amounts of disputes that aren't decided yet. */
  openCents = 0
  /** Whether a refund of it is sent another way. */
  isSent = false
  /** Since when its days to be delivered stand still. */
  stillSince: Date | null = null
  /** Until when it is to be delivered, while it isn't. */
  deliveredBy: Date | null = null
  post(journalKind: OrderPosting['journalKind'], entries: Entry[]): void {
    if (sum(entries) !== 0) throw new Error(`${journalKind} sums to ${sum(entries)}`)
    this.postings.push(...entries.map((entry) => ({ ...entry, journalKind })))
  }
  get balance(): OrderBalance {
    return orderBalance(this.postings)
  }
}
