import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { personalData } from '../../../db/personal-data.ts'
import {
  buildBankDetails,
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  type Person,
} from '../../../testing/builders.ts'
import { CANARY, dump, sightings } from '../../../testing/canary.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits } from '../../../testing/promotion.ts'
import { leave } from '../../../testing/security.ts'
import { hashPassword } from '../../identity/passwords/actions.ts'
import { conversationIdOf } from '../../messaging/data.ts'

const DAY_MS = 24 * 3600 * 1000
const PASSWORD = 'a password for the way back'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const remove = (person: Person) => leave(harness, person)
const erase = () => harness.server.jobs['account.erase']({}, { attempt: 1, lastAttempt: false })
const setPassword = async (person: Person) =>
  harness.context.db
    .updateTable('users')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', person.id)
    .execute()

async function buySingle(buyer: Person, itemId: string): Promise<void> {
  const body = { kind: 'single' as const, itemId, ...(await cardToken(harness)) }
  await harness.api.as(buyer).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
}

/** How many rows of each table name this person. */
async function rowsOf(userId: string): Promise<Record<string, number>> {
  const { db } = harness.context
  const { rows: references } = await sql<{ table: string; column: string }>`
    select source.relname as table, attribute.attname as column from pg_constraint
      join pg_class source on source.oid = conrelid
      join pg_attribute attribute on attribute.attrelid = conrelid and attribute.attnum = conkey[1]
    where contype = 'f' and confrelid = 'users'::regclass`.execute(db)
  const counts: Record<string, number> = {}
  for (const { table, column } of references) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${userId}`.execute(db)
    counts[table] = (counts[table] ?? 0) + (rows[0]?.count ?? 0)
  }
  return counts
}

/** Tables to be erased that hold no row of this person; whom they referred is no row of theirs. */
async function emptyTables(userId: string): Promise<string[]> {
  const rows = await rowsOf(userId)
  return Object.keys(rows).filter(
    (table) => table !== 'users' && personalData[table] === 'erased' && rows[table] === 0,
  )
}

/** Writes a row naming the person into a table that has none, the canary wherever it fits. */
async function fill(table: string, userId: string): Promise<void> {
  const { db } = harness.context
  const { rows: columns } = await sql<{
    name: string
    type: string
    required: boolean
    target: string | null
    choice: string | null
  }>`
    select attname as name, format_type(atttypid, null) as type, attnotnull as required,
      (select confrelid::regclass::text from pg_constraint
        where contype = 'f' and conrelid = attrelid and conkey = array[attnum]) as target,
      (select substring(pg_get_constraintdef(oid) from '''([a-z_]+)''::text') from pg_constraint
        where contype = 'c' and conrelid = attrelid and conkey = array[attnum] limit 1) as choice
    from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and (not atthasdef or atttypid = 'text'::regtype)
  `.execute(db)
  const values: Record<string, unknown> = {
    text: CANARY,
    tsvector: CANARY,
    'text[]': [CANARY],
    bytea: Buffer.from(CANARY),
    'timestamp with time zone': new Date(harness.clock.now().getTime() + 90 * DAY_MS),
    jsonb: JSON.stringify({ of: CANARY }),
    boolean: false,
    integer: 1,
    smallint: 1,
    'smallint[]': [1],
    bigint: 1,
    uuid: crypto.randomUUID(),
  }
  const insert = (chosen: typeof columns) => {
    const given = chosen.map(({ type, target, choice }) => {
      if (target === 'users') return sql`${userId}`
      return target ? sql`(select id from ${sql.table(target)} limit 1)` : sql`${choice ?? values[type]}`
    })
    return sql`insert into ${sql.table(table)} (${sql.join(chosen.map(({ name }) => sql.ref(name)))})
      values (${sql.join(given)})`.execute(db)
  }
  // What may be left out can contradict the rest.
  await insert(columns).catch(() =>
    insert(columns.filter(({ required, target }) => required || target === 'users')),
  )
}

/** A creator and buyer who left something of themselves everywhere. */
async function buildEverywhere(): Promise<Person> {
  const { db, clock, storage } = harness.context
  const person = await buildCreator(harness, { username: CANARY })
  const api = harness.api.as(person)
  const now = clock.now()
  const [friend, rival] = [await buildCreator(harness), await buildFan(harness)]
  await setPassword(person)
  const form = new FormData()
  const fields = {
    firstName: CANARY,
    lastName: CANARY,
    username: CANARY,
    redditUsername: CANARY,
    email: person.email,
    bio: CANARY,
    menu: CANARY,
    limits: CANARY,
    links: JSON.stringify([{ text: CANARY, link: `https://${CANARY}.test/` }]),
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#345' } })
    .png()
    .toBuffer()
  form.append('profileImage', new Blob([new Uint8Array(png)]))
  const edited = await fetch(`${harness.origin}/api/users/editprofile`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'user-agent': CANARY },
    body: form,
  })
  expect(edited.status).toBe(200)
  const bytes = () => Readable.from([Buffer.from(CANARY)])
  const media = await buildMedia(harness, person, { title: CANARY, showInStore: true })
  await storage.put(`media/${media}/w640.webp`, bytes(), { maxBytes: 100 })
  const upload = await db
    .insertInto('uploads')
    .values({
      owner_id: person.id,
      file_name: CANARY,
      status: 'received',
      created_at: now,
      updated_at: now,
      expires_at: new Date(now.getTime() + 90 * DAY_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await storage.put(`uploads/${upload.id}`, bytes(), { maxBytes: 100 })
  await storage.put(`uploads/${upload.id}.whole/1`, bytes(), { maxBytes: 100 })
  await storage.put(`profile/${person.id}/left.webp`, bytes(), { maxBytes: 100 })
  await buildBankDetails(harness, person.id)
  const plan = await buildPlan(harness, person, { title: CANARY, mediaIds: [media] })
  await buildPlan(harness, person, { title: `${CANARY} unsold` })
  await buildBundle(harness, person, { title: CANARY, mediaIds: [media] })
  await buySingle(rival, media)
  await harness.api
    .as(rival)
    .call(
      routes.purchase,
      { body: { kind: 'subscription', itemId: plan, ...(await cardToken(harness)) } },
      { idempotencyKey: crypto.randomUUID() },
    )
  await buySingle(person, await buildMedia(harness, friend, { showInStore: true }))
  await db
    .insertInto('stored_cards')
    .values({
      user_id: person.id,
      customer_profile_id: CANARY,
      payment_profile_id: CANARY,
      brand: 'Visa',
      last_four: '1111',
      created_at: now,
      used_at: now,
    })
    .execute()
  await api.call(routes.createSharedCode, { body: { title: CANARY, participantIds: [friend.id] } })
  await api.call(routes.toggleFollow, { body: { followingId: friend.id } })
  await harness.api.as(friend).call(routes.toggleFollow, { body: { followingId: person.id } })
  await api.call(routes.block, { body: { blockedId: rival.id } })
  await api.call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } })
  await api.call(routes.requestExport, {})
  await db
    .insertInto('email_confirmations')
    .values({
      token_hash: Buffer.from(CANARY),
      user_id: person.id,
      email: person.email,
      created_at: now,
      expires_at: new Date(now.getTime() + 90 * DAY_MS),
    })
    .execute()
  await db
    .insertInto('idempotency_keys')
    .values({
      user_id: person.id,
      key: CANARY,
      route: 'createBundle',
      request_hash: 'x',
      status: 200,
      response: JSON.stringify({ title: CANARY }),
      created_at: now,
    })
    .execute()
  await buildOffer(harness, person, { type: 'freeSingles', mediaIds: [media], recipients: [friend] })
  const gift = await buildOffer(harness, friend, { type: 'freeBundle', recipients: [person] })
  await api.call(routes.redeemOffer, { body: { offerId: gift } })
  await converse(person, friend, media)
  await promote(person)
  await payOut(person, friend)
  for (const table of await emptyTables(person.id)) await fill(table, person.id)
  return person
}

/** They were paid once, by a file that names their account. */
async function payOut(person: Person, operator: Person): Promise<void> {
  const { db, clock } = harness.context
  const now = clock.now()
  const cents = { amount_cents: 2000 }
  const payout = await db
    .insertInto('payouts')
    .values({ user_id: person.id, ...cents, status: 'paid', requested_at: now, changed_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await db
    .insertInto('payout_exports')
    .values({ exported_by: operator.id, reason: 'Weekly run', count: 1, ...cents, exported_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = { position: 1, sealed_line: Buffer.from(CANARY) }
  await db
    .insertInto('exported_payouts')
    .values({ payout_id: payout.id, export_id: made.id, user_id: person.id, ...line })
    .execute()
}

/** They promote on the forum. */
async function promote(person: Person): Promise<void> {
  await buildSubreddits(harness, ['Asters'])
  const api = harness.api.as(person)
  const record = { srName: 'Asters', notes: CANARY, checked: [CANARY] }
  await api.call(routes.updateVerification, { body: record })
  const { _id: listId } = await api.call(routes.createSubredditList, { body: { title: CANARY } })
  const list = { listId, title: CANARY, subreddits: ['Asters'], removeFromSearch: true }
  await api.call(routes.updateSubredditList, { body: list })
  const post = { titles: [CANARY], comment: CANARY, link: 'quietlake' }
  const { _id: redditPostId } = await api.call(routes.createPost, { body: post })
  await api.call(routes.editPost, { params: { redditPostId }, body: { usableSubreddits: ['Asters'] } })
}

/** They write to each other, react, report each other, and ask each other for something custom; their sockets stay open. */
async function converse(person: Person, friend: Person, mediaId: string): Promise<void> {
  const conversationId = conversationIdOf(person.id, friend.id)
  const participantIds = [person.id, friend.id]
  for (const [writer, reader] of [
    [person, friend],
    [friend, person],
  ] as const) {
    const socket = await harness.api.as(writer).socket({ conversationId, participantIds })
    const attachments = writer === person ? [{ url: `/media/${mediaId}` }] : []
    const message = { senderId: writer.id, content: CANARY, conversationId, attachments }
    const answer = await socket.emit('chat message', { message })
    const messageId = (answer.ok && answer.message?._id) || ''
    const api = harness.api.as(reader)
    await api.call(routes.reactToMessage, { body: { messageId, emoji: '🔥' } })
    await api.call(routes.reportMessage, { body: { messageId, reason: CANARY } })
    const asked = { creatorId: reader.id, requestMessage: CANARY, maxMinutes: 1, pricePerMinute: '$4' }
    const { _id: requestId } = await harness.api.as(writer).call(routes.createCustomRequest, { body: asked })
    await api.call(routes.declineCustomRequest, { body: { requestId, reason: CANARY } })
  }
  const settings = { audience: 'everyone' as const, welcomeMessage: CANARY }
  await harness.api.as(person).call(routes.setChatSettings, { body: settings })
}

test('30 days later nothing of the person is left in any table or file, outside the listed holds', async () => {
  const person = await buildEverywhere()
  await harness.runJobs()
  const exported = `exports/${person.id}`
  expect(await readdir(join(harness.context.config.DATA_DIR, 'media', exported))).toHaveLength(1)
  expect(await emptyTables(person.id)).toEqual([])
  const before = await sightings(harness)
  for (const place of [
    'users',
    'profiles',
    'media',
    'uploads',
    'bundles',
    'stored_cards',
    'media/',
    'profile/',
  ])
    expect(before).toContain(place)
  await remove(person)
  await sql`
    select graphile_worker.add_job('notifications.send', json_build_object('to', ${person.email}::text), run_at := now() + interval '1 year')
  `.execute(harness.context.db)

  harness.clock.advance(30 * DAY_MS)
  await erase()
  // The words that search learned from nobody else go with the night's count, kept answers to others' calls after a week.
  for (const job of ['search.count', 'identity.sweep'] as const)
    await harness.server.jobs[job]({}, { attempt: 1, lastAttempt: false })

  const held = Object.entries(personalData).filter(([, fate]) => fate.startsWith('kept'))
  expect((await sightings(harness)).filter((place) => !held.some(([table]) => table === place))).toEqual([])
  // Of the holds, only what was sold and what was reported says anything: the words on the receipt, and of the message.
  expect(await sightings(harness)).toEqual(['message_reports', 'orders'])
  const left = await rowsOf(person.id)
  const erased = Object.keys(left).filter((table) => personalData[table] === 'erased' && left[table])
  expect(erased).toEqual(['subscription_plans'])
  expect(
    await readdir(join(harness.context.config.DATA_DIR, 'media')).then((names) => names.sort()),
  ).toContain('media')
  const sale = await harness.context.db
    .selectFrom('orders')
    .select('status')
    .where('creator_id', '=', person.id)
    .execute()
  expect(sale).toEqual([{ status: 'paid' }, { status: 'paid' }])
  // Once more changes nothing, and fails nothing.
  const lasting = async () => {
    const tables = await dump(harness)
    // Who is connected changes by itself: the other's session has ended, which is seen once a minute.
    tables.delete('online_people')
    return [...tables]
  }
  const after = await lasting()
  await erase()
  expect(await lasting()).toEqual(after)
})
