import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { Refused } from '../../testing/api.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const ABSENT = '01890000-0000-7000-8000-000000000000'
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )
const follows = () => harness.context.db.selectFrom('follows').selectAll().execute()
const hide = (person: Person) =>
  harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: harness.clock.now() })
    .where('id', '=', person.id)
    .execute()
const toggle = (person: Person, followingId: string) =>
  harness.api.as(person).call(routes.toggleFollow, { body: { userId: person.id, followingId } })

describe('a profile', () => {
  test('is found by id and by username in any case, with what it shows counted', async () => {
    const creator = await buildCreator(harness, { username: 'Mara.Peak' })
    const { db, clock } = harness.context
    await db
      .updateTable('profiles')
      .set({
        bio: 'Hello',
        menu: 'A print',
        limits: 'None',
        links: JSON.stringify([{ _id: '1', text: 'Shop', link: 'https://example.test/' }]),
      })
      .where('user_id', '=', creator.id)
      .execute()
    await buildMedia(harness, creator)
    await buildMedia(harness, creator, { showInSearch: true, mustUnlock: false })
    await buildMedia(harness, creator, { type: 'video', showInStore: true })
    await buildMedia(harness, creator, { directOnly: true })
    const deleted = await buildMedia(harness, creator)
    await db.updateTable('media').set({ deleted_at: clock.now() }).where('id', '=', deleted).execute()
    await buildMedia(harness, await buildCreator(harness))
    await buildPlan(harness, creator)
    await buildBundle(harness, creator)
    for (const person of [await buildFan(harness), await buildCreator(harness)])
      await toggle(person, creator.id)
    const profile = await harness.api
      .visitor()
      .call(routes.profileByUsername, { params: { username: 'mARA.pEAK' } })
    expect(profile).toEqual({
      _id: creator.id,
      username: 'Mara.Peak',
      firstName: 'Test',
      isCreator: true,
      bio: 'Hello',
      profileImage: null,
      profileHeroImage: null,
      menu: 'A print',
      limits: 'None',
      links: [{ _id: '1', text: 'Shop', link: 'https://example.test/' }],
      photoCount: 2,
      videoCount: 1,
      subscriptionCount: 1,
      bundleCount: null,
      singleCount: null,
      sells: 'subscriptions',
      followerCount: 2,
    })
    const fan = harness.api.as(await buildFan(harness))
    expect(await fan.call(routes.profileById, { params: { id: creator.id } })).toEqual({
      ...profile,
      bundleCount: 1,
      singleCount: 1,
    })
    expect(await harness.api.visitor().call(routes.profileById, { params: { id: creator.id } })).toEqual(
      profile,
    )
  })

  test('tells visitors as well what there is to buy first, in the order of its tabs', async () => {
    const creator = await buildCreator(harness)
    const sells = async () => {
      const { sells } = await harness.api.visitor().call(routes.profileById, { params: { id: creator.id } })
      return sells
    }
    await buildMedia(harness, creator)
    expect(await sells()).toBeNull()
    await buildMedia(harness, creator, { showInStore: true })
    expect(await sells()).toBe('singles')
    await buildBundle(harness, creator)
    expect(await sells()).toBe('bundles')
    await buildPlan(harness, creator)
    expect(await sells()).toBe('subscriptions')
  })

  test('tells others nothing private', async () => {
    const fan = await buildFan(harness, { discoverable: true })
    const { body } = await harness.api.visitor().send('GET', `/users/uid/${fan.id}`)
    expect(Object.keys(body as object).sort()).toEqual([
      '_id',
      'bio',
      'bundleCount',
      'firstName',
      'followerCount',
      'isCreator',
      'limits',
      'links',
      'menu',
      'photoCount',
      'profileHeroImage',
      'profileImage',
      'sells',
      'singleCount',
      'subscriptionCount',
      'username',
      'videoCount',
    ])
    expect(JSON.stringify(body)).not.toContain(fan.email)
  })

  test('of nobody, or of somebody hidden, is a 404', async () => {
    const hidden = await buildCreator(harness)
    await hide(hidden)
    const visitor = harness.api.visitor()
    for (const username of [hidden.username, 'nobody', '%', "' or 1=1 --"]) {
      expect(await refusalOf(visitor.call(routes.profileByUsername, { params: { username } }))).toBe(
        '404 user_not_found',
      )
    }
    for (const id of [hidden.id, ABSENT]) {
      expect(await refusalOf(visitor.call(routes.profileById, { params: { id } }))).toBe('404 user_not_found')
    }
  })
})

