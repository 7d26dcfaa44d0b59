import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { leave, reauthenticatedApi } from '../../../../testing/security.ts'

let harness: Harness
let fan: Person
let creator: Person
const ABROAD = { 'x-country': 'DE' }

beforeAll(async () => {
  harness = await startHarness({
    environment: {
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  fan = await buildFan(harness)
  creator = await buildCreator(harness)
})

const as = (person: Person) => harness.api.as(person)
const follow = (followed: Person) => as(fan).call(routes.toggleFollow, { body: { followingId: followed.id } })
async function news(query: { limit?: number; cursor?: string } = {}) {
  return as(fan).call(routes.newMedia, { query })
}
const ids = async (query?: Parameters<typeof news>[0]) => (await news(query)).items.map(({ _id }) => _id)

/** Later than what is there already. */
function later(of: Person, options: Parameters<typeof buildMedia>[2] = {}) {
  harness.clock.advance(1000)
  return buildMedia(harness, of, options)
}

describe('what is new', () => {
  it('is that of those who are followed, newest first, with whose it is, its price, and locked as it is', async () => {
    const other = await buildCreator(harness)
    const stranger = await buildCreator(harness)
    const open = await later(creator, { mustUnlock: false })
    const sold = await later(other, { showInStore: true, priceCents: 450 })
    await later(stranger, { mustUnlock: false })
    const locked = await later(creator)
    await later(creator, { published: false })
    await later(creator, { directOnly: true })
    const deleted = await later(creator, { mustUnlock: false })
    await as(creator).call(routes.deleteMedia, { body: { mediaId: deleted } })
    expect(await ids()).toEqual([])
    await follow(creator)
    await follow(other)
    const { items } = await news()
    expect(items).toMatchObject([
      { _id: locked, username: creator.username, locked: true, profileImage: null },
      { _id: sold, username: other.username, locked: true, price: '$4.50' },
      { _id: open, username: creator.username, url: expect.any(String), createdAt: expect.any(String) },
    ])
    expect(items[0]).not.toHaveProperty('url')
    await follow(creator)
    expect(await ids()).toEqual([sold])
  })

  it('comes page by page, each once, whoever it is of', async () => {
    const people = [creator, await buildCreator(harness), await buildCreator(harness)]
    const made: string[] = []
    for (let n = 0; n < 9; n += 1) made.unshift(await later(people[n % 3 === 2 ? 1 : n % 2] ?? creator))
    // Two of one moment.
    made.unshift(await buildMedia(harness, people[2] ?? creator))
    for (const person of people) await follow(person)
    const all = await ids()
    expect([...all].sort()).toEqual([...made].sort())
    const paged: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await news({ limit: 2, ...(cursor ? { cursor } : {}) })
      paged.push(...page.items.map(({ _id }) => _id))
      cursor = page.nextCursor
    }
    expect(paged).toEqual(all)
    // There is no skipping: it would read that many items of each creator.
    expect(await ids({ limit: 3, ...{ skip: 4 } })).toEqual(all.slice(0, 3))
    const wrong = news({ cursor: 'made up' })
    await expect(wrong).rejects.toMatchObject({ status: 400, code: 'bad_cursor' })
  })

  it('is that of a subscription’s creator as well, unlocked as far as it holds it, while it is paid for', async () => {
    const held = await later(creator)
    const further = await later(creator)
    const plan = await buildPlan(harness, creator, { mediaIds: [held] })
    await as(fan).call(routes.purchase, {
      body: { kind: 'subscription', itemId: plan, ...(await cardToken(harness)) },
    })
    expect((await news()).items).toMatchObject([
      { _id: further, locked: true },
      { _id: held, owned: true, url: expect.any(String) },
    ])
    await harness.context.db.updateTable('entitlements').set({ revoked_at: harness.clock.now() }).execute()
    expect(await ids()).toEqual([])
  })

  it.each([
    ['blocked the fan', () => as(creator).call(routes.block, { body: { blockedId: fan.id } })],
    ['was blocked by the fan', () => as(fan).call(routes.block, { body: { blockedId: creator.id } })],
    [
      'is suspended',
      async () => {
        const operator = await buildUser(harness, { role: 'superadmin' })
        await (await reauthenticatedApi(harness, operator)).call(routes.suspendPerson, {
          body: { userId: creator.id, reason: 'Trying it out' },
        })
      },
    ],
    ['deletes their account', () => leave(harness, creator)],
  ])('has nothing of who %s, subscribed or not', async (_how, end) => {
    const open = await later(creator, { mustUnlock: false })
    const plan = await buildPlan(harness, creator, { mediaIds: [open] })
    await as(fan).call(routes.purchase, {
      body: { kind: 'subscription', itemId: plan, ...(await cardToken(harness)) },
    })
    await follow(creator)
    expect(await ids()).toEqual([open])
    await end()
    expect(await ids()).toEqual([])
  })

  it('has nothing of who hides from the place, and nothing that was taken down', async () => {
    const [open, down] = [await later(creator, { mustUnlock: false }), await later(creator)]
    await follow(creator)
    await as(creator).call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } })
    const abroad = await as(fan).fetch('/api/media/new', {
      headers: { ...ABROAD, authorization: `Bearer ${fan.token}` },
    })
    expect(await abroad.json()).toMatchObject({ items: [], hasMore: false })
    const operator = await buildUser(harness, { role: 'superadmin' })
    await as(operator).call(routes.quarantineMedia, { body: { mediaId: down, reason: 'A complaint' } })
    expect(await ids()).toEqual([open])
  })

  it('is nobody else’s to read', async () => {
    const call = as(fan).call(routes.newMedia, { query: { userId: creator.id } })
    await expect(call).rejects.toMatchObject({ status: 403, code: 'not_yourself' })
  })
})

