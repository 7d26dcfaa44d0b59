import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { Refused } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildPlan, buildUser, type Person } from '../../../testing/builders.ts'
import * as chat from '../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertSale } from '../../../testing/purchases.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(async () => {
  chat.closeSockets()
  await harness?.stop()
})

const PICTURE = 'a-picture.webp'
const apiOf = (person: Person | null) => (person ? harness.api.as(person) : harness.api.visitor())
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )

/** A fan with a picture, whose name nobody else's contains. */
async function aFan(options: { discoverable?: boolean } = {}): Promise<Person> {
  const fan = await buildFan(harness, { username: `quiet-${crypto.randomUUID().slice(0, 8)}`, ...options })
  const { db, storage } = harness.context
  await db.updateTable('profiles').set({ profile_image: PICTURE }).where('user_id', '=', fan.id).execute()
  await storage.put(`profile/${fan.id}/${PICTURE}`, Readable.from([Buffer.from('bytes')]), { maxBytes: 99 })
  return fan
}

/** The page at the fan's address, as who draws link previews gets it. */
const previewOf = async (fan: Person) => (await fetch(`${harness.origin}/users/${fan.username}`)).text()
const partOf = ({ username }: Person) => username.slice(0, -1)
const follow = (person: Person, followingId: string) =>
  harness.api.as(person).call(routes.toggleFollow, { body: { followingId } })

async function found(viewer: Person, filter: string) {
  const { items } = await harness.api.as(viewer).call(routes.searchUsers, { query: { filter } })
  return items
}

/** The ways by which this person can find the fan. */
async function waysTo(fan: Person, viewer: Person | null) {
  const api = apiOf(viewer)
  const is = ({ _id }: { _id: string }) => _id === fan.id
  const ways = {
    byName: (await refusalOf(api.call(routes.profileByUsername, { params: fan }))) === 'accepted',
    byId: (await refusalOf(api.call(routes.profileById, { params: fan }))) === 'accepted',
    picture: (await api.fetch(`/files/profile/${fan.id}/${PICTURE}`)).status === 200,
  }
  if (!viewer) return { ...ways, search: false, directory: false, follow: false }
  const { items } = await api.call(routes.users, { query: { limit: 60 } })
  const search = (await found(viewer, partOf(fan))).some(is)
  const mayFollow = (await refusalOf(follow(viewer, fan.id))) === 'accepted'
  if (mayFollow) await follow(viewer, fan.id)
  return { ...ways, search, directory: items.some(is), follow: mayFollow }
}
const waysAre = (open: boolean) => ({
  byName: open,
  byId: open,
  picture: open,
  search: open,
  directory: open,
  follow: open,
})

const write = async (sender: Person, to: Person) =>
  (await chat.connect(harness, sender)).emit('chat message', chat.messageOf(sender, to))

const subscribe = async (fan: Person, creator: Person, status: 'active' | 'incomplete') => {
  await harness.context.db
    .insertInto('subscriptions')
    .values({
      plan_id: await buildPlan(harness, creator),
      fan_id: fan.id,
      creator_id: creator.id,
      price_cents: 999,
      status,
      anchor_at: harness.clock.now(),
      current_period_end: harness.clock.now(),
      created_at: harness.clock.now(),
    })
    .execute()
}

