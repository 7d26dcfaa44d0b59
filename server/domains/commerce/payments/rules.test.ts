import { expect, test } from 'vitest'
import { answerTo, concludesNotCharged, statusMessage } from './rules.ts'

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
  ['declined', '27', true, 'card_address_mismatch'],
  ['refused', 'E00003', true, 'payment_refused'],
  ['refused', 'token_expired', true, 'card_token_expired'],
  ['refused', 'gateway_unreachable', true, 'gateway_unreachable'],
  ['refused', 'abandoned', false, 'payment_interrupted'],
  ['refused', 'not_charged', false, 'payment_interrupted'],
  ['voided', 'already_owned', true, 'already_owned'],
  ['voided', 'already_subscribed', true, 'already_subscribed'],
  ['voided', null, false, 'payment_interrupted'],
] as const)(
  'a payment that is %s (%s), first call %s, is answered by %s',
  (status, reason, first, answer) => {
    expect(answerTo({ status, reason, stored_card_id: null }, first)).toBe(answer)
  },
)

test('a stored card has no address to check', () => {
  const declined = { kind: 'tip', status: 'declined', reason: '27', stored_card_id: 'any' } as const
  expect(answerTo(declined, true)).toBe('card_declined')
  expect(statusMessage(declined)).toBe('Your card was declined. You have not been charged.')
})

test('a renewal under review says what becomes of the subscription', () => {
  const held = { kind: 'subscription', status: 'held', reason: null, stored_card_id: 'any' } as const
  expect(statusMessage({ ...held, off_session: true })).toContain('Your subscription renews automatically')
  expect(statusMessage(held)).toContain('Your purchase unlocks automatically')
})

test('not charged is concluded after three look-ups and a quarter of an hour, never after one of the two', () => {
  const submittedAt = new Date('2027-01-01T00:00:00Z')
  const after = (minutes: number) => new Date(submittedAt.getTime() + minutes * 60_000)
  expect(concludesNotCharged({ lookups: 3, submittedAt }, after(15))).toBe(true)
  expect(concludesNotCharged({ lookups: 2, submittedAt }, after(600))).toBe(false)
  expect(concludesNotCharged({ lookups: 300, submittedAt }, after(14.9))).toBe(false)
})
