import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { Refused } from '../../../testing/api.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertSale } from '../../../testing/purchases.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ rateLimits: true })
})
afterAll(() => harness?.stop())

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )
const find = async (person: Person, filter: string) =>
  (await harness.api.as(person).call(routes.searchUsers, { query: { filter } })).items.map(
    ({ username }) => username,
  )

describe('searching people', () => {
  test('finds any part of a name in any case, and with one or two letters its beginning', async () => {
    const fan = await buildFan(harness)
    for (const username of ['Quokka.One', 'my-quokka', 'Qu', 'a_b-c', 'aXb-c'])
      await buildFan(harness, { username, discoverable: true })
    expect(await find(fan, 'QUOKKA')).toEqual(['my-quokka', 'Quokka.One'])
    expect(await find(fan, 'qu')).toEqual(['Qu', 'Quokka.One'])
    expect(await find(fan, 'a_b')).toEqual(['a_b-c'])
    for (const odd of ['%%%', '___', '\\\\\\', "' or 1=1 --", 'quokka%'])
      expect(await find(fan, odd)).toEqual([])
  })

  test('tells name, picture and whether they create, and nothing more', async () => {
    const [fan, creator] = [await buildFan(harness), await buildCreator(harness)]
    const { body } = await harness.api.as(fan).send('GET', `/users/searchusers?filter=${creator.username}`)
    expect(body).toEqual({
      items: [{ _id: creator.id, username: creator.username, profileImage: null, isCreator: true }],
      hasMore: false,
      nextCursor: null,
    })
  })

  test('never finds people who are hidden, nor who blocked or is blocked', async () => {
    const fan = await buildFan(harness)
    const [hidden, blocked, blocker] = [
      await buildCreator(harness, { username: 'zebra-hidden' }),
      await buildCreator(harness, { username: 'zebra-blocked' }),
      await buildCreator(harness, { username: 'zebra-blocker' }),
    ]
    expect(await find(fan, 'zebra')).toHaveLength(3)
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: harness.clock.now() })
      .where('id', '=', hidden.id)
      .execute()
    await harness.api.as(fan).call(routes.block, { body: { blockedId: blocked.id } })
    await harness.api.as(blocker).call(routes.block, { body: { blockedId: fan.id } })
    expect(await find(fan, 'zebra')).toEqual([])
  })
})

test('the directory comes by name, page by page, each person once', async () => {
  const fan = await buildFan(harness)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await harness.api
      .as(fan)
      .call(routes.users, { query: { limit: 4, ...(cursor ? { cursor } : {}) } })
    seen.push(...page.items.map(({ username }) => username.toLowerCase()))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  const { rows } = await sql<{ name: string }>`
    select lower(username) collate "C" as name from users where hidden_at is null and (is_creator or discoverable) order by 1`.execute(
    harness.context.db,
  )
  expect(seen).toEqual(rows.map(({ name }) => name))
  expect(await refusalOf(harness.api.as(fan).call(routes.users, { query: { cursor: '***' } }))).toBe(
    '400 bad_cursor',
  )
})

test('crawling the directory ends with 429', async () => {
  const fan = await buildFan(harness)
  const api = harness.api.as(fan)
  const statuses: number[] = []
  for (let call = 0; call < 61; call++) statuses.push((await api.send('GET', '/users/users')).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(statuses.at(-1)).toBe(429)
})

test('a creator’s fans are their own followers and buyers, nobody else', async () => {
  const [creator, other] = [await buildCreator(harness), await buildCreator(harness)]
  const [follower, buyer, stranger] = [
    await buildFan(harness),
    await buildFan(harness),
    await buildFan(harness),
  ]
  await harness.api.as(follower).call(routes.toggleFollow, { body: { followingId: creator.id } })
  await harness.api.as(stranger).call(routes.toggleFollow, { body: { followingId: other.id } })
  await insertSale(harness, { buyer, creator })
  const fans = async (person: Person) =>
    (await harness.api.as(person).call(routes.fans, { query: {} })).items.map(({ _id }) => _id).sort()
  expect(await fans(creator)).toEqual([follower.id, buyer.id].sort())
  expect(await fans(other)).toEqual([stranger.id])
})
