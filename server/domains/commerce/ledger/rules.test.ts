import { expect, test } from 'vitest'
import { DAY_MS, Order, rich, start, sum } from '../../../testing/money/posted-order.ts'
import {
  cutShortEntries,
  disputeLostEntries,
  disputeOpenedEntries,
  disputeWonEntries,
  refundEntries,
  sendingBegunEntries,
  sendingEndedEntries,
} from './reversals/rules.ts'
import {
  type Entry,
  type OrderPosting,
  paidReturnedEntries,
  payoutEntries,
  payoutPaidEntries,
  refundableCents,
  releaseEntries,
  reversed,
  saleEntries,
  settlementEntries,
} from './rules.ts'

/** Uniform numbers from 0 to 1, the same ones each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function refuses(attempt: () => unknown): boolean {
  try {
    attempt()
    return false
  } catch {
    return true
  }
}

/** One step of the model, chosen by numbers so that a long sequence costs little. */
type Step = { act: number; pick: number; part: number }

/** A payout, and the orders that were disputed since it was set aside, or, with true, given back. */
type SetAside = { entries: Entry[]; cents: number; given: Map<Order, boolean> }

/** A ledger in memory, of the same lines that the real one posts. */
class Ledger {
  readonly orders: Order[] = []
  readonly accounts = new Map<string, number>()
  /** Pending lines by account and by when they become available. */
  private readonly pending = new Map<string, { cents: number; availableAt: Date }[]>()
  private readonly payouts: SetAside[] = []
  private readonly paid: SetAside[] = []
  now = start
  /** Charged and given back by the gateway, and in no batch yet. */
  private unsettledCents = 0
  /** Chargebacks with their fees, less what banks gave back again. */
  chargedBackCents = 0
  /** Chargebacks of amounts that had been refunded before. */
  lossesCents = 0
  beyondCents = 0
  cutShortCents = 0
  readonly done: Record<string, number> = {}

  /** Does it if it is possible, and checks what a payout may take. */
  step({ act, pick, part }: Step): void {
    const order = this.orders[Math.floor(pick * this.orders.length)]
    const person = Math.floor(pick * 5)
    const acts = [
      () => this.sell(pick, part),
      () => this.refund(order, part),
      () => this.dispute(order, part),
      () => this.decide(order, part < 0.5),
      () => {
        this.now = new Date(this.now.getTime() + part * DAY_MS)
        this.release(`creator ${person}`)
      },
      () => this.payout(`creator ${person}`, part),
      () => (part < 0.9 ? this.finishPayout(pick, part < 0.7) : this.returnPaid(pick)),
      () => this.settle(part < 0.1 ? 500 : 0),
      () => this.send(order, part),
    ]
    acts[act]?.()
  }

  /** Moves all that was charged and given back since the last time to the bank, where the gateway may have some more. */
  settle(beyondCents = 0): void {
    const ownNetCents = this.unsettledCents
    const entries = settlementEntries({ netCents: ownNetCents + beyondCents, ownNetCents })
    if (entries.length > 0) this.post('settlement', null, entries)
    this.unsettledCents = 0
    this.beyondCents += beyondCents
  }

  owed(kind: Entry['kind'], userId: string): number {
    return -(this.accounts.get(`${kind} ${userId}`) ?? 0)
  }

  private sell(pick: number, part: number): void {
    const grossCents = 100 + Math.floor(part * 10_000)
    const feeBasisPoints = [2000, 1250, 0, 10_000][Math.floor(pick * 4)] as number
    const feeCents = Math.floor((grossCents * feeBasisPoints) / 10_000)
    const referrerId = `creator ${Math.floor(part * 5)}`
    const commissions = feeCents > 0 ? [{ referrerId, cents: Math.floor(feeCents / 3) }] : []
    const creatorId = `creator ${Math.floor(pick * 5)}`
    const order = new Order()
    this.orders.push(order)
    this.unsettledCents += grossCents
    // Some is never delivered.
    if (grossCents % 3 === 0) order.deliveredBy = new Date(this.now.getTime() + pick * 30 * DAY_MS)
    const { deliveredBy } = order
    const sale = { creatorId, grossCents, feeBasisPoints, commissions, deliveredBy }
    this.post('sale', order, saleEntries(sale, this.now))
    // Old orders leave, so that a long sequence still comes back to the same ones.
    if (this.orders.length > 60) this.orders.shift()
  }

  private refund(order: Order | undefined, part: number): void {
    const left = order ? refundableCents(order.balance) : 0
    if (!order || left === 0) return
    const cents = Math.max(1, Math.ceil(left * part * 1.2))
    if (cents > left) {
      if (!refuses(() => refundEntries(order.balance, cents, rich, this.now)))
        throw new Error('refunds too much')
      return
    }
    this.releaseAll(order)
    this.unsettledCents -= cents
    this.post('refund', order, refundEntries(order.balance, cents, this.funds, this.now))
  }

