import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createDb, type Tx } from '../../../../db/client.ts'
import { buildCreator, buildFan, type Person } from '../../../../testing/builders.ts'
import * as chat from '../../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { startSilentProxy } from '../../../../testing/silent-proxy.ts'
import { lockConversation } from '../../conversations/actions.ts'
import { conversationIdOf } from '../../data.ts'
import { storeTogether } from './actions.ts'

/** What happens to messages that arrive together when one of them is a duplicate. */
let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => harness?.stop())

async function messageOf(fan: Person, recipient: Person, clientMessageId: string = randomUUID()) {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(harness.context.db)
  return {
    id: rows[0]?.id ?? '',
    conversationId: conversationIdOf(fan.id, recipient.id),
    senderId: fan.id,
    recipientId: recipient.id,
    clientMessageId,
    content: `From ${fan.username}`,
    replyTo: null,
    priceCents: null,
    wrote: true,
    now: harness.clock.now(),
  }
}
type Message = Awaited<ReturnType<typeof messageOf>>
const many = () => Promise.all(Array.from({ length: 10 }, () => buildFan(harness)))

/** Stores messages of one turn; returns the result of each, and in how many transactions they were stored. */
async function together(messages: Message[]) {
  const { db } = harness.context
  const outcomes = await Promise.allSettled(messages.map((message) => storeTogether(db, message)))
  const ids = messages.map(({ id }) => id)
  const { rows } = await sql<{ transactions: number }>`
    select count(distinct xmin::text)::int as transactions from messages where id = any(${ids}::uuid[])`.execute(
    db,
  )
  return {
    outcomes: outcomes.map((one) => (one.status === 'fulfilled' ? 'stored' : one.reason.code)),
    transactions: rows[0]?.transactions,
  }
}

/** Commits as soon as somebody waits for it: at the database, as one stalled here could leave them waiting in vain. */
const commitOnceAwaited = (tx: Tx) =>
  sql`
    do $$ begin
      while not exists (
        select from pg_stat_activity where wait_event_type = 'Lock' and pg_backend_pid() = any(pg_blocking_pids(pid))
      ) loop
        perform pg_sleep(0.01), pg_stat_clear_snapshot();
      end loop;
    end $$;
    commit`.execute(tx)

/** Keeps statements that store this person’s messages running until the transaction ends, without a lock of which they tire. */
async function slowDown(tx: Tx, { id }: Person): Promise<() => Promise<void>> {
  const { db } = harness.context
  await sql`
    create function goes_slowly() returns trigger language plpgsql as $$ begin
      while not pg_try_advisory_xact_lock_shared(1) loop perform pg_sleep(0.01); end loop;
      return new;
    end $$;
    create trigger slow before insert on messages for each row
      when (new.sender_id = ${sql.lit(id)}) execute function goes_slowly()`.execute(db)
  await sql`select pg_advisory_xact_lock(1)`.execute(tx)
  return async () => {
    await sql`drop function goes_slowly cascade`.execute(db)
  }
}
async function areSleeping(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
    harness.context.db,
  )
  return rows.length
}

test('one that was stored before holds up none of the others, which are stored by one statement', async () => {
  const fans = await many()
  const [first] = fans as [Person]
  const stored = await messageOf(first, creator)
  await storeTogether(harness.context.db, stored)
  const again = await messageOf(first, creator, stored.clientMessageId)
  const others = await Promise.all(fans.slice(1).map((fan) => messageOf(fan, creator)))
  expect(await together([again, ...others])).toEqual({
    outcomes: ['idempotency_key_reused', ...others.map(() => 'stored')],
    transactions: 1,
  })
  const { messages, conversation: after } = await chat.conversation(harness, creator, first)
  expect([messages.length, after.revision, after.unread]).toEqual([1, 1, 1])
})

