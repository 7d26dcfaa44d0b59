import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  disputeLostEntries,
  disputeOpenedEntries,
  disputeWonEntries,
  duplicateRefundEntries,
  type Entry,
  type OrderBalance,
  type OrderPosting,
  orderBalance,
  paidReturnedEntries,
  payoutEntries,
  payoutPaidEntries,
  refundableCents,
  refundEntries,
  releaseEntries,
  reversed,
  saleEntries,
  sendingBegunEntries,
  sendingEndedEntries,
  settlementEntries,
} from './rules.ts'

const DAY_MS = 24 * 3600 * 1000
const start = new Date('2027-01-01T00:00:00Z')
const sum = (entries: { amountCents: number }[]) => entries.reduce((total, one) => total + one.amountCents, 0)

/** The journals of one order, and what they come to. */
class Order {
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

type SaleSample = { grossCents: number; feeBasisPoints: number; commissionShares: number[] }
const sales: fc.Arbitrary<SaleSample> = fc.record({
  grossCents: fc.integer({ min: 1, max: 999_999_999 }),
  feeBasisPoints: fc.integer({ min: 0, max: 10_000 }),
  commissionShares: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 2 }),
})

function sell({ grossCents, feeBasisPoints, commissionShares }: SaleSample): Order {
  const order = new Order()
  const feeCents = Math.floor((grossCents * feeBasisPoints) / 10_000)
  const commissions = commissionShares.map((percent, index) => ({
    referrerId: `referrer ${index}`,
    cents: Math.floor((feeCents * percent) / 100),
  }))
  order.post('sale', saleEntries({ creatorId: 'creator', grossCents, feeBasisPoints, commissions }, start))
  return order
}

const rich = () => Number.MAX_SAFE_INTEGER
const decided = { now: start, deliveredBy: null, isSent: false }