  private dispute(order: Order | undefined, part: number): void {
    if (!order || order.openCents > 0) return
    const { grossCents } = order.balance
    // A bank may take all of it, whatever was given back.
    const left = refundableCents(order.balance)
    const cents = part > 0.8 ? grossCents : Math.ceil(left * part)
    if (cents === 0) return
    order.openCents = cents
    this.lossesCents += Math.max(0, cents - left)
    this.releaseAll(order)
    this.chargedBackCents += cents + 1500
    this.post(
      'dispute_opened',
      order,
      disputeOpenedEntries(
        order.balance,
        { cents, feeCents: 1500, isUndelivered: order.deliveredBy !== null },
        { funds: this.funds, now: this.now },
      ),
    )
    this.standStill(order, true)
  }

  private decide(order: Order | undefined, won: boolean): void {
    if (!order || order.openCents === 0) return
    this.releaseAll(order)
    const cents = order.openCents
    order.openCents = 0
    if (won) {
      this.chargedBackCents -= cents
      this.lossesCents -= cents - order.balance.disputedCents
      this.post('dispute_won', order, disputeWonEntries(order.balance, cents, this.decidedOf(order)))
    } else
      this.post('dispute_lost', order, disputeLostEntries(order.balance, this.funds, this.decidedOf(order)))
    this.requireWaiting(order)
  }

  private decidedOf(order: Order) {
    this.standStill(order, order.isSent)
    return { now: this.now, deliveredBy: order.deliveredBy, isSent: order.isSent }
  }

  /** Sends a refund another way of what is to be delivered, or ends that, whether a part was given back so or nothing. */
  private send(order: Order | undefined, part: number): void {
    if (!order?.deliveredBy) return
    this.releaseAll(order)
    if (order.isSent) this.endSending(order, part)
    else if (order.deliveredBy > this.now && order.openCents === 0 && refundableCents(order.balance) > 0) {
      order.isSent = true
      this.standStill(order, true)
      const covers = { funds: this.funds, now: this.now }
      this.post('release', order, sendingBegunEntries(order.balance, covers))
    }
    this.requireWaiting(order)
  }

  private endSending(order: Order, part: number): void {
    order.isSent = false
    this.standStill(order, order.openCents > 0)
    const cents = part > 0.5 ? Math.ceil(refundableCents(order.balance) * part) : 0
    if (cents > 0) {
      this.unsettledCents -= cents
      this.post('refund', order, refundEntries(order.balance, cents, this.funds, this.now))
    }
    const { deliveredBy } = order
    this.post('release', order, sendingEndedEntries(order.balance, { now: this.now, deliveredBy }))
  }

  /** Its days count on, or stand still from now on. */
  private standStill(order: Order, isStill: boolean): void {
    const { deliveredBy, stillSince } = order
    if (deliveredBy && stillSince)
      order.deliveredBy = new Date(deliveredBy.getTime() + this.now.getTime() - stillSince.getTime())
    order.stillSince = isStill ? this.now : null
  }

  /** Nobody has more of what is still to be delivered than they had to give up for it. */
  private requireWaiting({ deliveredBy, postings, stillSince, balance }: Order): void {
    const isHeld = balance.parties.some(({ reservedCents }) => reservedCents > 0)
    if (isHeld && stillSince === null) throw new Error('a share stays on hold')
    if (deliveredBy === null || deliveredBy < this.now) return
    const available = postings.filter(({ kind }) => kind.endsWith('_available'))
    if (sum(available) !== 0) throw new Error('what is still to be delivered is available')
  }

  private releaseAll(order: Order): void {
    for (const { userId } of order.balance.parties) this.release(userId)
  }

  private release(userId: string): void {
    for (const role of ['creator', 'referrer'] as const) {
      const key = `${role}_pending ${userId}`
      const later = (this.pending.get(key) ?? []).filter(({ availableAt }) => availableAt > this.now)
      this.pending.set(key, later)
      const cents = this.owed(`${role}_pending`, userId) - later.reduce((total, one) => total + one.cents, 0)
      if (cents < 0) throw new Error(`${key} has less than is due later`)
      if (cents > 0) this.post('release', null, releaseEntries(role, userId, cents))
    }
  }

  private payout(userId: string, part: number): void {
    this.release(userId)
    const available = {
      creatorCents: this.owed('creator_available', userId),
      referrerCents: this.owed('referrer_available', userId),
    }
    const all = available.creatorCents + available.referrerCents
    if (payoutEntries(userId, available, Math.max(1, all + 1))) throw new Error('a payout overdraws')
    const cents = Math.floor(all * part)
    if (cents <= 0) return
    const entries = payoutEntries(userId, available, cents) as Entry[]
    this.post('payout', null, entries)
    this.payouts.push({ entries, cents, given: new Map() })
    for (const { kind, userId, amountCents } of entries)
      if (userId && amountCents > 0 && this.owed(kind, userId) < 0) throw new Error('a payout overdraws')
  }

