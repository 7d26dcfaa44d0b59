import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { grant, revoke } from '../entitlements/actions.ts'

const HOUR_MS = 3600 * 1000
let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

/** A captured purchase and what it unlocks. */
async function buy(
  fan: Person,
  creator: Person,
  what: {
    kind: 'single' | 'bundle' | 'subscription'
    itemId: string
    mediaIds?: string[]
    validUntil?: Date
  },
): Promise<string> {
  const { db, clock } = harness.context
  const now = clock.now()
  if (what.kind === 'subscription') {
    const validUntil = what.validUntil ?? new Date(now.getTime() + HOUR_MS)
    const source = {
      kind: 'subscription',
      id: await subscribe(fan, creator, what.itemId, validUntil),
    } as const
    const gives = { planId: what.itemId, validUntil }
    await db.transaction().execute((tx) => grant(tx, { userId: fan.id, source, gives, now }))
    return source.id
  }
  const { orderId } = await insertPurchase(db, {
    buyer_id: fan.id,
    creator_id: creator.id,
    kind: what.kind,
    item_id: what.itemId,
    amount_cents: 400,
    status: 'captured',
    created_at: now,
    ...(what.mediaIds ? { media_ids: what.mediaIds } : {}),
  })
  return orderId
}

async function subscribe(fan: Person, creator: Person, planId: string, until: Date): Promise<string> {
  const now = harness.clock.now()
  const { id } = await harness.context.db
    .insertInto('subscriptions')
    .values({
      plan_id: planId,
      fan_id: fan.id,
      creator_id: creator.id,
      price_cents: 400,
      status: 'active',
      anchor_at: now,
      current_period_end: until,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const refund = (orderId: string) =>
  harness.context.db.transaction().execute((tx) => revoke(tx, 'purchase', [orderId], harness.clock.now()))

const softDelete = (mediaId: string) =>
  harness.context.db
    .updateTable('media')
    .set({ deleted_at: harness.clock.now() })
    .where('id', '=', mediaId)
    .execute()

const show = (api: Api, mediaId: string) => api.call(routes.media, { params: { mediaId } })

async function fetched(api: Api, path: string, init?: RequestInit) {
  const response = await api.fetch(path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('who sees what', () => {
  const ITEMS = [
    'open',
    'locked',
    'store',
    'planned',
    'bundled',
    'private',
    'deletedOpen',
    'deletedStore',
    'hidden',
  ] as const
  type Item = (typeof ITEMS)[number]
  const OPEN: Item[] = ['open']
  const OWN: Item[] = ['open', 'locked', 'store', 'planned', 'bundled', 'private']
  /** Who may see the bytes of which items; nobody else may. */
  const EXPECTED: Record<string, Item[]> = {
    'a visitor': OPEN,
    'a fan': OPEN,
    'an unverified person': OPEN,
    'another creator': OPEN,
    'a buyer of singles': [...OPEN, 'store', 'private', 'deletedStore', 'hidden'],
    'a refunded buyer': OPEN,
    'a buyer of the bundle': [...OPEN, 'bundled'],
    'a subscriber': [...OPEN, 'planned'],
    'a subscriber whose time is over': OPEN,
    'the owner': OWN,
    'a superadmin': [...OWN, 'hidden'],
  }
  const KINDS = Object.keys(EXPECTED)
  /** Who is told that an item exists, besides those who may see it. */
  const PLACEHOLDERS: Item[] = ['locked', 'store', 'planned', 'bundled']
  const items = {} as Record<Item, string>
  const apis = {} as Record<string, Api>
  let creator: Person
  let hiddenCreator: Person
  let bundleId: string

  const idOf = (item: Item) => items[item]
  const apiOf = (kind: string) => apis[kind] as Api
  const mayKnow = (kind: string, item: Item) => EXPECTED[kind]?.includes(item) || PLACEHOLDERS.includes(item)

  beforeAll(async () => {
    creator = await buildCreator(harness)
    hiddenCreator = await buildCreator(harness)
    const secret = { title: 'A title' }
    items.open = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
    items.locked = await buildMedia(harness, creator, secret)
    items.store = await buildMedia(harness, creator, { showInStore: true, type: 'video' })
    items.planned = await buildMedia(harness, creator, secret)
    items.bundled = await buildMedia(harness, creator, { showInSearch: true })
    items.private = await buildMedia(harness, creator, { directOnly: true })
    items.deletedOpen = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
    items.deletedStore = await buildMedia(harness, creator, { showInStore: true })
    items.hidden = await buildMedia(harness, hiddenCreator, { mustUnlock: false, showInSearch: true })
    const inPlan = [items.planned, items.deletedOpen, items.private]
    const planId = await buildPlan(harness, creator, { mediaIds: inPlan })
    const everything = [items.bundled, items.locked, items.private, items.deletedStore]
    bundleId = await buildBundle(harness, creator, { mediaIds: everything })

    const people: Record<string, Person> = {
      'a fan': await buildFan(harness),
      'an unverified person': await buildUser(harness, { verified: false }),
      'another creator': await buildCreator(harness),
      'a buyer of singles': await buildFan(harness),
      'a refunded buyer': await buildFan(harness),
      'a buyer of the bundle': await buildFan(harness),
      'a subscriber': await buildFan(harness),
      'a subscriber whose time is over': await buildFan(harness),
      'the owner': creator,
      'a superadmin': await buildUser(harness, { role: 'superadmin' }),
    }
    const person = (kind: string) => people[kind] as Person
    for (const item of ['store', 'private', 'deletedStore'] as const) {
      await buy(person('a buyer of singles'), creator, { kind: 'single', itemId: items[item] })
      await refund(await buy(person('a refunded buyer'), creator, { kind: 'single', itemId: items[item] }))
    }
    await buy(person('a buyer of singles'), hiddenCreator, { kind: 'single', itemId: items.hidden })
    await buy(person('a buyer of the bundle'), creator, {
      kind: 'bundle',
      itemId: bundleId,
      mediaIds: [items.bundled],
    })
    await buy(person('a subscriber'), creator, { kind: 'subscription', itemId: planId })
    const over = harness.clock.now()
    await buy(person('a subscriber whose time is over'), creator, {
      kind: 'subscription',
      itemId: planId,
      validUntil: over,
    })
    await softDelete(items.deletedOpen)
    await softDelete(items.deletedStore)
    const { db, clock } = harness.context
    await db
      .updateTable('users')
      .set({ deletion_requested_at: clock.now() })
      .where('id', '=', hiddenCreator.id)
      .execute()
    for (const kind of KINDS) apis[kind] = people[kind] ? harness.api.as(people[kind]) : harness.api.visitor()
  })

  describe.each(KINDS)('%s', (kind) => {
    it.each(ITEMS)('and the item %s: all of it, a placeholder, or no word', async (item) => {
      const api = apiOf(kind)
      if (!mayKnow(kind, item)) {
        await expect(show(api, idOf(item))).rejects.toMatchObject({ status: 404, code: 'media_not_found' })
        return
      }
      const media = await show(api, idOf(item))
      const seen = EXPECTED[kind]?.includes(item)
      expect(media.locked).toBe(!seen)
      if (seen) {
        const answer = await fetched(api, media.url ?? '')
        expect(answer.status).toBe(200)
        expect(answer.text).toMatch(/^bytes of a test item/)
        expect(answer.headers.get('content-type')).toBe(item === 'store' ? 'video/mp4' : 'image/webp')
      } else {
        expect(media).toMatchObject({ url: null, poster: null, widths: [], owned: false, price: '$4' })
        expect(media.preview.length).toBeLessThan(60)
      }
    })

    it('gets an address of nothing else from any call', async () => {
      const api = apiOf(kind)
      const answers: string[] = []
      const read = async (path: string) => answers.push(JSON.stringify((await api.send('GET', path)).body))
      for (const person of [creator, hiddenCreator]) {
        await read(`/media/profile?creatorId=${person.id}&limit=60`)
        await read(`/media/profile?creatorId=${person.id}&limit=60&mustUnlock=false&showInSearch=true`)
        await read(`/media/profile?creatorId=${person.id}&limit=60&mustUnlock=true`)
        await read(`/media/purchasablemedia?creatorId=${person.id}`)
      }
      await read('/media/discover?limit=60&mustUnlock=false&showInSearch=true')
      await read(`/media/bundleinfo?bundleId=${bundleId}`)
      await read('/media/managemedia')
      await read('/media/editbundlemedialist')
      await read('/users/premiumcontent?showing=all')
      for (const item of ITEMS) {
        await read(`/media/${idOf(item)}`)
        await read(`/media/viewmedia/${idOf(item)}`)
      }
      const everything = answers.join('\n')
      const addressed = ITEMS.filter((item) => everything.includes(`/files/media/${idOf(item)}/`))
      expect(addressed.toSorted()).toEqual([...(EXPECTED[kind] ?? [])].sort())
      expect(everything).not.toMatch(/"(variants|sha256|storage)|uploads\//)
      const links = everything.match(/\/files\/media\/[^"]+/g) ?? []
      expect(
        links.every((link) => /^\/files\/media\/[0-9a-f-]{36}\/\d+\.[\w-]{47}\/[a-z0-9.-]+$/.test(link)),
      ).toBe(true)
    })
  })
})

describe('a subscription', () => {
  it('a subscription that ends takes its own grant away, links included', async () => {
    const creator = await buildCreator(harness)
    const held = await buildMedia(harness, creator)
    const planId = await buildPlan(harness, creator, { mediaIds: [held] })
    const subscriber = await buildFan(harness)
    const validUntil = new Date(harness.clock.now().getTime() + 60_000)
    await buy(subscriber, creator, { kind: 'subscription', itemId: planId, validUntil })
    const subscriberApi = harness.api.as(subscriber)
    const { url } = await show(subscriberApi, held)
    expect((await fetched(subscriberApi, url ?? '')).status).toBe(200)
    harness.clock.advance(60_000)
    expect(await fetched(subscriberApi, url ?? '')).toMatchObject({ status: 403 })
    expect(await show(subscriberApi, held)).toMatchObject({ locked: true, url: null })
  })
})

describe('grantPurchase', () => {
  it('grants once, however often the same purchase is told', async () => {
    const { db, clock } = harness.context
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const bundleId = await buildBundle(harness, creator, { mediaIds })
    const orderId = await buy(fan, creator, { kind: 'bundle', itemId: bundleId })
    const media = await db
      .selectFrom('entitlement_media')
      .select(['media_id as mediaId', 'version_id as versionId'])
      .where('user_id', '=', fan.id)
      .execute()
    const source = { kind: 'purchase', id: orderId } as const
    const again = { userId: fan.id, source, gives: { media }, now: clock.now() }
    await Promise.all([1, 2, 3, 4, 5].map(() => db.transaction().execute((tx) => grant(tx, again))))
    const granted = await db
      .selectFrom('entitlement_media')
      .select('media_id')
      .where('user_id', '=', fan.id)
      .execute()
    expect(granted.map((row) => row.media_id).sort()).toEqual(mediaIds.toSorted())
  })
})