describe('a fan who did not say that everybody finds them', () => {
  type Row = [who: string, open: boolean, viewer: (fan: Person) => Promise<Person | null>]
  const creatorWhom = (met: (fan: Person, creator: Person) => Promise<unknown>) => async (fan: Person) => {
    const creator = await buildCreator(harness)
    await met(fan, creator)
    return creator
  }
  test.each<Row>([
    ['a visitor', false, async () => null],
    ['another fan', false, async () => buildFan(harness)],
    ['a creator who has nothing to do with them', false, creatorWhom(async () => {})],
    [
      'a creator whom somebody else follows',
      false,
      creatorWhom(async (_, { id }) => follow(await aFan(), id)),
    ],
    [
      'a creator whom they followed once',
      false,
      creatorWhom(async (fan, { id }) => [await follow(fan, id), await follow(fan, id)]),
    ],
    [
      'a creator whose sale was given back',
      false,
      creatorWhom((buyer, creator) => insertSale(harness, { buyer, creator, status: 'refunded' })),
    ],
    [
      'a creator whose subscription was never paid',
      false,
      creatorWhom((fan, creator) => subscribe(fan, creator, 'incomplete')),
    ],
    [
      'a creator of whom they bought, and whom they blocked',
      false,
      creatorWhom(async (fan, creator) => {
        await insertSale(harness, { buyer: fan, creator })
        await harness.api.as(fan).call(routes.block, { body: { blockedId: creator.id } })
      }),
    ],
    [
      'a creator who wrote to them and has no answer',
      false,
      creatorWhom(async (fan, creator) => {
        await follow(fan, creator.id)
        expect(await write(creator, fan)).toMatchObject({ ok: true })
        await follow(fan, creator.id)
      }),
    ],
    [
      'a fan whom they follow',
      false,
      async (fan) => {
        const other = await buildFan(harness, { discoverable: true })
        await follow(fan, other.id)
        return other
      },
    ],
    ['a creator whom they follow', true, creatorWhom((fan, { id }) => follow(fan, id))],
    ['a creator whom they wrote to', true, creatorWhom(write)],
    [
      'a creator of whom they bought',
      true,
      creatorWhom((buyer, creator) => insertSale(harness, { buyer, creator })),
    ],
    [
      'a creator whom they subscribe to',
      true,
      creatorWhom((fan, creator) => subscribe(fan, creator, 'active')),
    ],
    [
      'a creator who is all of it',
      true,
      creatorWhom(async (fan, creator) => {
        await follow(fan, creator.id)
        await subscribe(fan, creator, 'active')
        await insertSale(harness, { buyer: fan, creator })
        await write(fan, creator)
      }),
    ],
    ['an operator who finds everybody', true, async () => buildUser(harness, { role: 'support' })],
  ])('%s: found %s', async (_who, open, viewerOf) => {
    const fan = await aFan()
    const viewer = await viewerOf(fan)
    expect(await waysTo(fan, viewer)).toEqual(waysAre(open))
    if (viewer && open) expect(await found(viewer, partOf(fan))).toHaveLength(1)
  })

  test('is no fan of a creator whom they only wrote to', async () => {
    const [fan, creator] = [await aFan(), await buildCreator(harness)]
    await write(fan, creator)
    const { items } = await harness.api.as(creator).call(routes.fans, { query: { filter: partOf(fan) } })
    expect(items).toEqual([])
  })

  test('sees their own profile and picture', async () => {
    const fan = await aFan()
    expect(await waysTo(fan, fan)).toMatchObject({ byName: true, byId: true, picture: true })
  })

  test('a creator who types the whole name has them to pick or block, and nothing more', async () => {
    const [fan, creator] = [await aFan(), await buildCreator(harness)]
    const listed = {
      _id: fan.id,
      username: fan.username,
      profileImage: null,
      isCreator: false,
      private: true,
    }
    expect(await found(creator, fan.username.toUpperCase())).toEqual([listed])
    expect(await waysTo(fan, creator)).toEqual(waysAre(false))
    for (const filter of [partOf(fan), `${fan.username}%`, fan.username.slice(1), '%'])
      expect(await found(creator, filter)).toEqual([])
    for (const other of [await buildFan(harness), fan]) expect(await found(other, fan.username)).toEqual([])
    await harness.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
    expect((await harness.api.as(creator).call(routes.blocked, { query: {} })).items).toEqual([listed])
    expect(await found(creator, fan.username)).toEqual([])
    expect(await refusalOf(apiOf(fan).call(routes.profileById, { params: creator }))).toBe(
      '404 user_not_found',
    )
  })

  test('a fan who has their id neither blocks nor names them', async () => {
    const [fan, other] = [await aFan(), await buildFan(harness)]
    const block = harness.api.as(other).call(routes.block, { body: { blockedId: fan.id } })
    expect(await refusalOf(block)).toBe('404 user_not_found')
    expect((await harness.api.as(other).call(routes.blocked, { query: {} })).items).toEqual([])
  })

  test('a link to them has no preview, and still says whose referral it is', async () => {
    const fan = await aFan()
    expect(await previewOf(fan)).not.toContain(`(@${fan.username})`)
    const { referral_code: code } = await harness.context.db
      .selectFrom('users')
      .select('referral_code')
      .where('id', '=', fan.id)
      .executeTakeFirstOrThrow()
    expect(await apiOf(null).call(routes.referrer, { params: { code } })).toEqual({
      username: fan.username,
      others: 0,
    })
  })
})

