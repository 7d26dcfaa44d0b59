import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFollowed } from '../../../testing/audiences.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { connect, messageOf } from '../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
})
afterAll(() => harness?.stop())

const as = (person: Person) => harness.api.as(person)
const follow = (fan: Person, whom: Person) =>
  as(fan).call(routes.toggleFollow, { body: { followingId: whom.id } })
const table = async (query: object, by = creator) => (await as(by).call(routes.fanTable, { query })).items
const names = async (query: object, by = creator) => (await table(query, by)).map(({ username }) => username)
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )

test('fans stand by what they spent with this creator, exactly, or by when they came', async () => {
  const other = await buildCreator(harness)
  const [little, much, none] = [await buildFan(harness), await buildFan(harness), await buildFan(harness)]
  const buy = (buyer: Person, seller = creator) =>
    insertPurchase(harness.context.db, {
      buyer_id: buyer.id,
      creator_id: seller.id,
      kind: 'single',
      item_id: crypto.randomUUID(),
      amount_cents: 450,
      status: 'captured',
      created_at: harness.clock.now(),
    })
  for (const fan of [none, little]) {
    harness.clock.advance(1000)
    await follow(fan, creator)
  }
  await buy(little)
  for (let sale = 0; sale < 3; sale++) await buy(much)
  // Purchases from other creators don't count.
  await buy(none, other)
  expect((await table({ sort: 'spent' })).map(({ username, spent }) => [username, spent])).toEqual([
    [much.username, '$13.50'],
    [little.username, '$4.50'],
    [none.username, '$0'],
  ])
  expect(await names({ showing: 'followers', sort: 'newest' })).toEqual([little.username, none.username])
  expect(await names({ showing: 'subscribers' })).toEqual([])
  expect(await names({ filter: much.username.slice(2).toUpperCase() })).toEqual([much.username])
  await follow(none, creator)
  expect(await names({})).not.toContain(none.username)
  expect(await names({ showing: 'all' }, other)).toEqual([none.username])
})

test('every order comes page by page, each fan once', async () => {
  const { creator: liked, followerIds } = await buildFollowed(harness, 45)
  const list = await as(liked).call(routes.saveFanList, { body: { name: 'All of them' } })
  await as(liked).call(routes.changeFanList, { body: { listId: list._id, add: followerIds } })
  for (const sort of ['newest', 'spent'] as const)
    for (const chosen of [{ showing: 'followers' }, { showing: 'list', listId: list._id }] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await as(liked).call(routes.fanTable, { query: { ...chosen, sort, limit: 20, cursor } })
        seen.push(...page.items.map(({ _id }) => _id))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(seen.toSorted()).toEqual(followerIds.toSorted())
    }
  const fake = Buffer.from(`1.5|${followerIds[0]}`, 'latin1').toString('base64url')
  expect(await codeOf(as(liked).call(routes.fanTable, { query: { sort: 'spent', cursor: fake } }))).toBe(
    'bad_cursor',
  )
})

