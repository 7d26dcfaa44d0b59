import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
} from '../../../testing/builders.ts'
import { buildGrant, revokeGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { hashPassword } from '../passwords/actions.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ rateLimits: true })
})
afterAll(() => harness?.stop())
afterEach(() => harness.context.db.deleteFrom('sessions').execute())

const password = 'correct horse'
async function buildAccount() {
  const person = await buildUser(harness)
  await harness.context.db
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', person.id)
    .execute()
  return person
}

const logIn = (body: Record<string, unknown>, headers = {}) =>
  harness.api.visitor().send('POST', '/auth/login', { body, headers })
const sessionsOf = (userId: string) =>
  harness.context.db.selectFrom('sessions').selectAll().where('user_id', '=', userId).orderBy('id').execute()
const meStatus = async (token: string) => (await harness.api.as({ token }).send('GET', '/auth/me')).status

describe('logging in', () => {
  test('opens a session of its own, whatever the case of the address', async () => {
    const person = await buildAccount()
    const visitor = harness.api.visitor()
    const { token } = await visitor.call(routes.login, {
      body: { email: ` ${person.email.toUpperCase()} `, password },
    })
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(visitor.cookies.get('media_viewer')).toMatch(/^s\./)
    expect((await harness.api.as({ token: token ?? '' }).call(routes.me, {}))._id).toBe(person.id)
    expect(await sessionsOf(person.id)).toHaveLength(2)
  })

  test('the same password typed with composed or decomposed letters is the same', async () => {
    const person = await buildUser(harness)
    const password_hash = await hashPassword('cafe\u0301 au lait')
    await harness.context.db.updateTable('users').set({ password_hash }).where('id', '=', person.id).execute()
    expect((await logIn({ email: person.email, password: 'caf\u00e9 au lait' })).status).toBe(200)
  })

  test('refuses a wrong password and an unknown address with one and the same answer, and opens no session', async () => {
    const person = await buildAccount()
    const wrong = await logIn({ email: person.email, password: 'wrong horse' })
    const unknown = await logIn({ email: 'nobody@example.test', password })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({ code: 'login_failed', error: 'There was a problem logging in.' })
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
    const names = (headers: Headers) => [...headers.keys()].sort()
    expect(names(unknown.headers)).toEqual(names(wrong.headers))
    expect(await sessionsOf(person.id)).toHaveLength(1)
  })

  test.each<[what: string, body: Record<string, unknown>]>([
    ['no password', { email: 'a@example.test' }],
    ['an empty password', { email: 'a@example.test', password: '' }],
    ['no email', { password }],
    ['an empty email', { email: ' ', password }],
    ['an endless password', { email: 'a@example.test', password: 'x'.repeat(5000) }],
    ['an object for a password', { email: 'a@example.test', password: { $ne: '' } }],
  ])('refuses %s, and opens no session', async (_what, body) => {
    const { status, body: refusal } = await logIn(body)
    expect([status, (refusal as { code: string }).code]).toEqual([400, 'invalid_input'])
    expect(await harness.context.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })

  test('allows 5 wrong passwords per account in 10 minutes, from any address, then not even the right one', async () => {
    const [person, other] = [await buildAccount(), await buildAccount()]
    const statuses: number[] = []
    for (let index = 0; index < 1000; index++) {
      const forged = { 'x-forwarded-for': `203.0.113.${index % 250}` }
      statuses.push((await logIn({ email: person.email, password: `guess ${index}` }, forged)).status)
    }
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(995).fill(429)])
    expect((await logIn({ email: person.email.toUpperCase(), password })).status).toBe(429)
    expect(await sessionsOf(person.id)).toHaveLength(1)
    expect((await logIn({ email: other.email, password })).status).toBe(200)
  })

  test('allows 100 failures per address in 10 minutes over all accounts, whatever the header says', async () => {
    const counted = await startHarness({ rateLimits: true })
    try {
      const attempt = (index: number) =>
        counted.api.visitor().send('POST', '/auth/login', {
          body: { email: `nobody${index}@example.test`, password },
          headers: { 'x-forwarded-for': `203.0.113.${index % 250}` },
        })
      const statuses: number[] = []
      for (let index = 0; index < 103; index++) statuses.push((await attempt(index)).status)
      expect(statuses).toEqual([...Array(100).fill(401), 429, 429, 429])
      expect(await counted.context.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    } finally {
      await counted.stop()
    }
  })

  test('logging in often is not counted as guessing', async () => {
    const person = await buildAccount()
    for (let index = 0; index < 8; index++)
      expect((await logIn({ email: person.email, password })).status).toBe(200)
  })
})

