import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Signal } from '../../../../contract/realtime.ts'
import type { Db } from '../../../db/client.ts'
import { type Connection, createConnections } from '../../../realtime/connections.ts'
import { LISTENER } from '../../../realtime/subscriber.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import * as chat from '../../../testing/chat.ts'
import { closeSockets, connect, messageOf, until } from '../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { type ApiSocket, openSocket } from '../../../testing/socket.ts'
import { createDelivery } from '../delivery/realtime.ts'
import { notePresence } from './actions.ts'
import { listOnline } from './data.ts'
import { createPresence } from './realtime.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    rateLimits: true,
    environment: {
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
      GEO_COUNTRY_HEADER: 'x-country',
    },
  })
})
afterAll(async () => {
  closeSockets()
  await harness?.stop()
})

/** A fan with a socket, who has written to the creator. */
async function watch(fan: Person, creator: Person, country = 'FR'): Promise<ApiSocket> {
  const headers = { 'x-country': country }
  const socket = await openSocket(harness.origin, { token: fan.token }, { headers })
  expect(await socket.emit('chat message', messageOf(fan, creator))).toMatchObject({ ok: true })
  return socket
}

const told = (socket: ApiSocket) => socket.all('presence').map(({ online }) => online)

/** A process of its own to which a fan is connected, and what it tells them of the creator. */
function delivers(db: Db, fan: Person) {
  const connections = createConnections()
  const heard: boolean[] = []
  const emit = (name: string, { online }: { online: boolean }) => name === 'presence' && heard.push(online)
  const audience = {
    id: fan.id,
    isCreator: false,
    reachesAll: false,
    viewsAll: false,
    place: { country: 'FR' },
  }
  connections.add({ viewer: { id: fan.id }, audience, conversationId: null, emit } as unknown as Connection)
  return { deliver: createDelivery({ ...harness.context, db }, connections), heard }
}

