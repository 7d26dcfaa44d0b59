import fc from 'fast-check'
import { expect, test } from 'vitest'
import { periodEnd } from '../../subscriptions/rules.ts'
import { type DueSubscription, isAnswer, isSilent, type LastAttempt, nextStep, retryAfter } from './rules.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
const end = new Date('2028-02-29T12:00:00.000Z')
const onDay = (day: number) => new Date(end.getTime() + day * DAY_MS)

const declined = (day: number, declineClass: 'soft' | 'hard' = 'soft'): LastAttempt => ({
  status: 'declined',
  reason: '2',
  declineClass,
  offSession: true,
  at: onDay(day),
})
const due = (last: LastAttempt | null, more: Partial<DueSubscription> = {}): DueSubscription => ({
  periodEnd: end,
  renewable: true,
  agreed: true,
  hasCard: true,
  last,
  ...more,
})

test.each([
  ['nothing tried yet', due(null), 0, { step: 'charge' }],
  ['our outage of a week', due(null), 7, { step: 'charge' }],
  ['our outage of a month', due(null), 30, { step: 'end', why: 'unpaid' }],
  ['just declined', due(declined(0)), 0.1, { step: 'wait', until: onDay(1), declined: true }],
  ['declined, a day later', due(declined(0)), 1, { step: 'charge' }],
  ['declined on day 7', due(declined(7)), 8, { step: 'wait', until: onDay(13), declined: true }],
  ['declined for the last time', due(declined(13)), 13.5, { step: 'wait', until: onDay(14), declined: true }],
  ['declined, and day 14 is over', due(declined(13)), 14, { step: 'end', why: 'unpaid' }],
  [
    'a fan’s own payment reviewed on day 14',
    due({ ...declined(13), status: 'held', offSession: false }),
    14,
    { step: 'wait', until: new Date(onDay(14).getTime() + HOUR_MS), declined: false },
  ],
  ['reviewed until day 14', due({ ...declined(0), status: 'held' }), 14, { step: 'end', why: 'unpaid' }],
  [
    'voided under review',
    due({ ...declined(0), status: 'voided', declineClass: null }),
    3,
    { step: 'wait', until: onDay(14), declined: true },
  ],
  ['declined for good', due(declined(0, 'hard')), 3, { step: 'wait', until: onDay(14), declined: true }],
  ['without a card', due(null, { hasCard: false }), 0, { step: 'wait', until: onDay(14), declined: true }],
  ['not for sale', due(null, { renewable: false }), 0, { step: 'end', why: 'unavailable' }],
  ['at a price nobody agreed to', due(null, { agreed: false }), 0, { step: 'end', why: 'price' }],
] as const)('%s', (_name, state, day, step) => {
  expect(nextStep(state, onDay(day))).toEqual(step)
})

test.each(['created', 'submitting', 'held', 'unknown'] as const)(
  'while a charge is %s nothing is sent',
  (status) => {
    const last = { ...declined(0), status }
    for (const day of status === 'held' ? [0, 1, 13] : [0, 1, 13, 14, 40])
      expect(nextStep(due(last), onDay(day))).toEqual({
        step: 'wait',
        until: new Date(onDay(day).getTime() + HOUR_MS),
        declined: false,
      })
  },
)

test.each(['gateway_unreachable', 'not_charged', 'abandoned'])('a refusal as %s is tried again', (reason) => {
  const last: LastAttempt = { status: 'refused', reason, declineClass: null, offSession: true, at: onDay(0) }
  expect(nextStep(due(last), onDay(0.1))).toEqual({ step: 'charge' })
  expect(nextStep(due(last), onDay(14))).toEqual({ step: 'end', why: 'unpaid' })
})

test('a card that is always declined is tried on the day, and on days 1, 3, 7 and 13, wherever the month ends', () => {
  const anchors = fc.oneof(
    fc
      .constantFrom('2027-01-29', '2027-01-30', '2027-01-31', '2028-01-31', '2028-02-29')
      .map((day) => new Date(day)),
    fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }),
  )
  fc.assert(
    fc.property(
      anchors,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 300 }),
      (anchor, period, minutes) => {
        const periodEndsAt = periodEnd(anchor, period)
        const charged: number[] = []
        let last: LastAttempt | null = null
        let now = periodEndsAt
        for (;;) {
          const step = nextStep(
            { periodEnd: periodEndsAt, renewable: true, agreed: true, hasCard: true, last },
            now,
          )
          if (step.step === 'end') break
          if (step.step === 'charge') {
            charged.push(Math.floor((now.getTime() - periodEndsAt.getTime()) / DAY_MS))
            last = { status: 'declined', reason: '2', declineClass: 'soft', offSession: true, at: now }
          }
          now = new Date(now.getTime() + minutes * 60_000)
        }
        expect(charged).toEqual([0, 1, 3, 7, 13])
        expect(now.getTime() - periodEndsAt.getTime()).toBeGreaterThanOrEqual(14 * DAY_MS)
      },
    ),
    { numRuns: 200 },
  )
})

test('a retry is always ahead of the attempt', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 14 * DAY_MS - 1 }), (after) => {
      const at = new Date(end.getTime() + after)
      expect(retryAfter(end, at) > at).toBe(true)
    }),
  )
})

test.each([
  [{ kind: 'unknown', detail: 'timeout' }, false],
  [{ kind: 'refused', reason: 'gateway_unreachable', tokenExpired: false }, false],
  [{ kind: 'refused', reason: 'E00040', tokenExpired: false }, true],
  [{ kind: 'declined', reason: '2', hard: false, checks: { avs: null, cvv: null } }, true],
  [{ kind: 'held', transactionId: '1' }, true],
] as const)('%j is an answer of the gateway: %s', (outcome, answer) => {
  expect(isAnswer(outcome)).toBe(answer)
})

test.each([
  [{ sent: 100, answered: 49 }, true],
  [{ sent: 100, answered: 50 }, false],
  [{ sent: 1, answered: 0 }, true],
  [{ sent: 0, answered: 0 }, false],
])('a gateway is silent at %j: %s', (batch, silent) => {
  expect(isSilent(batch)).toBe(silent)
})