describe('creators to follow', () => {
  /** All that the creator has published. */
  let only: string
  const named = async (person = fan, headers: Record<string, string> = {}) => {
    const { items } = await as(person).call(routes.creatorsToFollow, {}, { headers })
    return items.map(({ username }) => username)
  }

  it('are those with most fans who published, without those followed, blocked, or oneself', async () => {
    const blocked = await buildCreator(harness)
    const blocking = await buildCreator(harness)
    const silent = await buildCreator(harness)
    for (const person of [creator, blocked, blocking]) await later(person, { mustUnlock: false })
    await later(silent, { published: false })
    // A creator who uploads much appears only once.
    for (let n = 0; n < 3; n += 1) await later(blocked, { mustUnlock: false })
    await harness.context.db
      .updateTable('creator_popularity')
      .set({ fans: 1000 })
      .where('creator_id', '=', creator.id)
      .execute()
    expect((await named()).slice(0, 3)).toEqual([creator, blocking, blocked].map(({ username }) => username))
    expect(await named(blocked)).not.toContain(blocked.username)
    await as(fan).call(routes.block, { body: { blockedId: blocked.id } })
    await as(blocking).call(routes.block, { body: { blockedId: fan.id } })
    expect((await named())[0]).toBe(creator.username)
    await follow(creator)
    const left = await named()
    for (const person of [creator, blocked, blocking, silent]) expect(left).not.toContain(person.username)
    expect(left.length).toBeLessThanOrEqual(6)
  })

  it.each([
    [
      'hides from the place',
      () => as(creator).call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } }),
    ],
    [
      'is suspended',
      async () => {
        const operator = await buildUser(harness, { role: 'superadmin' })
        await (await reauthenticatedApi(harness, operator)).call(routes.suspendPerson, {
          body: { userId: creator.id, reason: 'Trying it out' },
        })
      },
    ],
    ['deletes their account', () => leave(harness, creator)],
    [
      'creates no more',
      () =>
        harness.context.db
          .updateTable('users')
          .set({ is_creator: false })
          .where('id', '=', creator.id)
          .execute(),
    ],
    [
      'had all of it taken down',
      async () => {
        const operator = await buildUser(harness, { role: 'superadmin' })
        await as(operator).call(routes.quarantineMedia, { body: { mediaId: only, reason: 'A complaint' } })
      },
    ],
  ])('have nobody who %s', async (_how, end) => {
    only = await later(creator, { mustUnlock: false })
    expect(await named(fan, ABROAD)).toContain(creator.username)
    await end()
    expect(await named(fan, ABROAD)).not.toContain(creator.username)
  })
})