describe('that a person comes and goes', () => {
  test('is told once when their page loads again in between', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const own = await watch(fan, creator)
    const first = await connect(harness, creator)
    await until(() => told(own).length > 0)
    const left = performance.now()
    first.close()
    await until(() => !first.raw.connected)
    const second = await connect(harness, creator)
    const awayMs = performance.now() - left
    second.close()
    await until(() => told(own).length > 1 && told(own).at(-1) === false)
    // A connection that a busy machine delays for five seconds counts as gone.
    if (awayMs < 4000) expect(told(own)).toEqual([true, false])
    own.close()
  })

  test('is not told where the creator lets nobody see them', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const here = await watch(fan, creator, 'FR')
    const abroad = await watch(await buildFan(harness, { discoverable: true }), creator, 'DE')
    await harness.api
      .as(creator)
      .call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } as never })
    const theirs = await connect(harness, creator)
    await until(() => told(here).length > 0)
    // Told anew by the change of places, if that is heard of only now.
    expect([...new Set(told(here))]).toEqual([true])
    // Events sent to them earlier arrive before this answer.
    await abroad.emit('typing', { conversationId: messageOf(fan, creator).conversation._id })
    expect(told(abroad)).toEqual([])
    for (const socket of [here, abroad, theirs]) socket.close()
  })

  test('is as little told by what they are typing there', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const foreigner = await buildFan(harness, { discoverable: true })
    const here = await watch(fan, creator, 'FR')
    const abroad = await watch(foreigner, creator, 'DE')
    await harness.api
      .as(creator)
      .call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } as never })
    const theirs = await connect(harness, creator)
    for (const person of [foreigner, fan]) {
      const { message, conversation } = messageOf(creator, person)
      expect(await theirs.emit('typing', { conversationId: conversation._id })).toEqual({ ok: true })
      await until(() => person === foreigner || here.all('typing').length > 0)
      await theirs.emit('chat message', { message, conversation })
    }
    await until(() => abroad.all('chat message').length > 1)
    expect(abroad.all('typing')).toEqual([])
    for (const socket of [here, abroad, theirs]) socket.close()
  })

  test('is told as their going where the creator lets nobody see them anymore, and as their coming where they do again', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const here = await watch(fan, creator, 'FR')
    const abroad = await watch(await buildFan(harness, { discoverable: true }), creator, 'DE')
    const theirs = await connect(harness, creator)
    await until(() => told(here).length > 0 && told(abroad).length > 0)
    const hideIn = (countries: string[]) =>
      harness.api.as(creator).call(routes.setGeoBlock, { body: { countries, states: [] } as never })
    await hideIn(['DE'])
    await until(() => told(abroad).length > 1)
    await hideIn([])
    await until(() => told(abroad).length > 2)
    expect(told(abroad)).toEqual([true, false, true])
    expect(told(here)).not.toContain(false)
    for (const socket of [here, abroad, theirs]) socket.close()
  })

  test('is told in the order in which it happened, however long it takes to look up who may see it', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    await chat.connect(harness, fan).then((socket) => socket.emit('chat message', messageOf(fan, creator)))
    const { db } = harness.context
    const [read, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isFirst = true
    const slowly = db.withPlugin({
      transformQuery: ({ node }) => node,
      // What says who may see whom was read before the block, and comes late.
      async transformResult({ result }) {
        if (isFirst && result.rows.some((row) => row.userId === creator.id)) {
          isFirst = false
          read.resolve()
          await opened.promise
        }
        return result
      },
    })
    const { deliver, heard } = delivers(slowly, fan)
    await connect(harness, creator)
    await until(async () => (await listOnline(db, [creator.id])).has(creator.id))
    deliver({ name: 'presence', userId: creator.id, online: true, people: [] })
    await read.promise
    await harness.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
    deliver({ name: 'visibility.changed', userId: creator.id, people: [fan.id] })
    // Long enough for what would not wait.
    for (let time = 0; time < 5; time++) await listOnline(db, [creator.id])
    opened.resolve()
    await until(() => heard.length > 1)
    expect(heard).toEqual([true, false])
  })

  test('is told to who was blocked in the moment in which they went, and to nobody who was blocked later', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const other = await buildCreator(harness)
    const own = await chat.connect(harness, fan)
    for (const one of [creator, other]) await own.emit('chat message', messageOf(fan, one))
    await harness.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
    const blocked: Signal = { name: 'visibility.changed', userId: creator.id, people: [fan.id] }
    const { deliver, heard } = delivers(harness.context.db, fan)
    deliver(blocked)
    deliver({ name: 'presence', userId: other.id, online: true, people: [] })
    await until(() => heard.length > 0)
    expect(heard).toEqual([true])
    deliver({ name: 'presence', userId: creator.id, online: false, people: [] })
    deliver(blocked)
    await until(() => heard.length > 1)
    expect(heard).toEqual([true, false])
    deliver(blocked)
    deliver({ name: 'presence', userId: other.id, online: true, people: [] })
    await until(() => heard.length > 2)
    expect(heard).toEqual([true, false, true])
  })

  test('is told once the database is back that did not take it', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const own = await watch(fan, creator)
    const { db } = harness.context
    // A sequence advances even if the statement is rolled back.
    await sql`
      create sequence refusals;
      create function refuse_note() returns trigger language plpgsql as $$
        begin perform nextval('refusals'); raise 'not now'; end $$;
      create trigger refuse_note before insert on online_people for each row execute function refuse_note()`.execute(
      db,
    )
    const theirs = await connect(harness, creator).finally(async () => {
      await until(async () => {
        const { rows } = await sql<{ tried: boolean }>`select is_called as tried from refusals`.execute(db)
        return rows[0]?.tried === true
      })
      await sql`drop function refuse_note cascade`.execute(db)
    })
    await until(() => told(own).length > 0)
    expect(told(own)).toEqual([true])
    for (const socket of [own, theirs]) socket.close()
  })

  test('is told of those whose process died within a minute, by any other', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const { db } = harness.context
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const third = await startHarness({ beside: harness })
    const own = await watch(fan, creator)
    const noProcess = 2_000_000_001
    await db.insertInto('online_people').values({ user_id: creator.id, listener: noProcess }).execute()
    expect(told(own)).toEqual([])
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    await until(() => told(own).length > 0)
    expect(told(own)).toEqual([false])
    expect((await listOnline(db, [fan.id])).has(fan.id)).toBe(true)
    own.close()
    await third.stop()
  })

  test('is told of those whose process died, once another one starts', async () => {
    const { creator, fan } = await chat.buildPair(harness)
    const own = await watch(fan, creator)
    const { db } = harness.context
    const noProcess = 2_000_000_000
    await db.insertInto('online_people').values({ user_id: creator.id, listener: noProcess }).execute()
    const third = await startHarness({ beside: harness })
    await until(() => told(own).length > 0)
    await third.stop()
    expect(told(own)).toEqual([false])
    const rows = await db.selectFrom('online_people').select(['user_id', 'listener']).execute()
    expect(rows.map(({ user_id }) => user_id)).toContain(fan.id)
    expect(rows.map(({ listener }) => listener)).not.toContain(noProcess)
    own.close()
  })
})

/** Stands for a process that listens: under what people are noted, and how to end it. */
async function listen() {
  const client = new pg.Client({ connectionString: harness.databaseUrl, application_name: LISTENER })
  await client.connect()
  const { rows } = await client.query<{ name: number }>('select pg_backend_pid() as name')
  return { name: rows[0]?.name ?? 0, end: () => client.end() }
}

