import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OFFER_TYPES, type OfferView } from '../../../../contract/offers.ts'
import {
  type OfferState,
  type OfferViewer,
  redeemRefusal,
  regularCents,
  showsContents,
  statusOf,
  viewOf,
} from './rules.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const earlier = new Date(now.getTime() - 1)
const open: OfferState = {
  ended_at: null,
  expires_at: null,
  redemptions_allowed: 0,
  redemptions_taken: 7,
  available_to_all: true,
}
const fan: OfferViewer = {
  loggedIn: true,
  own: false,
  redeemed: false,
  reserved: false,
  invited: false,
  given: true,
  owns: false,
}
const full = { redemptions_allowed: 7 }
const chosen = { available_to_all: false }

describe('viewOf', () => {
  test.each<[OfferView, Partial<OfferState>, Partial<OfferViewer>]>([
    ['open', {}, {}],
    ['open', chosen, { invited: true }],
    ['open', full, { reserved: true }],
    ['open', {}, { loggedIn: false }],
    ['expired', { expires_at: now }, { redeemed: true, own: true }],
    ['expired', { ended_at: earlier, ...chosen }, { loggedIn: false }],
    ['redeemed', { ...chosen, ...full }, { redeemed: true, given: false, owns: true }],
    ['login', { ...chosen, ...full }, { loggedIn: false, given: false }],
    ['own', { ...chosen, ...full }, { own: true, given: false }],
    ['unavailable', { ...chosen, ...full }, { given: false, owns: true }],
    ['gone', full, { given: false }],
    ['usedUp', full, { owns: true }],
    ['owned', {}, { owns: true }],
  ])('shows %s before anything that comes after it', (view, offer, viewer) => {
    expect(viewOf({ ...open, ...offer }, { ...fan, ...viewer }, now)).toBe(view)
  })

  test('an offer lasts to the last moment before its expiration', () => {
    const last = { ...open, expires_at: new Date(now.getTime() + 1) }
    expect([viewOf(last, fan, now), statusOf(last, now)]).toEqual(['open', 'active'])
  })
})

const flag = fc.boolean()
const anyOffer = fc.record({
  ended_at: fc.constantFrom(null, earlier),
  expires_at: fc.constantFrom(null, earlier, now, new Date(now.getTime() + 1)),
  redemptions_allowed: fc.integer({ min: 0, max: 3 }),
  redemptions_taken: fc.integer({ min: 0, max: 3 }),
  available_to_all: flag,
})
const anyViewer = fc.record({
  loggedIn: flag,
  own: flag,
  redeemed: flag,
  reserved: flag,
  invited: flag,
  given: flag,
  owns: flag,
})

test('only an open offer is redeemed, and only by whom it is for', () => {
  fc.assert(
    fc.property(anyOffer, anyViewer, fc.constantFrom(...OFFER_TYPES), (offer, viewer, type) => {
      const view = viewOf(offer, viewer, now)
      expect(redeemRefusal(view, type) === null).toBe(view === 'open')
      const isForViewer = offer.available_to_all || viewer.invited || viewer.own || viewer.redeemed
      if (showsContents(view)) expect(isForViewer).toBe(true)
      if (view !== 'open') return
      expect(statusOf(offer, now) === 'active' || viewer.reserved).toBe(true)
      expect(viewer).toMatchObject({ own: false, redeemed: false, given: true, owns: false })
    }),
    { numRuns: 5000 },
  )
})

test.each([
  [500, null, 500],
  [1000, 7, 1000],
  [1000, 30, 1000],
  [1000, 31, 2000],
  [1000, 365, 13_000],
])('of %s cents for %s days, %s are the regular price', (cents, days, regular) => {
  expect(regularCents(cents, days)).toBe(regular)
})
