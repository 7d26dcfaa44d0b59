import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commissionsOf, type Referral } from './rules.ts'

const NOW = new Date('2026-11-24T12:00:00Z')
/** Somebody who signed up so many months before now. */
const monthsAgo = (months: number) => new Date(Date.UTC(2026, 10 - months, 24, 12))
const by = (person: string, months = 0): Referral => ({
  by: person,
  people: [person],
  sharedCodeId: null,
  since: monthsAgo(months),
})
const share = (people: string[], months = 0): Referral => ({
  by: 'code',
  people,
  sharedCodeId: 'code',
  since: monthsAgo(months),
})

type Case = { buyer?: Referral; seller?: Referral; reading?: 'lifetime'; grossCents?: number; fee?: number }

/** Each referrer's commission, in cents of $100. */
function paid({ buyer, seller, reading, grossCents = 10_000, fee = 2000 }: Case): Record<string, number> {
  const sale = { buyerId: 'fan', sellerId: 'creator', grossCents, feeBasisPoints: fee }
  const commissions = commissionsOf(
    { ...sale, buyer: buyer ?? null, seller: seller ?? null },
    reading ?? 'affiliate',
    NOW,
  )
  return Object.fromEntries(commissions.map(({ referrerId, cents }) => [referrerId, cents]))
}

describe('affiliate', () => {
  test.each<[string, Case, Record<string, number>]>([
    ['nobody was referred', {}, {}],
    ['only the buyer', { buyer: by('ann') }, { ann: 700 }],
    ['only the seller', { seller: by('ben') }, { ben: 700 }],
    [
      'two people, each half of their own rate',
      { buyer: by('ann'), seller: by('ben', 41) },
      { ann: 350, ben: 200 },
    ],
    ['the same person, the higher rate once', { buyer: by('ann', 41), seller: by('ann') }, { ann: 700 }],
    [
      'the seller referred the buyer',
      { buyer: by('creator'), seller: by('ben') },
      { creator: 700, ben: 350 },
    ],
    ['the seller referred the buyer, and nobody them', { buyer: by('creator', 70) }, { creator: 200 }],
    ['the buyer referred the seller', { seller: by('fan') }, {}],
    [
      'both came by a code that both share',
      { buyer: share(['fan', 'creator', 'ann']), seller: share(['fan', 'creator', 'ann']) },
      { ann: 700 },
    ],
    [
      'both came by a code that only they share',
      { buyer: share(['fan', 'creator']), seller: share(['fan', 'creator']) },
      {},
    ],
    ['the 12th month', { buyer: by('ann', 11) }, { ann: 700 }],
    ['the 13th month', { buyer: by('ann', 12) }, { ann: 690 }],
    ['long ago', { buyer: by('ann', 120) }, { ann: 200 }],
    [
      'a shared code, what is left over to the first',
      { buyer: share(['ann', 'ben', 'cat']) },
      { ann: 234, ben: 233, cat: 233 },
    ],
    ['somebody who shares the code that they came by', { buyer: share(['fan', 'ann']) }, { ann: 700 }],
    ['a code that nobody else shares', { buyer: share(['fan']), seller: by('ben') }, { ben: 700 }],
    [
      'a code and one who shares it',
      { buyer: share(['ann', 'ben']), seller: by('ann') },
      { ann: 525, ben: 175 },
    ],
    ['a fee below the commissions', { buyer: by('ann'), fee: 500 }, { ann: 500 }],
    [
      'a fee below two commissions',
      { buyer: by('creator'), seller: by('ben'), fee: 600 },
      { creator: 400, ben: 200 },
    ],
    ['no fee', { buyer: by('ann'), fee: 0 }, {}],
    ['too little for a cent', { buyer: by('ann'), grossCents: 14 }, {}],
  ])('%s', (_name, sale, expected) => {
    expect(paid(sale)).toEqual(expected)
  })
})

