import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { Refused } from '../../../testing/api.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { closeSockets, connect, conversation, messageOf } from '../../../testing/chat.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
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
afterAll(async () => {
  closeSockets()
  await harness?.stop()
})

const ABSENT = '01890000-0000-7000-8000-000000000000'
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )
const block = (person: Person, blockedId: string) =>
  harness.api.as(person).call(routes.block, { body: { userId: person.id, blockedId } })
const unblock = (person: Person, blockedId: string) =>
  harness.api.as(person).call(routes.unblock, { body: { blockedId } })
const blocks = async () => (await sql`select * from blocks order by 1, 2`.execute(harness.context.db)).rows
const from = (region: string, country = 'US') => ({
  headers: { 'x-region': region, 'x-country': country },
})

/** A creator with something of everything, and what of it this caller is shown. */
async function shop() {
  const creator = await buildCreator(harness)
  const open = await buildMedia(harness, creator, { showInSearch: true, mustUnlock: false })
  const single = await buildMedia(harness, creator, { showInStore: true })
  const plan = await buildPlan(harness, creator)
  const bundle = await buildBundle(harness, creator, { mediaIds: [single] })
  return { creator, open, single, plan, bundle }
}
type Shop = Awaited<ReturnType<typeof shop>>

async function shown(person: Person, { creator, open, single, plan, bundle }: Shop, options = {}) {
  const api = harness.api.as(person)
  const creatorId = creator.id
  const has = (items: { _id: string }[], id: string) => items.some(({ _id }) => _id === id)
  const found = async (call: Promise<unknown>) => (await refusalOf(call)) === 'accepted'
  const token = await cardToken(harness)
  return {
    profile: await found(api.call(routes.profileById, { params: { id: creatorId } }, options)),
    byName: await found(
      api.call(routes.profileByUsername, { params: { username: creator.username } }, options),
    ),
    search: has(
      (await api.call(routes.searchUsers, { query: { filter: creator.username } }, options)).items,
      creatorId,
    ),
    discover: has(
      (await api.call(routes.discover, { query: { limit: 60, tagIds: [] } }, options)).items,
      open,
    ),
    feed: has((await api.call(routes.profileMedia, { query: { creatorId } }, options)).items, open),
    store: has((await api.call(routes.purchasableMedia, { query: { creatorId } }, options)).items, single),
    media: await found(api.call(routes.media, { params: { mediaId: open } }, options)),
    plans: (await api.call(routes.subscriptions, { query: { userId: creatorId } }, options)).subscriptions
      .length,
    plan: await found(api.call(routes.subscription, { params: { id: plan } }, options)),
    bundles: (await api.call(routes.bundles, { query: { creatorId } }, options)).bundles.length,
    bundle: await found(api.call(routes.bundle, { params: { id: bundle } }, options)),
    follow: await found(
      api
        .call(routes.toggleFollow, { body: { followingId: creatorId } }, options)
        .then(() => api.call(routes.toggleFollow, { body: { followingId: creatorId } }, options)),
    ),
    purchase: await refusalOf(
      api.call(
        routes.purchase,
        { body: { kind: 'subscription', itemId: plan, price: '$1', ...token } },
        options,
      ),
    ),
  }
}

const EVERYTHING = {
  profile: true,
  byName: true,
  search: true,
  discover: true,
  feed: true,
  store: true,
  media: true,
  plans: 1,
  plan: true,
  bundles: 1,
  bundle: true,
  follow: true,
  purchase: '409 price_changed',
}
const NOTHING = {
  profile: false,
  byName: false,
  search: false,
  discover: false,
  feed: false,
  store: false,
  media: false,
  plans: 0,
  plan: false,
  bundles: 0,
  bundle: false,
  follow: false,
  purchase: '404 item_not_found',
}

async function buySingle(fan: Person, itemId: string): Promise<void> {
  const body = { kind: 'single' as const, itemId, ...(await cardToken(harness)) }
  await harness.api.as(fan).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
}