describe('following', () => {
  test('toggles, and says so', async () => {
    const [fan, creator] = [await buildFan(harness), await buildCreator(harness)]
    const following = () =>
      harness.api.as(fan).call(routes.isFollowing, { query: { userId: fan.id, followingId: creator.id } })
    expect(await following()).toEqual({ following: false })
    expect(await toggle(fan, creator.id)).toEqual({ following: true })
    expect(await following()).toEqual({ following: true })
    expect(await toggle(fan, creator.id)).toEqual({ following: false })
    expect(await following()).toEqual({ following: false })
  })

  test('20 toggles at once each answer what they did', async () => {
    const [fan, creator] = [await buildFan(harness), await buildCreator(harness)]
    const answers = await Promise.all(Array.from({ length: 21 }, () => toggle(fan, creator.id)))
    expect(answers.filter(({ following }) => following)).toHaveLength(11)
    const { following } = await harness.api
      .as(fan)
      .call(routes.isFollowing, { query: { followingId: creator.id } })
    expect(following).toBe(true)
  })

  test.each<[what: string, refusal: string, whom: (fan: Person) => Promise<string>]>([
    ['oneself', '409 follow_yourself', async (fan) => fan.id],
    ['nobody', '404 user_not_found', async () => ABSENT],
    [
      'somebody hidden',
      '404 user_not_found',
      async () => {
        const hidden = await buildCreator(harness)
        await hide(hidden)
        return hidden.id
      },
    ],
  ])('%s is refused and follows nobody', async (_what, refusal, whom) => {
    const fan = await buildFan(harness)
    const before = await follows()
    expect(await refusalOf(toggle(fan, await whom(fan)))).toBe(refusal)
    expect(await follows()).toEqual(before)
  })

  test('in another’s name is refused and changes nothing', async () => {
    const [fan, other, creator] = [
      await buildFan(harness),
      await buildFan(harness),
      await buildCreator(harness),
    ]
    const before = await follows()
    const call = harness.api
      .as(fan)
      .call(routes.toggleFollow, { body: { userId: other.id, followingId: creator.id } })
    expect(await refusalOf(call)).toBe('403 not_yourself')
    expect(await follows()).toEqual(before)
  })

  test('is listed newest first, page by page, without people who are hidden', async () => {
    const fan = await buildFan(harness)
    const creators: Person[] = []
    for (let index = 0; index < 8; index++) {
      const creator = await buildCreator(harness)
      creators.push(creator)
      // Every second pair shares its moment, so that the id must decide.
      if (index % 2) harness.clock.advance(1000)
      await toggle(fan, creator.id)
    }
    const [hidden] = creators.splice(3, 1)
    if (hidden) await hide(hidden)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await harness.api
        .as(fan)
        .call(routes.following, { query: { limit: 3, ...(cursor ? { cursor } : {}) } })
      expect(page.items.length).toBeLessThanOrEqual(3)
      expect(page.hasMore).toBe(page.nextCursor !== null)
      seen.push(...page.items.map((item) => item._id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(creators.map(({ id }) => id).reverse())
    const skipped = await harness.api.as(fan).call(routes.following, { query: { limit: 2, skip: 2 } })
    expect(skipped.items.map((item) => item._id)).toEqual(seen.slice(2, 4))
    expect(await refusalOf(harness.api.as(fan).call(routes.following, { query: { skip: 10_001 } }))).toBe(
      '400 skip_too_deep',
    )
    expect(
      await refusalOf(harness.api.as(fan).call(routes.following, { query: { cursor: 'nonsense' } })),
    ).toBe('400 bad_cursor')
  })
})

describe('a block', () => {
  const block = (person: Person, blockedId: string) =>
    harness.api.as(person).call(routes.block, { body: { blockedId } })
  const unblock = (person: Person, blockedId: string) =>
    harness.api.as(person).call(routes.unblock, { body: { blockedId } })
  const followsBetween = async (...people: Person[]) =>
    (await follows()).filter(({ follower_id }) => people.some(({ id }) => id === follower_id))

  test('lets neither follow the other, tells only who said it, and ends', async () => {
    const [one, two] = [await buildCreator(harness), await buildCreator(harness)]
    const operator = await buildUser(harness, { role: 'superadmin', discoverable: true })
    const follow = (person: Person, { id }: Person) => refusalOf(toggle(person, id))
    const profile = (person: Person | null, { id }: Person) =>
      (person ? harness.api.as(person) : harness.api.visitor()).call(routes.profileById, { params: { id } })
    await block(one, two.id)
    await block(two, operator.id)
    expect(await follow(one, two)).toBe('409 follow_blocked')
    expect(await follow(two, one)).toBe('404 user_not_found')
    expect(await follow(operator, two)).toBe('404 user_not_found')
    expect(await follow(two, operator)).toBe('409 follow_blocked')
    expect(await followsBetween(one, two, operator)).toEqual([])
    expect(await profile(one, two)).toMatchObject({ blocked: true })
    for (const other of [null, operator, two]) expect(await profile(other, two)).not.toHaveProperty('blocked')
    await unblock(one, two.id)
    expect(await profile(one, two)).not.toHaveProperty('blocked')
    expect(await follow(one, two)).toBe('accepted')
    expect(await follow(two, one)).toBe('accepted')
  })

  test('and a follow at once leave no follow', async () => {
    const [one, two] = [await buildFan(harness), await buildCreator(harness)]
    for (let round = 0; round < 5; round++) {
      await Promise.all([refusalOf(toggle(one, two.id)), block(one, two.id), refusalOf(toggle(two, one.id))])
      expect(await followsBetween(one, two)).toEqual([])
      await unblock(one, two.id)
    }
  })
})
