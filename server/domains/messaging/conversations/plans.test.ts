import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPool, type Tables } from '../../../db/client.ts'
import { positionOf } from '../../../db/cursor.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { audienceOf } from '../../../viewer.ts'
import { listAroundUnread, searchMessages } from '../messages/data.ts'
import { markAsRead } from './actions.ts'
import { listConversations } from './data.ts'

/** The size and number of conversations must not affect the cost of a query. */
const [FANS, MESSAGES, LIMIT] = [20_000, 100_000, 40]
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [creatorId, fanId, conversationId] = [idOf(1), idOf(2), idOf(2)]
const NOW = new Date()

let database: { url: string; drop(): Promise<void> }
let db: Kysely<Tables>
let statements: { sql: string; parameters: readonly unknown[] }[] = []

beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: createPool(database.url, { max: 1, onError: () => {} }) }),
    log: ({ query }) => {
      if (/^\s*(select|update)/.test(query.sql))
        statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  await sql`set statement_timeout = 0`.execute(db)
  const numbered = sql`('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
  await sql`
    insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    select ${numbered}, 'many' || n || '@example.test', 'many' || n, 'M', 'many' || n, 'x', n = 1, 'm' || n, now()
    from generate_series(1, ${FANS}::int + 1) n`.execute(db)
  await sql`
    insert into fans (creator_id, fan_id, since, buys, spent_cents)
    select ${creatorId}, ${numbered}, now(), true, n % 97 * 100
    from generate_series(2, ${FANS}::int + 1) n`.execute(db)
  // All fans have a conversation with the creator, whose id is the fan's; two of five were taken back.
  await sql`
    insert into conversations (id, low_id, high_id, revision, created_at)
    select ${numbered}, ${creatorId}, ${numbered}, ${MESSAGES}::int, now()
    from generate_series(2, ${FANS}::int + 1) n`.execute(db)
  const stays = sql`right(high_id::text, 12)::int % 97 not between 50 and 90`
  await sql`
    insert into conversation_members (conversation_id, user_id, other_id, last_at, unread, wrote)
    select conversations.id, place.user_id, place.other_id, now(),
      case when conversations.id = ${conversationId} then ${MESSAGES}::int else 0 end, ${stays} and place.user_id = high_id
    from conversations, lateral (values (low_id, high_id), (high_id, low_id)) as place (user_id, other_id)`.execute(
    db,
  )
  await sql`
    update conversation_members set last_at = '-infinity' from conversations
    where conversations.id = conversation_id and user_id = ${creatorId} and not (${stays})`.execute(db)
  await sql`
    insert into messages (conversation_id, position, revision, sender_id, content, created_at)
    select ${conversationId}, n, n, ${fanId}, 'Message ' || n, now()
    from generate_series(1, ${MESSAGES}::int) n`.execute(db)
  await sql`
    update conversations set last_message_id = (
      select id from messages where conversation_id = ${conversationId} and position = ${MESSAGES}::int
    ) where id = ${conversationId}`.execute(db)
  await sql`vacuum analyze`.execute(db)
}, 300_000)
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Plan = {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}
const rowsOf = (plan: Plan): number =>
  Math.max(
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
    ...(plan.Plans ?? []).map(rowsOf),
  )
const literal = (value: unknown) =>
  typeof value === 'number'
    ? String(value)
    : `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`

/** The largest number of rows that any step of any statement handles during this work. */
async function mostRows(work: () => Promise<unknown>): Promise<number> {
  statements = []
  await work()
  const ran = statements
  let most = 0
  for (const { sql: text, parameters } of ran) {
    const whole = text.replace(/\$(\d+)/g, (_all, number) => literal(parameters[Number(number) - 1]))
    const undone = new Error('undone')
    await db
      .transaction()
      .execute(async (tx) => {
        const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
          explain (analyze, format json) ${sql.raw(whole)}`.execute(tx)
        most = Math.max(most, ...(rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan: plan }) => rowsOf(plan)))
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
  }
  return most
}