test('who says so is found by everybody, until they take it back', async () => {
  const [fan, creator, other] = [await aFan(), await buildCreator(harness), await buildFan(harness)]
  const set = (enabled: boolean) => harness.api.as(fan).call(routes.setDiscoverable, { body: { enabled } })
  const bystander = await aFan()
  expect(await harness.api.as(fan).call(routes.discoverable, {})).toEqual({ enabled: false })
  expect(await set(true)).toEqual({ enabled: true })
  expect(await harness.api.as(fan).call(routes.discoverable, {})).toEqual({ enabled: true })
  for (const viewer of [creator, other]) expect(await waysTo(fan, viewer)).toEqual(waysAre(true))
  expect(await waysTo(fan, null)).toMatchObject({ byName: true, byId: true, picture: true })
  expect(await found(creator, fan.username)).toMatchObject([
    { _id: fan.id, profileImage: expect.any(String) },
  ])
  for (const viewer of [creator, other, null]) expect(await waysTo(bystander, viewer)).toEqual(waysAre(false))
  expect(await previewOf(fan)).toContain(`(@${fan.username})`)
  const follower = await buildFan(harness)
  await follow(follower, fan.id)
  expect((await harness.api.as(follower).call(routes.following, { query: {} })).items).toHaveLength(1)
  await set(false)
  for (const viewer of [creator, other, null])
    expect(await waysTo(fan, viewer)).toMatchObject({ byName: false, byId: false, picture: false })
  for (const viewer of [creator, other]) expect(await found(viewer, partOf(fan))).toEqual([])
  expect((await harness.api.as(follower).call(routes.following, { query: {} })).items).toEqual([])
  expect(await refusalOf(apiOf(null).call(routes.setDiscoverable, { body: { enabled: true } }))).toBe(
    '401 not_authenticated',
  )
})

test('a creator’s pages hold everybody’s people and their own fans by name, each once, by cursor and by skip', async () => {
  const creator = await buildCreator(harness, { username: 'pagemaker' })
  const wanted: string[] = []
  for (let n = 0; n < 14; n++) {
    const username = `paged-${String.fromCharCode(97 + ((n * 5) % 14))}`
    const fan = await buildFan(harness, { username, discoverable: n % 3 === 0 })
    if (n % 3 === 1) await follow(fan, creator.id)
    if (n % 6 === 1) await insertSale(harness, { buyer: fan, creator })
    if (n % 3 < 2) wanted.push(username)
  }
  const pageOf = (query: object) =>
    harness.api.as(creator).call(routes.searchUsers, { query: { filter: 'paged-', limit: 3, ...query } })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await pageOf(cursor ? { cursor } : {})
    expect(page.items.length).toBeLessThanOrEqual(3)
    seen.push(...page.items.map(({ username }) => username))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(wanted.sort())
  const skipped = await pageOf({ skip: 4 })
  expect(skipped.items.map(({ username }) => username)).toEqual(seen.slice(4, 7))
})
