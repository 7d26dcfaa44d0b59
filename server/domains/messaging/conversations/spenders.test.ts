import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Db } from '../../../db/client.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import * as chat from '../../../testing/chat.ts'
import { messageOf, until } from '../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { massMessages } from '../../../testing/mass-messages.ts'
import { insertPurchase } from '../../../testing/purchases.ts'

/** A creator's conversations sorted by what the other person spent. */
let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => chat.closeSockets())
afterAll(() => harness?.stop())

const buy = (buyer: Person, seller: Person, cents: number, db: Db = harness.context.db) =>
  insertPurchase(db, {
    buyer_id: buyer.id,
    creator_id: seller.id,
    kind: 'single',
    item_id: crypto.randomUUID(),
    amount_cents: cents,
    status: 'captured',
    created_at: harness.clock.now(),
  })
const write = async (from: Person, to: Person) => {
  const socket = await chat.connect(harness, from)
  expect(await socket.emit('chat message', messageOf(from, to))).toMatchObject({ ok: true })
}
const list = async (person: Person, query: object = {}) => {
  const page = await harness.api.as(person).call(routes.conversations, { query })
  const shown = page.conversations.map(({ participants, spent }) => [
    participants.find(({ _id }) => _id !== person.id)?.username,
    spent,
  ])
  return { shown, nextCursor: page.nextCursor }
}

test('who spent most stands first, whether they bought before they wrote or after; others see nothing of it', async () => {
  const [creator, other] = [await buildCreator(harness), await buildCreator(harness)]
  const [early, late, silent, none] = await Promise.all([1, 2, 3, 4].map(() => buildFan(harness)))
  if (!early || !late || !silent || !none) throw new Error('four fans')
  await buy(early, creator, 1350)
  for (const fan of [early, late, none]) await write(fan, creator)
  await write(late, other)
  await buy(late, creator, 450)
  await buy(silent, creator, 90_000)
  // Purchases from other creators don't count.
  await buy(none, other, 5000)
  const spenders = async (query: object = {}) =>
    (await list(creator, { showing: 'spenders', ...query })).shown
  expect(await spenders()).toEqual([
    [early.username, '$13.50'],
    [late.username, '$4.50'],
  ])
  expect((await list(creator)).shown).toEqual([
    [none.username, null],
    [late.username, '$4.50'],
    [early.username, '$13.50'],
  ])
  await buy(late, creator, 1000)
  await write(silent, creator)
  const [first, second, third] = [
    [silent.username, '$900'],
    [late.username, '$14.50'],
    [early.username, '$13.50'],
  ]
  expect(await spenders()).toEqual([first, second, third])
  expect(await spenders({ filter: late.username.toUpperCase() })).toEqual([second])
  // Page by page, each once; an invalid position is refused.
  const { shown, nextCursor } = await list(creator, { showing: 'spenders', limit: 2 })
  expect(shown).toEqual([first, second])
  expect(await spenders({ limit: 2, cursor: nextCursor })).toEqual([third])
  await expect(list(creator, { cursor: nextCursor })).rejects.toMatchObject({ code: 'bad_cursor' })
  for (const query of [{}, { showing: 'spenders' }])
    expect((await list(late, query)).shown.map(([, spent]) => spent)).toEqual(
      'showing' in query ? [] : [null, null],
    )
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: harness.clock.now() })
    .where('id', '=', silent.id)
    .execute()
  expect(await spenders()).toEqual([second, third])
})

test('a first purchase and the first message at the same moment find each other', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  const { db } = harness.context
  const waiting = async () => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(db)
    return rows.length > 0
  }
  let writing: Promise<void> | undefined
  await db.transaction().execute(async (tx) => {
    await buy(fan, creator, 700, tx)
    writing = write(fan, creator)
    await until(waiting)
  })
  await writing
  expect((await list(creator, { showing: 'spenders' })).shown).toEqual([[fan.username, '$7']])
})

test('a conversation that a mass message began stands nowhere once that is taken back, until somebody writes', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { follow, send, unsend } = massMessages(() => harness)
  await follow(fan, creator)
  await buy(fan, creator, 700)
  const listed = async () => [
    (await list(creator)).shown,
    (await list(creator, { showing: 'spenders' })).shown,
  ]
  const both = [[[fan.username, '$7']], [[fan.username, '$7']]]
  for (const _time of ['once', 'again']) {
    const { _id } = await send(creator)
    await harness.runJobs()
    expect(await listed()).toEqual(both)
    await unsend(creator, _id)
    await harness.runJobs()
    expect(await listed()).toEqual([[], []])
  }
  await write(fan, creator)
  expect(await listed()).toEqual(both)
})
