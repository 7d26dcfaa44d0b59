import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REFUND_STATUSES, type RefundStatus } from '../../../../contract/orders.ts'
import {
  type Attempted,
  findForOutside,
  notRecorded,
  outsideRefusal,
  refundAnswer,
  refundRefusal,
} from './rules.ts'

const payment = { status: 'captured', leftCents: 1000 } as const
const done = { status: 'refunded', outside_since: null } as const
const refused = { status: 'refused', outside_since: null } as const

test.each([
  ['a payment that is not there', null, [], 1, 'not_found'],
  ['one that was not captured', { ...payment, status: 'declined' }, [], 1, 'not_refundable'],
  ['one that is disputed', { ...payment, status: 'disputed' }, [], 1, 'not_refundable'],
  ['nothing', payment, [], 0, 'not_refundable'],
  ['more than was paid', payment, [], 1001, 'refund_exceeds_payment'],
  ['more than is left', { ...payment, leftCents: 500 }, [done, done], 501, 'refund_exceeds_payment'],
  ['what is left', { ...payment, leftCents: 500 }, [done, done], 500, null],
  ['all of it', payment, [], 1000, null],
  ['all of it after one that was refused', payment, [refused], 1000, null],
  [
    'a cent while one is sent another way',
    payment,
    [{ ...refused, outside_since: new Date(0) }],
    1,
    'refund_outside',
  ],
  ['a cent while another is under way', payment, [{ ...done, status: 'unknown' }], 1, 'refund_in_progress'],
] as const)('%s', (_what, from, earlier, cents, code) => {
  expect(refundRefusal(from, earlier, cents, null)).toBe(code)
})

test.each([
  [1000, 400, 'payment_changed'],
  // Also where it is more than is left, which the operator couldn't see.
  [1000, 700, 'payment_changed'],
  [600, 700, 'refund_exceeds_payment'],
  [600, 600, null],
] as const)('of $6 that are left, shown as %i cents, a refund of %i cents: %s', (shown, cents, code) => {
  expect(refundRefusal({ ...payment, leftCents: 600 }, [done], cents, shown)).toBe(code)
})

const TOLD_BY = new Date('2027-01-01')
const LATELY = new Date('2027-01-02')
const madeThere = (amountCents: number) => ({
  ...{ transactionId: String(amountCents), amountCents, isExplained: false },
})

const asked: Attempted = {
  ...{ id: '2', paymentId: '1', paymentStatus: 'captured', status: 'refused', outside_since: null },
  ...{ cents: 1000, chargedCents: 1000, madeCents: 0, exceededAt: null, isOfPaying: true },
}
const sending = { ...asked, outside_since: new Date(0) }
const ofNothing: Attempted = { ...asked, paymentStatus: 'unknown', isOfPaying: false }

test.each([
  ['what the gateway refused', asked, [], 1000, null],
  ['more than is left', asked, [], 999, 'refund_exceeds_payment'],
  ['more than is left once a part was made there', asked, [500], 1000, 'refunded_at_gateway'],
  ['what is left once a part was made there', { ...asked, cents: 400 }, [500], 1000, null],
  ['what comes to a part made there', { ...asked, cents: 500 }, [500], 1000, 'refunded_at_gateway'],
  ['what the gateway has less left than', { ...asked, exceededAt: LATELY }, [], 1000, 'refunded_at_gateway'],
  ['what it has had less left than for days', { ...asked, exceededAt: new Date(0) }, [], 1000, null],
  ['a charge that granted nothing', ofNothing, [], 0, null],
  ['the rest of one of which a part was made there', { ...ofNothing, madeCents: 500 }, [500], 0, null],
  ['the rest that the gateway was not asked for', ofNothing, [500], 0, 'rest_not_refused'],
  ['the rest after more is told of', { ...ofNothing, madeCents: 300 }, [300, 200], 0, 'rest_not_refused'],
  [
    'the rest that the gateway had not left',
    { ...ofNothing, exceededAt: LATELY },
    [500],
    0,
    'rest_not_refused',
  ],
  [
    'the rest of which it has less left',
    { ...ofNothing, exceededAt: LATELY, madeCents: 500 },
    [500],
    0,
    'rest_not_refused',
  ],
  [
    'the rest of which it has had less left for days',
    { ...ofNothing, exceededAt: new Date(0), madeCents: 500 },
    [500],
    0,
    null,
  ],
  ['one of which all was made there', ofNothing, [500, 500], 0, 'rest_not_refused'],
  [
    'what is on its way when it was voided',
    { ...ofNothing, paymentStatus: 'voided', outside_since: new Date(0) },
    [],
    0,
    null,
  ],
  ['what a bank took back', { ...asked, paymentStatus: 'disputed' }, [], 1000, 'not_refundable'],
  ['what was on its way before', { ...sending, paymentStatus: 'disputed' }, [], 1000, null],
  ['what is on its way when a part made there is told of', sending, [400], 1000, null],
  ['what is on its way when as much made there is told of', sending, [1000], 1000, null],
] as const)('another way: %s', (_what, refund, cents, leftCents, code) => {
  const made = cents.map(madeThere)
  const context = { isOneLate: false, leftCents, made, toldBy: TOLD_BY }
  expect(outsideRefusal(refund, [refund], context)).toBe(code)
})

