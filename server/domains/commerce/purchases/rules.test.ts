import { describe, expect, test } from 'vitest'
import { answerTo, concludesNotCharged, type ExistingAccess, type Item, refusal } from './rules.ts'

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
      { ...item, kind: 'subscription', contents: [] },
      { open: false, has: true },
      order,
    ],
    ['price_changed', item, nobody, { ...order, shownCents: 399, shownItems: 2 }],
    ['contents_changed', item, nobody, { ...order, shownItems: 2 }],
  ] as const)('says %s before anything that comes after it', (code, sold, existingAccess, wanted) => {
    expect(refusal(sold as Item | null, existingAccess, wanted)).toBe(code)
  })
})

test.each([
  ['captured', null, true, 200],
  ['captured', null, false, 200],
  ['refunded', null, false, 200],
  ['held', null, true, 202],
  ['unknown', 'timeout', false, 202],
  ['submitting', null, true, 202],
  ['submitting', null, false, 'request_in_flight'],
  ['created', null, false, 'request_in_flight'],
  ['declined', '2', true, 'card_declined'],
  ['refused', 'E00003', true, 'payment_refused'],
  ['refused', 'token_expired', true, 'card_token_expired'],
  ['refused', 'gateway_unreachable', true, 'gateway_unreachable'],
  ['refused', 'abandoned', false, 'payment_interrupted'],
  ['refused', 'not_charged', false, 'payment_interrupted'],
  ['voided', 'already_owned', true, 'already_owned'],
  ['voided', 'already_subscribed', true, 'already_subscribed'],
  ['voided', null, false, 'payment_interrupted'],
] as const)(
  'a purchase that is %s (%s), first call %s, is answered by %s',
  (status, reason, first, answer) => {
    expect(answerTo({ status, reason }, first)).toBe(answer)
  },
)

test('not charged is concluded after three look-ups and a quarter of an hour, never after one of the two', () => {
  const submittedAt = new Date('2027-01-01T00:00:00Z')
  const after = (minutes: number) => new Date(submittedAt.getTime() + minutes * 60_000)
  expect(concludesNotCharged({ lookups: 3, submittedAt }, after(15))).toBe(true)
  expect(concludesNotCharged({ lookups: 2, submittedAt }, after(600))).toBe(false)
  expect(concludesNotCharged({ lookups: 300, submittedAt }, after(14.9))).toBe(false)
})
