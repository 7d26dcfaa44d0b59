import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../../contract/index.ts'
import { Delivery, type NotificationKind } from '../../../contract/notifications.ts'
import { type Harness, startHarness } from '../harness.ts'
import { buildAccount, emailsTo } from '../security.ts'
import { BY_OWNER } from './by-owner.ts'
import { BY_STRANGERS } from './by-strangers.ts'
import { CALLS } from './calls.ts'
import { fresh } from './telling.ts'

/** Security row 50: nobody can make the product mail a stranger often. Every kind of mail names the calls that cause it. */

const HOUR_MS = 3600 * 1000
const OPERATOR = 'team@operator.test'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ environment: { OPERATOR_EMAIL: OPERATOR, EXPORTS_A_DAY: '50' } })
})
afterAll(() => harness?.stop())

/** Passkeys need a browser; they tell by the same two actions as the app, which the calls of the app try. */
const LIKE_THE_APP: RouteName[] = ['addPasskey', 'removePasskey']

/** What people pay, will pay, and get back, which they are told of each time. */
const OWN_MONEY = ['payment.refunded', 'purchase.receipt', 'subscription.price-changed']

test('every call that mails is tried', () => {
  const tried = [...Object.keys(BY_STRANGERS), ...Object.keys(BY_OWNER), ...LIKE_THE_APP, 'contact']
  expect(new Set(tried)).toEqual(new Set(Object.values(CALLS).flat()))
  expect(Object.keys(CALLS).toSorted()).toEqual(
    Delivery.shape.message.options.map(({ shape }) => shape.kind.value).toSorted(),
  )
})

describe('to an address of a stranger', () => {
  test.each([
    ['without an account', null],
    ['with a confirmed account', { verified: true }],
    ['with an unconfirmed account', { verified: false }],
  ])(
    '%s: all calls, one by one and at once, make at most 3 mails an hour, in the next hour too',
    async (_what, holder) => {
      const address = fresh()
      if (holder) await buildAccount(harness, { email: address, ...holder })
      const calls = Object.values(BY_STRANGERS)
      let mails = 0
      for (let hour = 1; hour <= 2; hour++) {
        for (const call of calls) for (let time = 0; time < 2; time++) await call(harness, address)
        await Promise.all(calls.flatMap((call) => Array.from({ length: 3 }, () => call(harness, address))))
        const { length } = await emailsTo(harness, address)
        expect(length - mails).toBeGreaterThan(0)
        expect(length - mails).toBeLessThanOrEqual(3)
        mails = length
        harness.clock.advance(HOUR_MS)
      }
    },
  )

  test.each(Object.keys(BY_STRANGERS) as RouteName[])('%s alone, 10 at once: at most 3', async (name) => {
    const address = fresh()
    if (name !== 'signup')
      await buildAccount(harness, { email: address, verified: name !== 'resendEmailConfirmation' })
    await Promise.all(Array.from({ length: 10 }, () => BY_STRANGERS[name]?.(harness, address)))
    const { length } = await emailsTo(harness, address)
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThanOrEqual(3)
  })
})

describe('to the own address', () => {
  test.each(Object.keys(BY_OWNER) as RouteName[])(
    '%s, 5 times in an hour: at most 3 of a kind, or each of one’s own money',
    async (name) => {
      const person = await buildAccount(harness)
      for (let time = 0; time < 5; time++) await BY_OWNER[name]?.(harness, person, time)
      const mails = await emailsTo(harness, person.email)
      // The first bank details are added, the next ones changed: one kind.
      const counts = Map.groupBy(mails, ({ subject }) => subject.replace('were added', 'were changed'))
      const caused = Object.entries(CALLS).filter(([, calls]) =>
        (calls as readonly RouteName[]).includes(name),
      )
      expect(caused.length).toBeGreaterThan(0)
      const isMoney = caused.some(([kind]) => OWN_MONEY.includes(kind))
      expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBe(isMoney ? 5 : 3)
      const told = await harness.context.db
        .selectFrom('notifications')
        .select('kind')
        .where('user_id', '=', person.id)
        .execute()
      const kinds = new Set<NotificationKind>(told.map(({ kind }) => kind))
      expect(caused.some(([kind]) => kinds.has(kind as NotificationKind))).toBe(true)
    },
  )
})

test('the operator alone gets what anybody writes, 5 an hour from one network', () => {
  expect(routes.contact.rateLimit).toEqual({ points: 5, seconds: 3600 })
})