test('another way: what comes to a part made there that an operator has explained, as far as there is as much left', () => {
  const made = [{ ...madeThere(400), isExplained: true }]
  const context = { isOneLate: false, leftCents: 1000, made, toldBy: TOLD_BY }
  const of = (cents: number) => outsideRefusal({ ...asked, cents }, [{ ...asked, cents }], context)
  expect([of(400), of(600), of(601)]).toEqual([null, null, 'refunded_at_gateway'])
})

test('another way: what the gateway has said of a larger one, or of a smaller one before, is no matter', () => {
  const said = (cents: number, exceededAt: Date) => ({ ...asked, id: '1', cents, exceededAt })
  const context = { isOneLate: false, leftCents: 1000, made: [], toldBy: TOLD_BY }
  const of = (earlier: Attempted[]) => outsideRefusal(asked, [asked, ...earlier], context)
  expect(of([said(1001, LATELY)])).toBe(null)
  expect(of([said(900, LATELY)])).toBe('refunded_at_gateway')
  expect(of([said(900, LATELY), said(500, new Date(0))])).toBe(null)
})

test('what is on its way stands before what was refused since', () => {
  const later = { ...asked, id: '3', paymentId: '4', cents: 500 }
  expect(findForOutside([later, sending])).toBe(sending)
  expect(findForOutside([later, asked])).toBe(later)
  expect(findForOutside([later, ofNothing])).toBe(ofNothing)
})

test.each([
  ['nothing is recorded', [[100], [200]], [100, 200]],
  ['one is recorded', [[100], [200, 200]], [100]],
  ['all are recorded as the first', [[100, 300], [200]], []],
  ['all but a later one are recorded as the first', [[100, 300], [200], [400]], [400]],
  ['one that is told of later was made before', [[200], [100, 300], [200]], [200]],
  ['two are recorded, the first with what followed it', [[100, 300], [200], [150, 150], [50]], [50]],
])('what no refund counts once %s', (_when, told, left) => {
  const rows = told.map(([amountCents = 0, recordedCents = null], at) => ({
    ...{ transactionId: String(at), amountCents, recordedCents, isExplained: false },
  }))
  expect(notRecorded(rows).map(({ amountCents }) => amountCents)).toEqual(left)
})

test('whatever is asked for, refunds never exceed the payment', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 120_000 }), fc.constantFrom(...REFUND_STATUSES)), {
        maxLength: 30,
      }),
      (amountCents, asked) => {
        const refunds: { status: RefundStatus; outside_since: null }[] = []
        let leftCents = amountCents
        for (const [cents, status] of asked) {
          if (refundRefusal({ status: 'captured', leftCents }, refunds, cents, null)) continue
          refunds.push({ status, outside_since: null })
          if (status === 'refunded' || status === 'voided') leftCents -= cents
          expect(leftCents).toBeGreaterThanOrEqual(0)
        }
      },
    ),
  )
})

test('only what was made answers 200', () => {
  const answers = REFUND_STATUSES.map((status) => refundAnswer(status, null))
  expect(answers).toEqual([202, 202, 200, 200, 'refund_refused', 202])
})