test('opening at the first of 100,000 unread messages, and reading on from there, touches what is shown', async () => {
  const opened = await listAroundUnread(db, { conversationId, viewerId: creatorId, limit: LIMIT })
  expect([opened.rows.length, opened.hasMore, opened.hasNewer]).toEqual([LIMIT, false, true])
  const open = () => listAroundUnread(db, { conversationId, viewerId: creatorId, limit: LIMIT })
  expect(await mostRows(open)).toBeLessThanOrEqual(2 * LIMIT)
  const readTo = async (position: number) => {
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .where('position', '=', position)
      .executeTakeFirstOrThrow()
    const read = { conversationId, messageId: id, userId: creatorId, now: NOW }
    await db.transaction().execute((tx) => markAsRead(tx, read))
  }
  // The middle costs as much as the start.
  await db
    .updateTable('conversation_members')
    .set({ read_position: 50_000, unread: 50_000 })
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', creatorId)
    .execute()
  expect(await mostRows(open)).toBeLessThanOrEqual(2 * LIMIT)
  expect(await mostRows(() => readTo(50_010))).toBeLessThanOrEqual(2 * LIMIT)
  expect(await mostRows(() => readTo(MESSAGES))).toBeLessThanOrEqual(2 * LIMIT)
  const left = await db
    .selectFrom('conversation_members')
    .select('unread')
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', creatorId)
    .executeTakeFirst()
  expect(left).toEqual({ unread: 0 })
})

test('a search for what nobody wrote goes through the newest 50,000 messages, and the next one on from there', async () => {
  const search = (filter: string, before?: number) => searchMessages(db, { conversationId, filter, before })
  const first = await search('nowhere')
  expect(first).toEqual({ rows: [], searchedTo: MESSAGES - 49_999 })
  expect(await search('nowhere', 50_001)).toEqual({ rows: [], searchedTo: null })
  expect(await mostRows(() => search('nowhere'))).toBeLessThanOrEqual(50_000)
  expect(await mostRows(() => search('nowhere', 50_001))).toBeLessThanOrEqual(50_000)
  // Rare matches are found, and of common ones only a page is read.
  const { rows } = await search('message 123', 50_001)
  expect(rows.at(-1)?.content).toBe('Message 12370')
  const everywhere = await search('message')
  expect([everywhere.rows.length, everywhere.searchedTo]).toEqual([30, MESSAGES - 29])
  expect(await mostRows(() => search('message'))).toBeLessThanOrEqual(2 * LIMIT)
})

test('a page of the conversations with those who spent most reads a page, also far down', async () => {
  const person = { id: creatorId, role: null, isCreator: true }
  const viewer = { ...audienceOf(person, { country: null, region: null }), id: creatorId }
  const page = (cursor?: string) =>
    listConversations(db, viewer, { page: { limit: LIMIT, cursor }, filter: '', showing: 'spenders' })
  const rows = await page()
  expect(rows).toHaveLength(LIMIT + 1)
  expect(rows[0]?.spent_cents).toBe(9600)
  expect(await mostRows(() => page())).toBeLessThanOrEqual(2 * LIMIT)
  const deep = Buffer.from(`4800|${idOf(9000)}`, 'latin1').toString('base64url')
  expect((await page(deep))[0]?.spent_cents).toBe(4800)
  expect(await mostRows(() => page(deep))).toBeLessThanOrEqual(2 * LIMIT)
  // Behind it come 8,000 who spent less, whose conversations were taken back.
  const beforeEmptied = Buffer.from(`9100|${idOf(0)}`, 'latin1').toString('base64url')
  expect((await page(beforeEmptied))[0]?.spent_cents).toBe(4900)
  expect(await mostRows(() => page(beforeEmptied))).toBeLessThanOrEqual(2 * LIMIT)
})

test('the last page of the conversations ends before those that were taken back', async () => {
  const person = { id: creatorId, role: null, isCreator: true }
  const viewer = { ...audienceOf(person, { country: null, region: null }), id: creatorId }
  const { rows } = await sql<{ position: string }>`
    select ${positionOf(sql.ref('last_at'), sql.ref('conversation_id'))} as position from conversation_members
    where user_id = ${creatorId} and last_at > '-infinity' order by last_at, conversation_id offset 5 limit 1`.execute(
    db,
  )
  const cursor = Buffer.from(rows[0]?.position ?? '', 'latin1').toString('base64url')
  const last = () =>
    listConversations(db, viewer, { page: { limit: LIMIT, cursor }, filter: '', showing: 'all' })
  expect(await last()).toHaveLength(5)
  expect(await mostRows(last)).toBeLessThanOrEqual(2 * LIMIT)
})