describe('a block', () => {
  test('makes the blocker not there for the blocked, until it ends', async () => {
    const [fan, all] = [await buildFan(harness, { discoverable: true }), await shop()]
    expect(await shown(fan, all)).toEqual(EVERYTHING)
    await block(all.creator, fan.id)
    expect(await shown(fan, all)).toEqual(NOTHING)
    // Others see what they saw, and so does who blocked somebody that everybody sees.
    expect(await shown(await buildFan(harness), all)).toEqual(EVERYTHING)
    expect(
      await refusalOf(harness.api.as(all.creator).call(routes.profileById, { params: { id: fan.id } })),
    ).toBe('accepted')
    await unblock(all.creator, fan.id)
    expect(await shown(fan, all)).toEqual(EVERYTHING)
  })

  test('kills links that were handed out before it', async () => {
    const [fan, all] = [await buildFan(harness), await shop()]
    const api = harness.api.as(fan)
    const { url } = await api.call(routes.media, { params: { mediaId: all.open } })
    expect((await api.fetch(url ?? '')).status).toBe(200)
    await block(all.creator, fan.id)
    expect((await api.fetch(url ?? '')).status).toBe(403)
  })

  test('leaves what was bought', async () => {
    const [fan, all] = [await buildFan(harness), await shop()]
    await buySingle(fan, all.single)
    await block(all.creator, fan.id)
    const api = harness.api.as(fan)
    const media = await api.call(routes.media, { params: { mediaId: all.single } })
    expect(media).toMatchObject({ locked: false, owned: true })
    expect((await api.fetch(media.url ?? '')).status).toBe(200)
    const { items } = await api.call(routes.premiumContent, { query: {} })
    expect(items.map(({ _id }) => _id)).toEqual([all.single])
  })

  test('ends following in both directions', async () => {
    const [one, two] = [await buildCreator(harness), await buildCreator(harness)]
    const follow = (person: Person, followingId: string) =>
      harness.api.as(person).call(routes.toggleFollow, { body: { followingId } })
    await follow(one, two.id)
    await follow(two, one.id)
    await block(one, two.id)
    const follows = await harness.context.db
      .selectFrom('follows')
      .selectAll()
      .where('follower_id', 'in', [one.id, two.id])
      .execute()
    expect(follows).toEqual([])
  })

  test('said ten times at once is one, and is listed newest first', async () => {
    const person = await buildFan(harness)
    const others = [
      await buildFan(harness, { discoverable: true }),
      await buildCreator(harness),
      await buildCreator(harness),
    ]
    for (const other of others) {
      await Promise.all(Array.from({ length: 10 }, () => block(person, other.id)))
      harness.clock.advance(1000)
    }
    const api = harness.api.as(person)
    const first = await api.call(routes.blocked, { query: { limit: 2 } })
    const second = await api.call(routes.blocked, {
      query: { limit: 2, ...(first.nextCursor ? { cursor: first.nextCursor } : {}) },
    })
    expect([...first.items, ...second.items].map(({ _id }) => _id)).toEqual(
      others.map(({ id }) => id).reverse(),
    )
    expect(first.items[0]).toEqual({
      _id: others[2]?.id,
      username: others[2]?.username,
      profileImage: null,
      isCreator: true,
    })
  })

  test.each<[what: string, hides: (writer: Person, reader: Person) => unknown, place?: string]>([
    ['isn’t shown to them', () => {}],
    ['blocked them before', (writer, reader) => block(writer, reader.id)],
    [
      'hides from where they are',
      (writer) =>
        harness.api.as(writer).call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } as never }),
      'DE',
    ],
  ])('is possible of who wrote to them and %s', async (what, hides, country = 'FR') => {
    const reader = await buildFan(harness, { discoverable: true })
    const writer = await (what === 'isn’t shown to them' ? buildFan(harness) : buildCreator(harness))
    const socket = await connect(harness, writer)
    const write = () => socket.emit('chat message', messageOf(writer, reader))
    expect(await write()).toMatchObject({ ok: true })
    await hides(writer, reader)
    const api = harness.api.as(reader)
    const blocking = api.call(routes.block, { body: { blockedId: writer.id } }, from('', country))
    expect(await refusalOf(blocking)).toBe('accepted')
    const { items } = await api.call(routes.blocked, { query: {} }, from('', country))
    expect(items.map(({ _id }) => _id)).toEqual([writer.id])
    expect(await refusalOf(unblock(writer, reader.id))).toBe('accepted')
    expect(await write()).toMatchObject({ ok: false, code: 'recipient_unavailable' })
  })

  test.each<[what: string, refusal: string, whom: (person: Person) => string]>([
    ['of oneself', '409 block_yourself', ({ id }) => id],
    ['of nobody', '404 user_not_found', () => ABSENT],
  ])('%s is refused and blocks nobody', async (_what, refusal, whom) => {
    const person = await buildFan(harness)
    const before = await blocks()
    expect(await refusalOf(block(person, whom(person)))).toBe(refusal)
    expect(await blocks()).toEqual(before)
  })
})