  private finishPayout(pick: number, paid: boolean): void {
    const [payout] = this.payouts.splice(Math.floor(pick * this.payouts.length), 1)
    if (!payout) return
    if (paid) {
      this.post('payout_paid', null, payoutPaidEntries(payout.cents))
      this.paid.push(payout)
      // Old payouts leave like old orders: each step looks at all that are left.
      if (this.paid.length > 60) this.paid.shift()
    } else {
      this.post('payout_returned', null, reversed(payout.entries))
      this.cutShort(payout)
    }
  }

  /** Nobody keeps what was to be taken back and wasn't there, once it is there again. */
  private cutShort({ entries, given }: SetAside): void {
    const { userId, amountCents = 0 } = entries.find(({ kind }) => kind === 'referrer_available') ?? {}
    if (!userId) return
    let left = amountCents
    const cut = (order: Order, isGivenBack: boolean) =>
      cutShortEntries(order.balance, { referrerId: userId, cents: left, isGivenBack, now: this.now })
    for (const [order, isGivenBack] of given) {
      const cutEntries = cut(order, isGivenBack)
      if (cutEntries.length === 0) continue
      left -= cutEntries[0]?.amountCents ?? 0
      const before = order.balance
      this.post('refund', order, cutEntries, false)
      const { returnedCents, disputedCents } = order.balance
      if (returnedCents !== before.returnedCents || disputedCents !== before.disputedCents)
        throw new Error('what is cut short changes what the buyer got back')
      this.cutShortCents += amountCents - left
      if (left > 0 && cut(order, isGivenBack).length > 0) throw new Error('a part stays cut short')
    }
    if (left < 0) throw new Error('more is taken than came back')
  }

  /** Paid payouts come back to the bank account, each once. */
  private returnPaid(pick: number): void {
    const [payout] = this.paid.splice(Math.floor(pick * this.paid.length), 1)
    if (!payout) return
    const before = this.accounts.get('bank') ?? 0
    this.post('payout_returned', null, paidReturnedEntries(payout.entries, payout.cents))
    if (this.accounts.get('bank') !== before + payout.cents)
      throw new Error('the bank account lacks what came back')
    this.cutShort(payout)
  }

  private readonly funds = (userId: string) => this.owed('referrer_available', userId)

  private post(
    kind: OrderPosting['journalKind'],
    order: Order | null,
    entries: Entry[],
    isGiven = kind === 'refund' || kind === 'dispute_opened' || kind === 'dispute_lost',
  ): void {
    this.done[kind] = (this.done[kind] ?? 0) + 1
    if (order && isGiven)
      for (const { given } of [...this.payouts, ...this.paid])
        given.set(order, given.get(order) === true || kind !== 'dispute_opened')
    if (order) order.post(kind, entries)
    else if (sum(entries) !== 0) throw new Error(`${kind} sums to ${sum(entries)}`)
    for (const { kind, userId, amountCents, availableAt } of entries) {
      const key = userId === null ? kind : `${kind} ${userId}`
      this.accounts.set(key, (this.accounts.get(key) ?? 0) + amountCents)
      if (availableAt)
        this.pending.set(key, [...(this.pending.get(key) ?? []), { cents: -amountCents, availableAt }])
      const mayBeNegative = userId === null || kind === 'creator_available'
      if (!mayBeNegative && this.owed(kind, userId) < 0) throw new Error(`${key} is overdrawn`)
    }
  }
}

test('100,000 random sales, refunds, disputes, releases, payouts, refunds sent another way and settled batches leave every account right', () => {
  const ledger = new Ledger()
  const random = seeded(11)
  for (let step = 0; step < 100_000; step++)
    ledger.step({ act: Math.floor(random() * 9), pick: random(), part: random() })
  expect([...ledger.accounts.values()].reduce((total, cents) => total + cents, 0)).toBe(0)
  // Each kind of thing did happen, and often.
  expect(Math.min(...Object.values(ledger.done))).toBeGreaterThan(500)
  expect(Object.keys(ledger.done)).toHaveLength(10)
  // The receivable is captures less settlements: only chargebacks change it otherwise.
  ledger.settle()
  expect(ledger.accounts.get('gateway')).toBe(-ledger.chargedBackCents)
  expect(ledger.accounts.get('suspense')).toBe(-ledger.beyondCents)
  expect(ledger.lossesCents).toBeGreaterThan(0)
  expect(ledger.cutShortCents).toBeGreaterThan(0)
  expect(ledger.accounts.get('dispute_losses')).toBe(ledger.lossesCents)
  for (const order of ledger.orders) {
    const { grossCents, returnedCents, disputedCents } = order.balance
    expect(returnedCents + disputedCents).toBeLessThanOrEqual(grossCents)
  }
})
