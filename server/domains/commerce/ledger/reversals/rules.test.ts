import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, Order, rich, start, sum } from '../../../../testing/money/posted-order.ts'
import { refundableCents, saleEntries } from '../rules.ts'
import {
  disputeLostEntries,
  disputeOpenedEntries,
  disputeWonEntries,
  duplicateRefundEntries,
  refundEntries,
  sendingBegunEntries,
  sendingEndedEntries,
} from './rules.ts'

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
