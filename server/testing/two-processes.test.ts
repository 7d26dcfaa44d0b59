import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '../../contract/index.ts'
import { buildCreator, buildMedia, buildUser } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import { buildAccount, PASSWORD } from './security.ts'

/** Two web processes and a worker on one database, as behind a load balancer. */
let one: Harness
let other: Harness
let worker: Harness
beforeAll(async () => {
  one = await startHarness({ mountSandboxes: true, rateLimits: true })
  other = await startHarness({ mountSandboxes: true, rateLimits: true, beside: one })
  worker = await startHarness({ mountSandboxes: true, beside: one, environment: { ROLE: 'worker' } })
})
afterAll(async () => {
  await worker?.stop()
  await other?.stop()
  await one?.stop()
})

const by = (attempt: number) => (attempt % 2 === 0 ? one : other)

describe('limits are shared', () => {
  test('ten wrong passwords, five at each process, are five too many', async () => {
    const { email } = await buildAccount(one)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) {
      const body = { email, password: `wrong ${attempt}` }
      statuses.push((await by(attempt).api.visitor().send('POST', '/auth/login', { body })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429])
    const right = { email, password: PASSWORD }
    expect((await other.api.visitor().send('POST', '/auth/login', { body: right })).status).toBe(429)
  })

  test('the directory is paged as often in all as at one process', async () => {
    const person = await buildUser(one)
    const page = async (turn: number) => (await by(turn).api.as(person).send('GET', '/users/users')).status
    // At once, so that the minute isn't over before the last.
    const statuses = await Promise.all(Array.from({ length: 64 }, (_, turn) => page(turn)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  })
})

describe('what one process changes the other sees', () => {
  test('a session that ended', async () => {
    const person = await buildUser(one)
    expect((await other.api.as(person).send('GET', '/auth/me')).status).toBe(200)
    await one.api.as(person).send('GET', '/users/logout')
    expect((await other.api.as(person).send('GET', '/auth/me')).status).toBe(401)
  })

  test('an item that is no longer public is not in the other’s feed for visitors', async () => {
    const creator = await buildCreator(one)
    const mediaId = await buildMedia(one, creator, { mustUnlock: false, showInSearch: true })
    const shows = async ({ api }: Harness) =>
      (await api.visitor().call(routes.discover, { query: {} })).items.some(({ _id }) => _id === mediaId)
    expect([await shows(one), await shows(other)]).toEqual([true, true])
    await one.context.db
      .updateTable('media')
      .set({ show_in_search: false })
      .where('id', '=', mediaId)
      .execute()
    // The visitor's first page is kept for a second at most, by each process for itself.
    for (const { clock } of [one, other]) clock.advance(1000)
    expect([await shows(one), await shows(other)]).toEqual([false, false])
  })
})

describe('the sandbox’s clock is one', () => {
  const aheadAt = async ({ origin }: Harness) =>
    ((await (await fetch(`${origin}/sandbox/clock`)).json()) as { aheadSeconds: number }).aheadSeconds
  const move = ({ origin }: Harness, advanceSeconds: number) =>
    fetch(`${origin}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds }),
    })

  test('moved at one, it is moved at all, the worker among them', async () => {
    const ahead = (await aheadAt(one)) + 3600
    await move(one, 3600)
    await expect.poll(() => aheadAt(other), { interval: 20 }).toBe(ahead)
    await expect.poll(() => worker.clock.offset(), { interval: 20 }).toBe(ahead * 1000)
  })

  test('moved at both at once, no move is lost', async () => {
    const before = await aheadAt(one)
    await Promise.all(Array.from({ length: 10 }, (_, turn) => move(by(turn), 60)))
    for (const harness of [one, other])
      await expect.poll(() => aheadAt(harness), { interval: 20 }).toBe(before + 600)
  })
})

describe('a worker', () => {
  test('answers for its health alone', async () => {
    const status = async (path: string, method = 'GET') =>
      (await fetch(worker.origin + path, { method })).status
    expect([await status('/healthz'), await status('/readyz'), await status('/metrics')]).toEqual([
      200, 200, 200,
    ])
    for (const path of [
      '/',
      '/login',
      '/card-frame',
      '/robots.txt',
      '/sandbox/clock',
      '/sandbox/mail/messages',
    ])
      expect(await status(path), path).toBe(404)
    for (const { method, path } of Object.values(routes))
      expect(await status(`/api${path.replace(/:\w+/g, 'x')}`, method), path).toBe(404)
  })
})

test('/readyz looks at the store once in five seconds, however many ask', async () => {
  const incoming = join(one.context.config.DATA_DIR, 'media', '.incoming')
  const check = vi.spyOn(one.context.storage, 'check')
  one.clock.advance(10_000)
  const still = vi.spyOn(one.clock, 'now').mockReturnValue(one.clock.now())
  const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${one.origin}/readyz`)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(check).toHaveBeenCalledTimes(1)
  still.mockRestore()
  one.clock.advance(10_000)
  await fetch(`${one.origin}/readyz`)
  expect(check).toHaveBeenCalledTimes(2)
  expect(existsSync(incoming) ? readdirSync(incoming) : []).toEqual([])
})