test('lists hold fans and those who write, have one name each, and are the creator’s alone', async () => {
  const [owner, thief, fan, stranger] = [
    await buildCreator(harness),
    await buildCreator(harness),
    await buildFan(harness),
    await buildFan(harness),
  ]
  await follow(fan, owner)
  const api = as(owner)
  const { _id: listId } = await api.call(routes.saveFanList, { body: { name: 'Best' } })
  expect(await codeOf(api.call(routes.saveFanList, { body: { name: 'best' } }))).toBe('fan_list_exists')
  const add = (who: string[], by = owner) =>
    codeOf(as(by).call(routes.changeFanList, { body: { listId, add: who } }))
  expect(await add([fan.id, fan.id])).toBe('accepted')
  expect(await add([stranger.id])).toBe('user_not_found')
  expect(await add([owner.id])).toBe('user_not_found')
  expect(await add([fan.id], thief)).toBe('fan_list_not_found')
  const byThief = [routes.deleteFanList, routes.saveFanList] as const
  for (const route of byThief)
    expect(await codeOf(as(thief).call(route, { body: { listId, name: 'Mine' } }))).toBe('fan_list_not_found')
  expect(await names({ showing: 'list', listId }, thief)).toEqual([])
  expect(await names({ showing: 'list', listId }, owner)).toEqual([fan.username])
  const renamed = await api.call(routes.saveFanList, { body: { listId, name: 'The best' } })
  expect(renamed).toEqual({ _id: listId, name: 'The best', members: 1 })
  // A scheduled message that uses the list prevents its deletion.
  const sendAt = new Date(harness.clock.now().getTime() + 3600_000).toISOString()
  const body = { content: 'Hello', audience: 'list' as const, listId, sendAt }
  const { _id: massMessageId } = await api.call(routes.saveMassMessage, { body })
  expect(await codeOf(api.call(routes.deleteFanList, { body: { listId } }))).toBe('fan_list_in_use')
  // One that couldn't go out is changed and sent again.
  const now = harness.clock.now()
  await harness.context.db
    .updateTable('mass_messages')
    .set({ status: 'failed', failure: 'price_too_low', finished_at: now })
    .where('id', '=', massMessageId)
    .execute()
  expect(await codeOf(api.call(routes.deleteFanList, { body: { listId } }))).toBe('fan_list_in_use')
  await api.call(routes.cancelMassMessage, { body: { massMessageId } })
  await api.call(routes.deleteFanList, { body: { listId } })
  expect((await api.call(routes.fanLists, {})).items).toEqual([])
  expect(await names({}, owner)).toEqual([fan.username])
  const many = await Promise.all(
    Array.from({ length: 104 }, (_, at) =>
      codeOf(api.call(routes.saveFanList, { body: { name: `List ${at}` } })),
    ),
  )
  expect(many.filter((code) => code === 'accepted')).toHaveLength(100)
  expect(many.filter((code) => code === 'fan_lists_full')).toHaveLength(4)
})

test('who was only written to is on no list until they write; a note on them is kept', async () => {
  const owner = await buildCreator(harness)
  const person = await buildFan(harness, { discoverable: true })
  const api = as(owner)
  const { _id: listId } = await api.call(routes.saveFanList, { body: { name: 'Written to' } })
  const write = async (from: Person, to: Person) => {
    const socket = await connect(harness, from, to)
    expect(await socket.emit('chat message', messageOf(from, to))).toMatchObject({ ok: true })
    socket.close()
  }
  const add = () => codeOf(api.call(routes.changeFanList, { body: { listId, add: [person.id] } }))
  const listable = async () => (await api.call(routes.fan, { query: { fanId: person.id } })).listable
  await write(owner, person)
  expect(await listable()).toBe(false)
  expect(await add()).toBe('fan_never_wrote')
  await api.call(routes.setFanNote, { body: { fanId: person.id, note: 'Might buy' } })
  await write(person, owner)
  expect(await listable()).toBe(true)
  expect(await add()).toBe('accepted')
})

test('a note is kept for the creator alone, and goes when it is empty', async () => {
  const [owner, other, fan, stranger] = [
    await buildCreator(harness),
    await buildCreator(harness),
    await buildFan(harness),
    await buildFan(harness),
  ]
  for (const whom of [owner, other]) await follow(fan, whom)
  const note = (fanId: string, text: string) =>
    codeOf(as(owner).call(routes.setFanNote, { body: { fanId, note: text } }))
  const seen = async (by: Person) => (await as(by).call(routes.fan, { query: { fanId: fan.id } })).note
  expect(await note(stranger.id, 'Who?')).toBe('user_not_found')
  expect(await note(fan.id, 'Likes the early ones')).toBe('accepted')
  expect([await seen(owner), await seen(other)]).toEqual(['Likes the early ones', ''])
  expect(await codeOf(as(owner).call(routes.fan, { query: { fanId: stranger.id } }))).toBe('user_not_found')
  const now = harness.clock.now()
  await harness.context.db
    .insertInto('profiles')
    .values({ user_id: fan.id, profile_image: 'picture' })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ profile_image: 'picture' }))
    .execute()
  const picture = async () => (await as(owner).call(routes.fan, { query: { fanId: fan.id } })).profileImage
  expect(await picture()).not.toBeNull()
  await harness.context.db
    .insertInto('blocks')
    .values({ blocker_id: fan.id, blocked_id: owner.id, created_at: now })
    .execute()
  expect(await picture()).toBeNull()
  expect(await note(fan.id, '')).toBe('accepted')
  expect(await seen(owner)).toBe('')
})