test('who was noted under a connection that broke is gone, though the database takes it for open', async () => {
  const [fan, later] = [await buildFan(harness), await buildFan(harness)]
  const [before, after] = [await listen(), await listen()]
  let listener = before.name
  const presence = createPresence(harness.context, createConnections(), () => listener)
  const online = async () => [...(await listOnline(harness.context.db, [fan.id, later.id]))]
  await presence.comes(fan.id)
  const seen = [await online()]
  listener = after.name
  // Somebody may come before it is known that the connection was replaced.
  await presence.comes(later.id)
  await presence.clear()
  seen.push(await online())
  for (const { end } of [before, after]) await end()
  expect(seen).toEqual([[fan.id], []])
})

test('a process ends though the database doesn’t take who left with it', async () => {
  const { db } = harness.context
  const third = await startHarness({ beside: harness })
  await sql`
    create function refuse_clear() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
    create trigger refuse_clear before delete on online_people for each statement execute function refuse_clear()`.execute(
    db,
  )
  const stopped = third.stop().then(
    () => 'stopped',
    (error: Error) => error.message,
  )
  const outcome = await stopped.finally(() => sql`drop function refuse_clear cascade`.execute(db))
  expect(outcome).toBe('stopped')
})

test('who comes waits for no one who comes after them', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, async () => (await buildFan(harness)).id))
  const listener = await listen()
  const { db } = harness.context
  const coming: Promise<void>[] = []
  // Somebody comes during each update.
  const transaction = vi.spyOn(db, 'transaction').mockImplementation(() => {
    const next = people[coming.length + 1]
    if (next) queueMicrotask(() => coming.push(presence.comes(next)))
    return Object.getPrototypeOf(db).transaction.call(db)
  })
  const presence = createPresence(harness.context, createConnections(), () => listener.name)
  await presence.comes(people[0] ?? '')
  const after = coming.length
  await Promise.all(coming)
  transaction.mockRestore()
  const online = await listOnline(db, people)
  await presence.clear()
  await listener.end()
  // The next update may have begun.
  expect(after).toBeLessThanOrEqual(2)
  expect(online.size).toBeGreaterThan(1)
})

test('a crowd that comes costs as many statements as one person', async () => {
  const { db } = harness.context
  const { rows } = await sql<{ listener: number }>`
    select pid as listener from pg_stat_activity
    where application_name = ${LISTENER} and datname = current_database()`.execute(db)
  const listener = rows[0]?.listener ?? 0
  const statementsFor = async (count: number) => {
    const here = await Promise.all(Array.from({ length: count }, async () => (await buildFan(harness)).id))
    let statements = 0
    await db.transaction().execute(async (tx) => {
      const counted = tx.withPlugin({
        transformQuery({ node }) {
          statements++
          return node
        },
        transformResult: async ({ result }) => result,
      })
      await notePresence(counted, { listener, here, gone: [] })
    })
    return statements
  }
  expect(await statementsFor(12)).toBe(await statementsFor(1))
})

describe('sockets', () => {
  test('of one person are no more than forty, however many ask at once', async () => {
    const fan = await buildFan(harness)
    const opened = await Promise.all(
      Array.from({ length: 55 }, () => openSocket(harness.origin, { token: fan.token }).catch(() => null)),
    )
    const connected = () => opened.filter((socket) => socket?.raw.connected)
    await until(() => connected().length <= 40)
    expect(connected()).toHaveLength(40)
    for (const socket of opened) socket?.close()
  })

  test('are let in sixty times a minute for a person', async () => {
    const fan = await buildFan(harness)
    const codes: string[] = []
    const come = async () => {
      const socket = await openSocket(harness.origin, { token: fan.token }).catch((error) => error)
      if (socket instanceof Error) codes.push((socket as Error & { code: string }).code)
      else socket.close()
    }
    // Many at once, so that the minute isn't over before the last, yet no more than may be open.
    for (let turn = 0; turn < 3; turn++) await Promise.all(Array.from({ length: 20 }, come))
    expect(codes).toEqual([])
    for (let at = 0; at < 2; at++) await come()
    expect(codes).toEqual(['rate_limited', 'rate_limited'])
  })

  test('end within a minute after their session expired', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const third = await startHarness({ beside: harness })
    const [old, young] = [await buildFan(harness), await buildFan(harness)]
    await harness.context.db
      .updateTable('sessions')
      .set({ expires_at: new Date(third.clock.now().getTime() + 600_000) })
      .where('user_id', '=', old.id)
      .execute()
    const [ends, stays] = [await connect(third, old), await connect(third, young)]
    vi.advanceTimersByTime(60_000)
    await third.context.db.selectFrom('users').select('id').limit(1).execute()
    expect([ends.raw.connected, stays.raw.connected]).toEqual([true, true])
    third.clock.advance(600_001)
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    await until(() => !ends.raw.connected)
    expect(stays.raw.connected).toBe(true)
    await third.stop()
  })
})
