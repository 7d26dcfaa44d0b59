import { describe, expect, test } from 'vitest'
import { consentNetwork } from '../../../networks.ts'
import { type ExistingAccess, type Item, isSameOrder, refusal } from './rules.ts'

const item: Item = {
  kind: 'bundle',
  creatorId: 'creator',
  creatorHidden: false,
  title: 'A bundle',
  priceCents: 400,
  contents: [{ mediaId: 'one', versionId: 'first' }],
}
const nobody: ExistingAccess = { open: false, has: false }
const order = {
  buyerId: 'fan',
  blockedSeller: false,
  shownCents: 400,
  shownItems: 1,
  publishingOpen: true,
}

describe('refusal', () => {
  test('sells what is for sale at the price that was shown, or to whom no price was shown', () => {
    expect(refusal(item, nobody, order)).toBeNull()
    expect(refusal(item, nobody, { ...order, shownCents: null, shownItems: null })).toBeNull()
  })

  test.each([
    ['item_not_found', null, nobody, order],
    ['item_not_found', { ...item, creatorHidden: true }, nobody, { ...order, buyerId: 'creator' }],
    ['own_item', item, { open: true, has: true }, { ...order, buyerId: 'creator', blockedSeller: true }],
    [
      'seller_blocked',
      item,
      { open: true, has: true },
      { ...order, blockedSeller: true, publishingOpen: false },
    ],
    ['publishing_closed', item, { open: true, has: true }, { ...order, publishingOpen: false }],
    ['item_not_found', { ...item, priceCents: 0 }, nobody, { ...order, shownCents: 0 }],
    ['item_not_found', { ...item, contents: [] }, nobody, order],
    ['purchase_in_progress', item, { open: true, has: true }, { ...order, shownCents: 1 }],
    ['already_owned', item, { open: false, has: true }, { ...order, shownCents: 1 }],
    [
      'already_subscribed',
      { ...item, kind: 'subscription', contents: null },
      { open: false, has: true },
      order,
    ],
    ['price_changed', item, nobody, { ...order, shownCents: 399, shownItems: 2 }],
    ['delivery_changed', { ...item, deliveryDays: 3 }, nobody, { ...order, shownDays: 2, shownItems: 2 }],
    ['contents_changed', item, nobody, { ...order, shownItems: 2 }],
    [
      'contents_changed',
      { ...item, kind: 'subscription', contents: null, includes: 1 },
      nobody,
      { ...order, shownItems: 2 },
    ],
    [
      null,
      { ...item, kind: 'subscription', contents: null, includes: 3 },
      nobody,
      { ...order, shownItems: 2 },
    ],
  ] as const)('says %s before anything that comes after it', (code, sold, existingAccess, wanted) => {
    expect(refusal(sold as Item | null, existingAccess, wanted)).toBe(code)
  })
})

test('an open order is paid again only for the same price, items and versions', () => {
  const open = { amountCents: 400, contents: [{ mediaId: 'one', versionId: 'first' }] }
  expect(isSameOrder(open, item)).toBe(true)
  expect(isSameOrder({ ...open, amountCents: 399 }, item)).toBe(false)
  expect(isSameOrder({ ...open, contents: [] }, item)).toBe(false)
  expect(isSameOrder({ ...open, contents: [null] }, item)).toBe(false)
  expect(isSameOrder({ ...open, contents: [{ mediaId: 'one', versionId: 'second' }] }, item)).toBe(false)
  expect(isSameOrder({ ...open, contents: [] }, { ...item, kind: 'subscription', contents: null })).toBe(true)
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['unknown', null],
])('of the address %s an order keeps %s', (ip, network) => {
  expect(consentNetwork(ip)).toBe(network)
})