describe('sessions', () => {
  test('logging out ends this session only, and with it the media cookie', async () => {
    const person = await buildFan(harness)
    const elsewhere = await buildSession(harness, person.id)
    const api = harness.api.as(person)
    await api.call(routes.me, {})
    expect(api.cookies.get('media_viewer')).toMatch(/^s\./)
    expect(await api.call(routes.logout, {})).toEqual({ success: true })
    expect(api.cookies.get('media_viewer')).toMatch(/^v\./)
    expect([await meStatus(person.token), await meStatus(elsewhere)]).toEqual([401, 200])
    expect((await api.send('GET', '/users/logout')).status).toBe(401)
    expect(await sessionsOf(person.id)).toHaveLength(1)
  })

  test.each<[what: string, header: string]>([
    ['no scheme', 'x'.repeat(43)],
    ['an unknown token', `Bearer ${'x'.repeat(43)}`],
    ['a short token', 'Bearer x'],
    ['basic', 'Basic dXNlcjpwYXNz'],
  ])('%s in the header is nobody', async (_what, authorization) => {
    const { status, body } = await harness.api
      .visitor()
      .send('GET', '/auth/me', { headers: { authorization } })
    expect([status, (body as { code: string }).code]).toEqual([401, 'not_authenticated'])
  })

  test('the stored hash is no token', async () => {
    const person = await buildFan(harness)
    const [session] = await sessionsOf(person.id)
    for (const encoding of ['hex', 'base64url'] as const)
      expect(await meStatus(session?.token_hash.toString(encoding) ?? '')).toBe(401)
  })

  test('are listed with the one that asks first, then the last seen', async () => {
    const person = await buildFan(harness)
    for (const minutes of [1, 2]) {
      harness.clock.advance(minutes * 60_000)
      await buildSession(harness, person.id)
    }
    const [own, earlier, later] = await sessionsOf(person.id)
    const { items } = await harness.api.as(person).call(routes.sessions, {})
    expect(items.map(({ _id, current }) => [_id, current])).toEqual([
      [own?.id, true],
      [later?.id, false],
      [earlier?.id, false],
    ])
  })

  test('30 days unused end it; use moves the end on, at most once an hour', async () => {
    const person = await buildFan(harness)
    const [start] = await sessionsOf(person.id)
    harness.clock.advance(HOUR_MS / 2)
    expect(await meStatus(person.token)).toBe(200)
    expect((await sessionsOf(person.id))[0]).toEqual(start)
    harness.clock.advance(29 * DAY_MS)
    expect(await meStatus(person.token)).toBe(200)
    const [moved] = await sessionsOf(person.id)
    expect((moved?.expires_at.getTime() ?? 0) - (start?.expires_at.getTime() ?? 0)).toBeGreaterThan(
      29 * DAY_MS,
    )
    harness.clock.advance(29 * DAY_MS)
    expect(await meStatus(person.token)).toBe(200)
    harness.clock.advance(30 * DAY_MS + 1)
    expect(await meStatus(person.token)).toBe(401)
  })

  test('90 days end it, however often it is used', async () => {
    const person = await buildFan(harness)
    for (let day = 0; day < 80; day += 20) {
      harness.clock.advance(20 * DAY_MS)
      expect(await meStatus(person.token)).toBe(200)
    }
    harness.clock.advance(10 * DAY_MS - 60_000)
    expect(await meStatus(person.token)).toBe(200)
    harness.clock.advance(60_000)
    expect(await meStatus(person.token)).toBe(401)
  })
})

describe('the current user', () => {
  test('names what was unlocked and subscribed, and no secret', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const [bought, takenBack, unbought] = await Promise.all([1, 2, 3].map(() => buildMedia(harness, creator)))
    await buildBundle(harness, creator, { mediaIds: [unbought ?? ''] })
    const planId = await buildPlan(harness, creator)
    const { db, clock } = harness.context
    const now = clock.now()
    for (const mediaId of [bought, bought]) await buildGrant(harness, fan, [mediaId ?? ''])
    await revokeGrant(harness, await buildGrant(harness, fan, [takenBack ?? '']))
    const ends = new Date(now.getTime() + 30 * DAY_MS)
    const subscription = {
      plan_id: planId,
      fan_id: fan.id,
      creator_id: creator.id,
      price_cents: 999,
      anchor_at: now,
      created_at: now,
    }
    await db
      .insertInto('subscriptions')
      .values([
        { ...subscription, status: 'expired', current_period_end: now },
        { ...subscription, status: 'active', current_period_end: ends },
      ])
      .execute()
    const { body } = await harness.api.as(fan).send('GET', '/auth/me')
    expect(body).toMatchObject({
      unlockedMedia: [bought],
      subscriptions: [{ subscriptionId: planId, status: 'active', expiration: ends.toISOString() }],
    })
    expect(JSON.stringify(body)).not.toMatch(/hash|argon2|token|referred|password/i)
  })
})
