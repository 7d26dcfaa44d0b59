import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SOCKET_PATH } from '../../contract/constants.ts'
import { buildFan } from '../testing/builders.ts'
import { until } from '../testing/chat.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { openSocket } from '../testing/socket.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    rateLimits: true,
    environment: { TRUST_PROXY: '127.0.0.1', SANDBOX_TOKEN: 'only the operator knows' },
  })
})
afterAll(() => harness?.stop())

const polling = (ip: string, query = '', init: RequestInit = {}) =>
  fetch(`${harness.origin}${SOCKET_PATH}/?EIO=4&transport=polling${query}`, {
    ...init,
    headers: { 'x-forwarded-for': ip },
  })

/** The id of a connection that was opened and sent nothing more. */
async function openConnection(ip: string): Promise<string> {
  const opened = await (await polling(ip)).text()
  return JSON.parse(opened.slice(1)).sid
}

const ATTEMPT = '40{"token":"a"}'

/** How many of this network's connection attempts were counted. */
async function pointsOf(ip: string): Promise<number> {
  const { rows } = await sql<{ points: number }>`
    select points from rate_limits where key = ${`socket.connect.address:ip:${ip}`}`.execute(
    harness.context.db,
  )
  return rows[0]?.points ?? 0
}

describe('an anonymous caller', () => {
  test('tries once for each connection, however often one body asks; the connection is closed', async () => {
    const ip = '203.0.113.1'
    const connection = await openConnection(ip)
    const body = Array.from({ length: 4000 }, () => ATTEMPT).join('\u001e')
    await polling(ip, `&sid=${connection}`, { method: 'POST', body })
    await until(async () => (await polling(ip, `&sid=${connection}`)).status === 400)
    await expect.poll(() => pointsOf(ip)).toBeGreaterThan(0)
    // An attempt of another network is counted after all of them.
    const other = '203.0.113.5'
    await polling(other, `&sid=${await openConnection(other)}`, { method: 'POST', body: ATTEMPT })
    await expect.poll(() => pointsOf(other)).toBe(1)
    expect(await pointsOf(ip)).toBe(1)
  })

  test('has only so many connections that say nothing; people of other networks, and those who are known, come in', async () => {
    const ip = '203.0.113.2'
    const fan = await buildFan(harness)
    const enter = (from: string) =>
      openSocket(harness.origin, { token: fan.token }, { headers: { 'x-forwarded-for': from } })
    const known = await enter(ip)
    const opened = await Promise.all(Array.from({ length: 199 }, () => polling(ip)))
    expect(opened.filter(({ status }) => status !== 200)).toEqual([])
    // Authenticated connections don't count.
    const last = await openConnection(ip)
    expect((await polling(ip)).status).toBe(403)
    const elsewhere = await enter('203.0.113.3')
    // A connection that ends makes room.
    await polling(ip, `&sid=${last}`, { method: 'POST', body: '1' })
    const late = await enter(ip)
    for (const socket of [known, elsewhere, late]) socket.close()
  })
})

test('who goes on after a refusal is refused without the database', async () => {
  const reset = () =>
    harness.api.visitor().send('POST', '/auth/reset', {
      body: { email: 'nobody@example.test' },
      headers: { 'x-forwarded-for': '203.0.113.4' },
    })
  for (let time = 0; time < 11; time++) await reset()
  await harness.context.db.transaction().execute(async (tx) => {
    await sql`lock table rate_limits in access exclusive mode`.execute(tx)
    expect((await reset()).status).toBe(429)
  })
})