describe('a geo-block', () => {
  const set = (creator: Person, countries: string[], states: string[]) =>
    harness.api.as(creator).call(routes.setGeoBlock, { body: { countries, states } as never })

  test('keeps a state out, and no other place', async () => {
    const [fan, all] = [await buildFan(harness), await shop()]
    expect(await set(all.creator, [], ['CA'])).toEqual({ countries: [], states: ['CA'] })
    expect(await shown(fan, all, from('US-CA'))).toEqual(NOTHING)
    expect(await shown(fan, all, from('US-NY'))).toEqual(EVERYTHING)
    expect(await shown(fan, all)).toEqual(EVERYTHING)
    // Oneself is there wherever one is, and so is everybody for the operator.
    const own = harness.api.as(all.creator)
    const profile = own.call(routes.profileById, { params: { id: all.creator.id } }, from('US-CA'))
    expect(await refusalOf(profile)).toBe('accepted')
    const operator = await buildUser(harness, { role: 'superadmin' })
    expect((await shown(operator, all, from('US-CA'))).profile).toBe(true)
  })

  test('keeps a country out, whatever its regions', async () => {
    const [fan, all] = [await buildFan(harness), await shop()]
    await set(all.creator, ['DE'], [])
    expect(await shown(fan, all, from('Bavaria', 'DE'))).toEqual(NOTHING)
    expect(await shown(fan, all, { headers: { 'x-country': 'DE' } })).toEqual(NOTHING)
    expect(await shown(fan, all, { headers: { 'x-country': 'FR' } })).toEqual(EVERYTHING)
  })

  test('has nobody there pay a custom request, in their list or among their tasks', async () => {
    const [fan, creator] = [await buildFan(harness), await buildCreator(harness)]
    const api = harness.api.as(fan)
    const wish = { requestMessage: 'A song', maxMinutes: 5, pricePerMinute: '$3', creatorId: creator.id }
    const { _id: requestId } = await api.call(routes.createCustomRequest, { body: wish })
    const accepted = { requestId, price: '$12', deliveryDays: 5 }
    await harness.api.as(creator).call(routes.acceptCustomRequest, { body: accepted })
    await set(creator, [], ['CA'])
    const asked = async (place: string) => {
      const { items } = await api.call(routes.customRequests, { query: {} }, from(place))
      const tasks = (await api.call(routes.waiting, {}, from(place))).items
      return [items.map(({ payable }) => payable), tasks.map(({ kind }) => kind)]
    }
    expect(await asked('US-CA')).toEqual([[false], []])
    expect(await asked('US-NY')).toEqual([[true], ['request_to_pay']])
  })

  test('keeps visitors out of page and bytes, but nobody who bought', async () => {
    const [fan, all] = [await buildFan(harness), await shop()]
    await buySingle(fan, all.single)
    await set(all.creator, ['US'], [])
    const visitor = harness.api.visitor()
    const { url } = await visitor.call(routes.media, { params: { mediaId: all.open } })
    expect((await visitor.fetch(url ?? '')).status).toBe(200)
    expect((await visitor.fetch(url ?? '', { headers: { 'x-country': 'US' } })).status).toBe(403)
    const { body } = await visitor.send('GET', `/media/discover?limit=60`, from('US-NY'))
    expect(JSON.stringify(body)).not.toContain(all.creator.id)
    const bought = await harness.api
      .as(fan)
      .call(routes.media, { params: { mediaId: all.single } }, from('US-NY'))
    expect(bought).toMatchObject({ locked: false, owned: true })
  })

  test('lets nobody there change what they wrote; they react to it and delete it as before', async () => {
    const [fan, creator] = [await buildFan(harness), await buildCreator(harness)]
    const sent = await (await connect(harness, fan)).emit('chat message', messageOf(fan, creator))
    const messageId = sent.ok ? (sent.message?._id ?? '') : ''
    await set(creator, ['DE'], [])
    const api = harness.api.as(fan)
    const abroad = { headers: { 'x-country': 'DE' } }
    const edit = (options = {}) =>
      refusalOf(api.call(routes.editMessage, { body: { messageId, content: 'Other words' } }, options))
    expect(await edit(abroad)).toBe('403 recipient_unavailable')
    const read = async () =>
      (await conversation(harness, creator, fan)).messages.map(({ content }) => content)
    expect(await read()).toEqual(['Hello there'])
    expect(await edit({ headers: { 'x-country': 'FR' } })).toBe('accepted')
    await api.call(routes.reactToMessage, { body: { messageId, emoji: '🔥' } }, abroad)
    await api.call(routes.deleteMessage, { body: { messageId } }, abroad)
    expect(await read()).toEqual([''])
  })

  test('is replaced as a whole, each place once', async () => {
    const creator = await buildCreator(harness)
    await set(creator, ['DE', 'FR', 'DE'], ['TX', 'CA', 'TX'])
    const read = () => harness.api.as(creator).call(routes.geoBlock, {})
    expect(await read()).toEqual({ countries: ['DE', 'FR'], states: ['CA', 'TX'] })
    await set(creator, [], [])
    expect(await read()).toEqual({ countries: [], states: [] })
  })

  test.each([
    ['an unknown country', ['XX'], []],
    ['an unknown state', [], ['ZZ']],
  ])('of %s is refused and changes nothing', async (_what, countries, states) => {
    const creator = await buildCreator(harness)
    await set(creator, ['DE'], ['CA'])
    expect(await refusalOf(set(creator, countries, states))).toBe('400 invalid_input')
    expect(await harness.api.as(creator).call(routes.geoBlock, {})).toEqual({
      countries: ['DE'],
      states: ['CA'],
    })
  })
})
