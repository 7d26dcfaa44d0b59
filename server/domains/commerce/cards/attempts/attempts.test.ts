import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { createDb, createPool } from '../../../../db/client.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { NO_TRACES, purchaseTraces } from '../../../../testing/purchases.ts'
import { attemptRefusal, LIMITS } from './rules.ts'

const MINUTE_MS = 60_000
const now = new Date('2031-05-01T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)
describe('the rule', () => {
  test.each(Object.values(LIMITS).flat())('of at most $most $of', (limit) => {
    const since = new Date(now.getTime() - limit.withinMs / 2)
    const { most } = limit
    expect(attemptRefusal([{ limit, count: most - 1, since }], [], now)).toBeNull()
    expect(attemptRefusal([{ limit, count: most, since }], [], now)).toEqual({
      code: 'too_many_card_attempts',
      retryAfterSeconds: limit.withinMs / 2000,
    })
  })

  test.each([
    ['two declines in a row', [ago(1), ago(2)], 240],
    ['a decline after an older one', [ago(4.5), ago(100)], 30],
    ['one decline', [ago(1)], null],
    ['a decline after a success', [ago(1), null], null],
    ['a success after two declines', [null, ago(1)], null],
    ['two declines five minutes ago', [ago(5), ago(6)], null],
  ])('of a pause: %s', (_name, latest, seconds) => {
    const refused = attemptRefusal([], latest, now)
    expect(refused).toEqual(seconds && { code: 'cards_paused', retryAfterSeconds: seconds })
  })
})

describe('a purchase', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness({
      environment: { TRUST_PROXY: '127.0.0.1', SANDBOX_TOKEN: 'only the operator knows' },
    })
  })
  afterAll(() => harness?.stop())
  beforeEach(() => harness.context.db.deleteFrom('card_attempts').execute())

  /** Buys from this address, as a new fan, something of a new creator's unless told otherwise. */
  async function buysFrom(ip: string, itemId?: string, by?: Person) {
    const fan = by ?? (await buildFan(harness))
    const item = itemId ?? (await buildMedia(harness, await buildCreator(harness), { showInStore: true }))
    const answer = await harness.api
      .as({ token: await buildSession(harness, fan.id) })
      .send('POST', '/users/purchase', {
        body: { kind: 'single', itemId: item, ...(await cardToken(harness)) },
        headers: { 'x-forwarded-for': ip },
      })
    return { fan, answer }
  }

  /** Makes the one use of a card count as this many declined uses by other people. */
  async function declinedOften(count: number): Promise<void> {
    const { db, clock } = harness.context
    const latest = await db.selectFrom('card_attempts').selectAll().executeTakeFirstOrThrow()
    for (let time = 0; time < count; time++)
      await db
        .insertInto('card_attempts')
        .values({ ...latest, id: crypto.randomUUID(), created_at: clock.now(), declined_at: clock.now() })
        .execute()
    const other = await buildFan(harness)
    await db.updateTable('card_attempts').set({ user_id: other.id }).execute()
  }

  /** Copies the one use of a card this many times. */
  const repeated = (times: number) =>
    sql`insert into card_attempts (id, user_id, network, creator_id, stored_card_id, created_at, declined_at)
      select uuidv7(), user_id, network, creator_id, stored_card_id, created_at, declined_at
      from card_attempts, generate_series(1, ${times}::integer)`.execute(harness.context.db)

  const refusal = { status: 429, body: { code: 'too_many_card_attempts' } }

  test('from a network with many declines is refused, in IPv6 from all of its /64, and from others it isn’t', async () => {
    expect((await buysFrom('2001:db8:7:7::1')).answer.status).toBe(200)
    await declinedOften(30)
    const { fan, answer } = await buysFrom('2001:db8:7:7::2')
    expect(answer).toMatchObject(refusal)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3600)
    expect(await purchaseTraces(harness, fan)).toEqual(NO_TRACES)
    expect((await buysFrom('2001:db8:7:8::1')).answer.status).toBe(200)
    const kept = await harness.context.db.selectFrom('card_attempts').select('network').execute()
    expect(kept.filter(({ network }) => network.includes('2001'))).toEqual([])
  })

  test('of a creator with very many declines is refused to who never paid, and of others it isn’t', async () => {
    const creator = await buildCreator(harness)
    const itemId = await buildMedia(harness, creator, { showInStore: true })
    const customer = await buysFrom('203.0.113.1', itemId)
    expect(customer.answer.status).toBe(200)
    await declinedOften(200)
    await harness.context.db.updateTable('card_attempts').set({ network: 'elsewhere' }).execute()
    const { fan, answer } = await buysFrom('203.0.113.2', itemId)
    expect(answer).toMatchObject(refusal)
    expect(await purchaseTraces(harness, fan)).toEqual(NO_TRACES)
    expect((await buysFrom('203.0.113.2')).answer.status).toBe(200)
    const another = await buildMedia(harness, creator, { showInStore: true })
    expect((await buysFrom('203.0.113.1', another, customer.fan)).answer.status).toBe(200)
  })

  test('with a sixth card in ten minutes is refused, and with a stored one it isn’t', async () => {
    const fan = await buildFan(harness)
    const api = harness.api.as({ token: await buildSession(harness, fan.id) })
    const { card } = await api.call(routes.addCard, { body: await cardToken(harness) })
    for (let count = 0; count < 4; count++)
      expect((await buysFrom(`203.0.113.${10 + count}`, undefined, fan)).answer.status).toBe(200)
    expect((await buysFrom('203.0.113.20', undefined, fan)).answer).toMatchObject(refusal)
    const itemId = await buildMedia(harness, await buildCreator(harness), { showInStore: true })
    const body = { kind: 'single' as const, itemId, cardId: card._id }
    expect((await api.call(routes.purchase, { body })).status).toBe('captured')
    harness.clock.advance(10 * MINUTE_MS + 1)
    expect((await buysFrom('203.0.113.20', undefined, fan)).answer.status).toBe(200)
  })

  test('with a twenty-first card from one address in an hour is refused, whoever buys', async () => {
    for (let count = 0; count < 20; count++) expect((await buysFrom('203.0.113.30')).answer.status).toBe(200)
    const { fan, answer } = await buysFrom('203.0.113.30')
    expect(answer).toMatchObject(refusal)
    expect(await purchaseTraces(harness, fan)).toEqual(NO_TRACES)
    expect((await buysFrom('203.0.113.31')).answer.status).toBe(200)
  })

  /** Starts each of these while counting is locked, then releases all of them at once. */
  async function atOnce<Answer>(calls: (() => Promise<Answer>)[]): Promise<Answer[]> {
    const pool = createPool(harness.databaseUrl, { max: 1, onError: () => {} })
    const gate = createDb(pool)
    try {
      const { started } = await gate.transaction().execute(async (tx) => {
        await sql`lock table card_attempts in share mode`.execute(tx)
        const started = calls.map((call) => call())
        const waiting = async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            harness.context.db,
          )
          return rows.length
        }
        await expect.poll(waiting).toBe(calls.length)
        return { started }
      })
      return await Promise.all(started)
    } finally {
      await gate.destroy()
    }
  }

  const uses = Array.from({ length: 12 }, (_, index) => index)
  const passed = (answers: { answer: { status: number } }[]) =>
    answers.map(({ answer }) => answer.status).filter((status) => status === 200).length

  test('by many accounts of one network at once is counted once for each', async () => {
    await buysFrom('203.0.113.40')
    await repeated(14)
    const answers = await atOnce(uses.map(() => () => buysFrom('203.0.113.40')))
    expect(passed(answers)).toBe(5)
    for (const { answer } of answers) if (answer.status !== 200) expect(answer).toMatchObject(refusal)
  })

  test('by many strangers of one creator at once is counted once for each', async () => {
    const itemId = await buildMedia(harness, await buildCreator(harness), { showInStore: true })
    await buysFrom('203.0.113.50', itemId)
    await repeated(994)
    await harness.context.db.updateTable('card_attempts').set({ network: 'elsewhere' }).execute()
    const answers = await atOnce(uses.map((index) => () => buysFrom(`203.0.113.${100 + index}`, itemId)))
    expect(passed(answers)).toBe(5)
    for (const { answer } of answers) if (answer.status !== 200) expect(answer).toMatchObject(refusal)
  })

  test('from this machine is counted where cards are real, as a proxy there may stand for everybody', async () => {
    const { context } = harness
    const { payments } = context
    try {
      expect((await buysFrom('127.0.0.1')).answer.status).toBe(200)
      await declinedOften(30)
      expect((await buysFrom('127.0.0.1')).answer.status).toBe(200)
      await context.db.deleteFrom('card_attempts').execute()
      context.payments = { ...payments, sandbox: false }
      expect((await buysFrom('127.0.0.1')).answer.status).toBe(200)
      await declinedOften(30)
      expect((await buysFrom('127.0.0.1')).answer).toMatchObject(refusal)
    } finally {
      context.payments = payments
    }
  })

  test('is forgotten by the limits after a day', async () => {
    await buysFrom('203.0.113.3')
    harness.clock.advance(24 * 60 * MINUTE_MS + 1)
    await harness.server.jobs['cards.recover']({}, { attempt: 1, lastAttempt: false })
    expect(await harness.context.db.selectFrom('card_attempts').select('id').execute()).toEqual([])
  })
})