test('nor does one that goes by the same name as another of the same moment', async () => {
  const fans = await many()
  const [first] = fans as [Person]
  const stored = await messageOf(first, creator)
  const elsewhere = await messageOf(first, await buildCreator(harness), stored.clientMessageId)
  const others = await Promise.all(fans.slice(1).map((fan) => messageOf(fan, creator)))
  expect(await together([stored, elsewhere, ...others])).toEqual({
    outcomes: ['stored', 'idempotency_key_reused', ...others.map(() => 'stored')],
    transactions: 1,
  })
})

test('nor does one that another process is storing at that moment', async () => {
  const { db } = harness.context
  const fans = await many()
  const [first] = fans as [Person]
  const named = await messageOf(first, creator)
  const others = await Promise.all(fans.slice(1).map((fan) => messageOf(fan, creator)))
  const elsewhere = await messageOf(first, await buildCreator(harness), named.clientMessageId)
  const waiting = await db.transaction().execute(async (tx) => {
    await storeTogether(tx, elsewhere)
    const outcome = together([named, ...others])
    await commitOnceAwaited(tx)
    return { outcome }
  })
  expect(await waiting.outcome).toEqual({
    outcomes: ['idempotency_key_reused', ...others.map(() => 'stored')],
    transactions: 1,
  })
})

test('one whose conversation another process holds keeps that conversation waiting alone, in its order', async () => {
  const { db } = harness.context
  const fans = await many()
  const [first] = fans as [Person]
  await storeTogether(db, await messageOf(first, creator))
  const behind = [await messageOf(first, creator), await messageOf(first, creator)]
  const others = await Promise.all(fans.slice(1).map((fan) => messageOf(fan, creator)))
  const later = await messageOf(first, await buildCreator(harness))
  const waiting = await db.transaction().execute(async (tx) => {
    await lockConversation(tx, conversationIdOf(first.id, creator.id))
    const stored = behind.map((message) => storeTogether(db, message))
    expect((await together(others)).outcomes).toEqual(others.map(() => 'stored'))
    expect((await together([later])).outcomes).toEqual(['stored'])
    return { stored }
  })
  const stored = await Promise.all(waiting.stored)
  expect(stored.map(({ message }) => [message.id, message.position])).toEqual(
    behind.map(({ id }, at) => [id, at + 2]),
  )
})

test('one that has to wait for another process keeps only its conversation waiting, also where that hasn’t begun', async () => {
  const { db } = harness.context
  const [first, other] = (await many()) as [Person, Person]
  const behind = [await messageOf(first, creator), await messageOf(first, creator)]
  const beside = await messageOf(other, creator)
  const waiting = await db.transaction().execute(async (tx) => {
    await storeTogether(tx, await messageOf(first, creator))
    const stored = behind.map((message) => storeTogether(db, message))
    await expect.poll(() => waitingForLocks(db, 'insert into conversations')).toBe(1)
    expect((await together([beside])).outcomes).toEqual(['stored'])
    return { stored }
  })
  const stored = await Promise.all(waiting.stored)
  expect(stored.map(({ message }) => [message.id, message.position])).toEqual(
    behind.map(({ id }, at) => [id, at + 2]),
  )
})

test('a transaction that has stored one keeps no other waiting by its reminder’s job', async () => {
  const { db } = harness.context
  const [first, other] = (await many()) as [Person, Person]
  harness.clock.advance(60_000)
  await db.transaction().execute(async (tx) => {
    await storeTogether(tx, await messageOf(first, creator))
    expect((await together([await messageOf(other, creator)])).outcomes).toEqual(['stored'])
  })
})

test('what arrives while a statement runs shares the next one, also beside one that waits too long', async () => {
  const { db } = harness.context
  const [first, ...others] = (await many()) as [Person, ...Person[]]
  const behind = await messageOf(first, creator)
  const beside = await Promise.all(others.map((fan) => messageOf(fan, creator)))
  const waiting = await db.transaction().execute(async (tx) => {
    const hurry = await slowDown(tx, first)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const stored = storeTogether(db, behind)
    // A poll of the test library would advance these timers.
    while ((await areSleeping()) === 0) await nextTurn()
    const shared: Promise<unknown>[] = []
    for (const message of beside) {
      shared.push(storeTogether(db, message))
      await nextTurn()
    }
    vi.advanceTimersByTime(1000)
    await Promise.all(shared)
    return { stored, hurry }
  })
  await waiting.stored
  await waiting.hurry()
  const { rows } = await sql<{ transactions: number }>`
    select count(distinct xmin::text)::int as transactions from messages
    where id = any(${beside.map(({ id }) => id)}::uuid[])`.execute(db)
  expect(rows).toEqual([{ transactions: 1 }])
})