describe('lifetime', () => {
  test.each<[string, Case, Record<string, number>]>([
    ['only the buyer, long ago', { buyer: by('ann', 120) }, { ann: 700 }],
    ['two people', { buyer: by('ann', 50), seller: by('ben') }, { ann: 350, ben: 350 }],
    ['the same person', { buyer: by('ann'), seller: by('ann') }, { ann: 700 }],
    [
      'the seller referred the buyer',
      { buyer: by('creator'), seller: by('ben') },
      { creator: 350, ben: 350 },
    ],
  ])('%s', (_name, sale, expected) => {
    expect(paid({ ...sale, reading: 'lifetime' })).toEqual(expected)
  })
})

test('whoever referred whom, people are paid whole cents once each, out of the fee alone', () => {
  const person = fc.constantFrom('ann', 'ben', 'cat', 'fan', 'creator')
  const referral = fc.option(
    fc.record({
      by: person,
      people: fc.uniqueArray(person, { minLength: 1 }),
      sharedCodeId: fc.constantFrom(null, 'code'),
      since: fc.integer({ min: 0, max: 200 }).map(monthsAgo),
    }),
  )
  fc.assert(
    fc.property(
      referral,
      referral,
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.constantFrom('affiliate' as const, 'lifetime' as const),
      (buyer, seller, grossCents, feeBasisPoints, reading) => {
        const sale = { buyerId: 'fan', sellerId: 'creator', buyer, seller, grossCents, feeBasisPoints }
        const commissions = commissionsOf(sale, reading, NOW)
        const sum = commissions.reduce((total, { cents }) => total + cents, 0)
        expect(sum).toBeLessThanOrEqual(Math.floor((grossCents * feeBasisPoints) / 10_000))
        for (const { cents } of commissions) expect(Number.isInteger(cents) && cents > 0).toBe(true)
        expect(new Set(commissions.map(({ referrerId }) => referrerId)).size).toBe(commissions.length)
      },
    ),
    { numRuns: 1000 },
  )
})

const people = ['ann', 'ben', 'cat', 'fan', 'creator'] as const
/** One link or code, and who shares it; the same one has the same people. */
const referrers = [
  ...people.map((person) => by(person)),
  share(['ann', 'fan', 'creator']),
  { ...share(['ben', 'creator']), by: 'other' },
]
const referredBy = fc.option(
  fc.record({
    index: fc.nat({ max: referrers.length - 1 }),
    since: fc.integer({ min: 0, max: 200 }).map(monthsAgo),
  }),
)
const readings = fc.constantFrom('affiliate' as const, 'lifetime' as const)
const terms = {
  grossCents: fc.integer({ min: 1, max: 1_000_000 }),
  feeBasisPoints: fc.integer({ min: 0, max: 10_000 }),
}
const of = (chosen: { index: number; since: Date } | null): Referral | null =>
  chosen && { ...(referrers[chosen.index] as Referral), since: chosen.since }

test('nobody earns on their own purchase, and a seller nothing by what they came by', () => {
  fc.assert(
    fc.property(referredBy, referredBy, fc.record(terms), readings, (buyer, seller, sale, reading) => {
      const sides = { buyer: of(buyer), seller: of(seller) }
      const paidTo = commissionsOf({ buyerId: 'fan', sellerId: 'creator', ...sides, ...sale }, reading, NOW)
      const earners = paidTo.map(({ referrerId }) => referrerId)
      expect(earners).not.toContain('fan')
      if (!sides.buyer || sides.buyer.by === sides.seller?.by) expect(earners).not.toContain('creator')
    }),
    { numRuns: 1000 },
  )
})

test('which of two strangers to a sale referred which side makes no difference', () => {
  fc.assert(
    fc.property(referredBy, referredBy, fc.record(terms), readings, (one, other, sale, reading) => {
      const paidBy = (buyer: Referral | null, seller: Referral | null) => {
        const parties = { buyerId: 'a buyer', sellerId: 'a seller' }
        const commissions = commissionsOf({ ...parties, buyer, seller, ...sale }, reading, NOW)
        return Object.fromEntries(commissions.map(({ referrerId, cents }) => [referrerId, cents]))
      }
      expect(paidBy(of(one), of(other))).toEqual(paidBy(of(other), of(one)))
    }),
    { numRuns: 1000 },
  )
})
