import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consistent, FLAG_NAMES, type Flags, NEW_UPLOAD_FLAGS } from '../../../contract/visibility.ts'
import { editRefusal, flagsAfter, linkExpiry, mainPicture } from './rules.ts'

const flag = fc.boolean()
const flags = fc
  .record({
    showInSearch: flag,
    redditPromotion: flag,
    mustUnlock: flag,
    showInStore: flag,
    directOnly: flag,
  })
  .filter(consistent)
const sent = fc.record(Object.fromEntries(FLAG_NAMES.map((name) => [name, flag])), { requiredKeys: [] })
const all = (on: Partial<Flags>): Flags => ({ ...NEW_UPLOAD_FLAGS, mustUnlock: false, ...on })

describe('flagsAfter', () => {
  it('never leaves flags that contradict each other, whatever is sent', () => {
    fc.assert(fc.property(flags, sent, (before, edit) => consistent(flagsAfter(before, edit))))
  })

  it('arrives at any possible combination when all five are sent', () => {
    fc.assert(
      fc.property(flags, flags, (before, wanted) => {
        expect(flagsAfter(before, wanted)).toEqual(wanted)
      }),
    )
  })

  it('moves the others only when a flag differs', () => {
    const before = all({ mustUnlock: true, showInStore: true })
    expect(flagsAfter(before, { showInStore: true, mustUnlock: true })).toEqual(before)
    expect(flagsAfter(before, { redditPromotion: true })).toEqual(all({ redditPromotion: true }))
    expect(flagsAfter(before, { mustUnlock: false })).toEqual(all({}))
    expect(flagsAfter(all({}), { showInStore: true })).toEqual(all({ mustUnlock: true, showInStore: true }))
  })

  it('keeps private and locked what is sent as that, also where it was that before', () => {
    fc.assert(
      fc.property(flags, sent, (before, edit) => {
        const after = flagsAfter(before, { ...edit, directOnly: true })
        expect(after).toEqual(all({ directOnly: true }))
        expect(flagsAfter(before, { ...edit, directOnly: false, mustUnlock: true }).mustUnlock).toBe(true)
      }),
    )
  })

  it('lets private win over everything that is turned on with it', () => {
    const every = { showInSearch: true, redditPromotion: true, showInStore: true, mustUnlock: true }
    expect(flagsAfter(all({}), { ...every, directOnly: true })).toEqual(all({ directOnly: true }))
  })
})

describe('editRefusal', () => {
  const locked = all({ mustUnlock: true })
  const may = { ownerIsCreator: true, publishingOpen: true, leastPriceCents: 100 }
  const edit = (flags: Flags, more = {}) => ({
    flags,
    title: 'T',
    priceCents: 400,
    titleRequired: false,
    ...more,
  })

  it.each([
    ['listing', all({ mustUnlock: true, showInSearch: true })],
    ['promoting', all({ redditPromotion: true })],
    ['selling', all({ mustUnlock: true, showInStore: true })],
    ['opening to everybody', all({})],
  ])('%s is for creators, while publishing is open', (_, after) => {
    expect(editRefusal(locked, edit(after), may)).toBeNull()
    expect(editRefusal(locked, edit(after), { ...may, ownerIsCreator: false })).toBe('creators_only')
    expect(editRefusal(locked, edit(after), { ...may, publishingOpen: false })).toBe('publishing_closed')
  })

  it('lets anybody lock, make private, and take back what was public', () => {
    const nobody = { ownerIsCreator: false, publishingOpen: false, leastPriceCents: 100 }
    expect(editRefusal(all({ directOnly: true }), edit(locked), nobody)).toBeNull()
    expect(editRefusal(locked, edit(all({ directOnly: true })), nobody)).toBeNull()
    expect(editRefusal(all({ mustUnlock: true, showInSearch: true }), edit(locked), nobody)).toBeNull()
    expect(editRefusal(all({}), edit(all({}), { title: 'Another' }), nobody)).toBeNull()
  })

  it('wants a title that was sent to be one, and title and price of what is on sale', () => {
    const onSale = all({ mustUnlock: true, showInStore: true })
    expect(editRefusal(locked, edit(locked, { title: '', titleRequired: true }), may)).toBe(
      'must_include_title',
    )
    expect(editRefusal(locked, edit(locked, { title: '' }), may)).toBeNull()
    expect(editRefusal(locked, edit(onSale, { title: '' }), may)).toBe('must_include_title')
    expect(editRefusal(locked, edit(onSale, { priceCents: 0 }), may)).toBe('must_include_price')
    expect(editRefusal(locked, edit(onSale, { priceCents: 99 }), may)).toBe('price_too_low')
    expect(editRefusal(locked, edit(onSale, { priceCents: 100 }), may)).toBeNull()
  })
})

describe('linkExpiry', () => {
  it('is a full minute, 240 to 300 seconds ahead', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (milliseconds) => {
        const expiry = linkExpiry(new Date(milliseconds))
        expect(expiry % 60).toBe(0)
        const ahead = expiry - milliseconds / 1000
        expect(ahead).toBeGreaterThanOrEqual(240)
        expect(ahead).toBeLessThanOrEqual(300)
      }),
    )
  })
})

describe('mainPicture', () => {
  it.each([
    [[320, 640, 1080, 1920], 1080],
    [[1920, 320], 320],
    [[1200], 1200],
    [[], undefined],
  ])('of widths %j is %j', (widths, expected) => {
    expect(mainPicture(widths.map((width) => ({ name: `w${width}.webp`, width })))?.width).toBe(expected)
  })
})