test('many that share a statement which waits for an account keep others waiting no longer than it takes to give up', async () => {
  // Nothing else ends a statement that waits.
  const db = createDb(new pg.Pool({ connectionString: harness.databaseUrl }))
  const fans = await many()
  const messages = await Promise.all(fans.map((fan) => messageOf(fan, creator)))
  const later = await messageOf(fans[1] as Person, await buildCreator(harness))
  // The first reminder of a database adds its job's name and queue, which others would wait for.
  await storeTogether(db, await messageOf(await buildFan(harness), creator))
  const waiting = await db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', fans[0]?.id ?? '')
      .forUpdate()
      .execute()
    const [held, ...others] = messages.map((message) => storeTogether(db, message))
    await expect.poll(() => waitingForLocks(db, 'insert into conversations')).toBe(1)
    await Promise.all([...others, storeTogether(db, later)])
    return { held }
  })
  expect((await waiting.held)?.message.position).toBe(1)
  await db.destroy()
})

test('messages of one whose account is locked take one place of those stored alone, and later ones keep nobody waiting', async () => {
  const db = createDb(new pg.Pool({ connectionString: harness.databaseUrl }))
  const [writer, ...fans] = (await many()) as [Person, ...Person[]]
  const recipients = await Promise.all(Array.from({ length: 6 }, () => buildCreator(harness)))
  await storeTogether(db, await messageOf(await buildFan(harness), creator))
  const held = await Promise.all(recipients.map((recipient) => messageOf(writer, recipient)))
  const messages = await Promise.all(fans.map((fan) => messageOf(fan, creator)))
  const elsewhere = await buildCreator(harness)
  const later = await Promise.all([writer, ...fans].map((one) => messageOf(one, elsewhere)))
  const waiting = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', writer.id).forUpdate().execute()
    const [stuck, others] = [held, messages].map((each) => each.map((message) => storeTogether(db, message)))
    await Promise.all(others ?? [])
    let left = fans.length
    const [last, ...free] = later.map((message) => storeTogether(db, message))
    for (const one of free) void one.then(() => left--)
    let most = 0
    while (left > 0 && most < 2) most = Math.max(most, await waitingForLocks(db))
    expect({ left, most }).toEqual({ left: 0, most: 1 })
    return { stuck: [...(stuck ?? []), last] }
  })
  const stored = await Promise.all(waiting.stuck)
  expect(stored.map((one) => one?.message.position)).toEqual([...held, writer].map(() => 1))
  await db.destroy()
})

test('one that was stored before its connection broke is answered as sent, also without a client-side id', async () => {
  const { creator: seller, fan } = await chat.buildCustomer(harness)
  const draft = (more: object) => chat.messageOf(fan, seller, { clientMessageId: undefined, ...more })
  const own = await chat.connect(harness, fan)
  expect(await own.emit('chat message', draft({ content: 'First' }))).toMatchObject({ ok: true })
  const silentFrom = 'for no key update skip locked'
  const proxy = await startSilentProxy(harness.databaseUrl, { silentFrom })
  const beside = await startHarness({ beside: { ...harness, serverUrl: proxy.connectionString } })
  const other = await chat.connect(beside, fan)
  const sent = other.emit('chat message', draft({ content: 'Second' }))
  const contents = async () =>
    (await chat.conversation(harness, seller, fan)).messages.map(({ content }) => content)
  await chat.until(async () => (await contents()).length > 1)
  proxy.breakSilenced()
  expect(await sent).toMatchObject({ ok: true, message: { content: 'Second' } })
  expect(await contents()).toEqual(['First', 'Second'])
  chat.closeSockets()
  await beside.stop()
})