describe('an order that is given back in parts', () => {
  test('ends at exactly zero for everybody, however it is cut', () => {
    fc.assert(
      fc.property(
        sales,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        (sale, cuts) => {
          const order = sell(sale)
          const days = [1, 9]
          for (const [index, cut] of [...cuts, 1].entries()) {
            const left = refundableCents(order.balance)
            const cents = cut === 1 ? left : Math.floor(left * cut)
            if (cents === 0) continue
            const now = new Date(start.getTime() + (days[index % 2] as number) * DAY_MS)
            order.post('refund', refundEntries(order.balance, cents, rich, now))
            // No part takes more from somebody than it should, to the cent.
            const { returnedCents, grossCents, parties } = order.balance
            for (const party of parties)
              expect(BigInt(party.returnedCents)).toBe(
                (BigInt(party.earnedCents) * BigInt(returnedCents)) / BigInt(grossCents),
              )
          }
          const owed = new Map<string, number>()
          for (const { kind, userId, amountCents } of order.postings) {
            const account = userId === null ? kind : `${kind.split('_')[0]} ${userId}`
            owed.set(account, (owed.get(account) ?? 0) + amountCents)
          }
          expect([...owed.values()].filter((cents) => cents !== 0)).toEqual([])
          expect(() => refundEntries(order.balance, 1, rich, start)).toThrow(/can't be given back/)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('a refund during a dispute leaves its amount alone, and both together end at zero', () => {
    fc.assert(
      fc.property(sales, fc.integer({ min: 0, max: 100 }), fc.boolean(), (sale, percent, won) => {
        const order = sell(sale)
        const disputed = Math.max(1, Math.floor((sale.grossCents * percent) / 100))
        const opened = { cents: disputed, feeCents: 1500, isUndelivered: false }
        const covered = { funds: rich, now: start }
        order.post('dispute_opened', disputeOpenedEntries(order.balance, opened, covered))
        const rest = refundableCents(order.balance)
        expect(rest).toBe(sale.grossCents - disputed)
        if (rest > 0) order.post('refund', refundEntries(order.balance, rest, rich, start))
        expect(() => refundEntries(order.balance, 1, rich, start)).toThrow(/can't be given back/)
        if (won) order.post('dispute_won', disputeWonEntries(order.balance, disputed, decided))
        else order.post('dispute_lost', disputeLostEntries(order.balance, rich, decided))
        const { parties, disputedCents, returnedCents } = order.balance
        expect([disputedCents, ...parties.filter((party) => party.reservedCents !== 0)]).toEqual([0])
        expect(returnedCents).toBe(won ? rest : sale.grossCents)
        if (!won) for (const party of parties) expect(party.returnedCents).toBe(party.earnedCents)
      }),
      { numRuns: 1000 },
    )
  })

  test('a refund that turns up after a bank took the same money is the platform’s loss, as far as it is double', () => {
    fc.assert(
      fc.property(sales, fc.integer({ min: 1, max: 100 }), fc.boolean(), (sale, percent, won) => {
        const order = sell(sale)
        const disputed = Math.max(1, Math.floor((sale.grossCents * percent) / 100))
        const covered = { funds: rich, now: start }
        order.post(
          'dispute_opened',
          disputeOpenedEntries(
            order.balance,
            { cents: disputed, feeCents: 1500, isUndelivered: false },
            covered,
          ),
        )
        const entries = duplicateRefundEntries(order.balance, sale.grossCents, rich, start)
        expect(entries.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0)
        const lost = entries.filter(({ kind }) => kind === 'dispute_losses')
        expect(lost).toMatchObject([{ amountCents: disputed }])
        order.post('refund', entries)
        if (won) order.post('dispute_won', disputeWonEntries(order.balance, disputed, decided))
        else order.post('dispute_lost', disputeLostEntries(order.balance, rich, decided))
        const { parties, disputedCents, returnedCents } = order.balance
        expect([disputedCents, ...parties.filter((party) => party.reservedCents !== 0)]).toEqual([0])
        expect(returnedCents).toBe(won ? sale.grossCents - disputed : sale.grossCents)
      }),
      { numRuns: 1000 },
    )
  })

  test('what a referrer no longer has is the platform’s to bear, and a creator may come to owe it', () => {
    const order = sell({ grossCents: 10_000, feeBasisPoints: 2000, commissionShares: [35] })
    const later = new Date(start.getTime() + 8 * DAY_MS)
    const entries = refundEntries(order.balance, 10_000, () => 300, later)
    expect(entries.filter(({ amountCents }) => amountCents !== 0)).toEqual([
      { kind: 'gateway', userId: null, amountCents: -10_000, availableAt: null },
      { kind: 'creator_available', userId: 'creator', amountCents: 8000, availableAt: null },
      { kind: 'referrer_available', userId: 'referrer 0', amountCents: 300, availableAt: null },
      { kind: 'platform_fees', userId: null, amountCents: 1700, availableAt: null },
    ])
  })
})

test('a dispute holds all of what is still to be delivered, and all of it waits for the new deadline', () => {
  const day = (days: number) => new Date(start.getTime() + days * DAY_MS)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.boolean(),
      (disputed, refunded, won) => {
        const order = new Order()
        const commissions = [{ referrerId: 'referrer', cents: 300 }]
        const sale = { creatorId: 'creator', grossCents: 10_000, feeBasisPoints: 2000, commissions }
        order.post('sale', saleEntries({ ...sale, deliveredBy: day(3) }, start))
        const opened = { cents: disputed, feeCents: 1500, isUndelivered: true }
        const covered = { funds: rich, now: day(1) }
        order.post('dispute_opened', disputeOpenedEntries(order.balance, opened, covered))
        expect(order.balance.parties.map(({ reservedCents }) => reservedCents)).toEqual([8000, 300])
        const cents = Math.min(refunded, refundableCents(order.balance))
        if (cents > 0) order.post('refund', refundEntries(order.balance, cents, rich, day(29)))
        const decided = { now: day(30), deliveredBy: day(32), isSent: false }
        if (won) order.post('dispute_won', disputeWonEntries(order.balance, disputed, decided))
        else order.post('dispute_lost', disputeLostEntries(order.balance, rich, decided))
        const left: Record<string, number> = {}
        for (const { kind, userId, amountCents, availableAt } of order.postings) {
          if (userId === null) continue
          const key = `${kind} ${availableAt?.toISOString()}`
          left[key] = (left[key] ?? 0) - amountCents
        }
        const { parties } = order.balance
        const shares = parties.map(({ earnedCents, returnedCents }) => earnedCents - returnedCents)
        const at = day(39).toISOString()
        const held = Object.entries(left).filter(([, owed]) => owed !== 0)
        expect(Object.fromEntries(held)).toEqual(
          Object.fromEntries(
            [
              [`creator_pending ${at}`, shares[0]],
              [`referrer_pending ${at}`, shares[1]],
            ].filter(([, share]) => share !== 0),
          ),
        )
      },
    ),
  )
})

test('a refund that is sent another way holds all of what is still to be delivered, whatever a bank takes meanwhile', () => {
  const day = (days: number) => new Date(start.getTime() + days * DAY_MS)
  const anyCents = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(
      anyCents,
      anyCents,
      fc.constantFrom(null, 'won', 'lost'),
      fc.boolean(),
      (disputed, refunded, outcome, isDecidedFirst) => {
        const order = new Order()
        const commissions = [{ referrerId: 'referrer', cents: 300 }]
        const sale = { creatorId: 'creator', grossCents: 10_000, feeBasisPoints: 2000, commissions }
        order.post('sale', saleEntries({ ...sale, deliveredBy: day(3) }, start))
        order.post('release', sendingBegunEntries(order.balance, { funds: rich, now: day(1) }))
        const shares = () => order.balance.parties.map((one) => one.earnedCents - one.returnedCents)
        const held = () => order.balance.parties.map(({ reservedCents }) => reservedCents)
        expect(held()).toEqual([8000, 300])
        const isDisputed = outcome !== null && disputed > 0
        if (isDisputed) {
          const opened = { cents: disputed, feeCents: 1500, isUndelivered: true }
          const covers = { funds: rich, now: day(2) }
          order.post('dispute_opened', disputeOpenedEntries(order.balance, opened, covers))
        }
        const decide = (isSent: boolean) => {
          if (!isDisputed) return
          const decided = { now: day(30), deliveredBy: day(32), isSent }
          if (outcome === 'won')
            order.post('dispute_won', disputeWonEntries(order.balance, disputed, decided))
          else order.post('dispute_lost', disputeLostEntries(order.balance, rich, decided))
        }
        const end = (deliveredBy: Date) => {
          const cents = Math.min(refunded, refundableCents(order.balance))
          if (cents > 0) order.post('refund', refundEntries(order.balance, cents, rich, day(30)))
          order.post('release', sendingEndedEntries(order.balance, { now: day(30), deliveredBy }))
        }
        expect(held()).toEqual(shares())
        if (isDecidedFirst) decide(true)
        else end(day(32))
        if (isDisputed) expect(held()).toEqual(shares())
        if (isDecidedFirst) end(day(32))
        else decide(false)
        const left: Record<string, number> = {}
        for (const { kind, userId, amountCents, availableAt } of order.postings) {
          if (userId === null) continue
          const key = `${kind} ${availableAt?.toISOString()}`
          left[key] = (left[key] ?? 0) - amountCents
        }
        const at = day(39).toISOString()
        const [creators, referrers] = shares()
        const waiting = { [`creator_pending ${at}`]: creators, [`referrer_pending ${at}`]: referrers }
        const owed = (of: object) => Object.fromEntries(Object.entries(of).filter(([, cents]) => cents !== 0))
        expect(owed(left)).toEqual(owed(waiting))
      },
    ),
  )
})

describe('a referrer’s part of what is disputed', () => {
  const later = new Date(start.getTime() + 8 * DAY_MS)
  const decided = { now: later, deliveredBy: null, isSent: false }
  const sold = () => sell({ grossCents: 10_000, feeBasisPoints: 2000, commissionShares: [35] })
  const open = (order: Order, now: Date, funds: () => number) =>
    order.post(
      'dispute_opened',
      disputeOpenedEntries(
        order.balance,
        { cents: 5000, feeCents: 1500, isUndelivered: false },
        { funds, now },
      ),
    )
  const referrers = (order: Order) => {
    const owed: Record<string, number> = {}
    for (const { kind, userId, amountCents } of order.postings)
      if (userId?.startsWith('referrer')) owed[kind] = (owed[kind] ?? 0) - amountCents
    return owed
  }

  test.each([
    ['pending', start, { referrer_pending: 350, referrer_reserve: 350 }],
    ['available', later, { referrer_pending: 700, referrer_available: -350, referrer_reserve: 350 }],
  ] as const)('is reserved where it is %s, and goes back or to the buyer', (_where, now, reserved) => {
    for (const won of [true, false]) {
      const order = sold()
      open(order, now, rich)
      expect(referrers(order)).toEqual(reserved)
      if (won) order.post('dispute_won', disputeWonEntries(order.balance, 5000, decided))
      // Nothing but what is reserved is there to take.
      else
        order.post(
          'dispute_lost',
          disputeLostEntries(order.balance, () => 0, decided),
        )
      const { referrer_reserve, ...left } = referrers(order)
      expect(referrer_reserve).toBe(0)
      expect(sum(Object.values(left).map((amountCents) => ({ amountCents })))).toBe(won ? 700 : 350)
    }
  })

  test('is reserved as far as they have it, and the platform bears the rest', () => {
    const order = sold()
    open(order, later, () => 100)
    expect(referrers(order)).toMatchObject({ referrer_available: -100, referrer_reserve: 100 })
    order.post(
      'dispute_lost',
      disputeLostEntries(order.balance, () => 0, decided),
    )
    expect(referrers(order)).toMatchObject({ referrer_available: -100, referrer_reserve: 0 })
    const fees = order.postings.filter(({ kind }) => kind === 'platform_fees')
    expect(sum(fees)).toBe(-1300 + 5000 - 4000 - 100)
  })
})

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

/** A ledger in memory, of the same lines that the real one posts. */
class Ledger {
  readonly orders: Order[] = []
  readonly accounts = new Map<string, number>()
  /** Pending lines by account and by when they become available. */
  private readonly pending = new Map<string, { cents: number; availableAt: Date }[]>()
  private readonly payouts: { entries: Entry[]; cents: number }[] = []
  private readonly paid: { entries: Entry[]; cents: number }[] = []
  now = start
  /** Charged and given back by the gateway, and in no batch yet. */
  private unsettledCents = 0
  /** Chargebacks with their fees, less what banks gave back again. */
  chargedBackCents = 0
  /** Chargebacks of amounts that had been refunded before. */
  lossesCents = 0
  beyondCents = 0
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
    this.payouts.push({ entries, cents })
    for (const { kind, userId, amountCents } of entries)
      if (userId && amountCents > 0 && this.owed(kind, userId) < 0) throw new Error('a payout overdraws')
  }

  private finishPayout(pick: number, paid: boolean): void {
    const [payout] = this.payouts.splice(Math.floor(pick * this.payouts.length), 1)
    if (!payout) return
    if (paid) {
      this.post('payout_paid', null, payoutPaidEntries(payout.cents))
      this.paid.push(payout)
    } else this.post('payout_returned', null, reversed(payout.entries))
  }

  /** Paid payouts come back to the bank account, each once. */
  private returnPaid(pick: number): void {
    const [payout] = this.paid.splice(Math.floor(pick * this.paid.length), 1)
    if (!payout) return
    const before = this.accounts.get('bank') ?? 0
    this.post('payout_returned', null, paidReturnedEntries(payout.entries, payout.cents))
    if (this.accounts.get('bank') !== before + payout.cents)
      throw new Error('the bank account lacks what came back')
  }

  private readonly funds = (userId: string) => this.owed('referrer_available', userId)

  private post(kind: OrderPosting['journalKind'], order: Order | null, entries: Entry[]): void {
    this.done[kind] = (this.done[kind] ?? 0) + 1
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
  expect(ledger.accounts.get('dispute_losses')).toBe(ledger.lossesCents)
  for (const order of ledger.orders) {
    const { grossCents, returnedCents, disputedCents } = order.balance
    expect(returnedCents + disputedCents).toBeLessThanOrEqual(grossCents)
  }
})
