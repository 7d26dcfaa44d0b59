import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { OFFER_TYPES } from '../../../../contract/offers.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

const DAY_MS = 24 * 3600 * 1000
let harness: Harness
let creator: Person
let fan: Person

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
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const as = (person: Person) => harness.api.as(person)
const look = (offerId: string, person: Person | null = fan) =>
  (person ? as(person) : harness.api.visitor()).call(routes.offer, { params: { offerId } })
const redeem = (offerId: string, person = fan) =>
  as(person).send('POST', '/media/offer/redeem', { body: { offerId } })
const create = (body: object, person = creator) => as(person).send('POST', '/media/offer', { body })
const listed = async (person = creator) =>
  (await as(person).call(routes.offers, { query: { creatorId: person.id } })).items
const entitlementsOf = (person: Person) =>
  harness.context.db.selectFrom('entitlements').selectAll().where('user_id', '=', person.id).execute()
const isLocked = async (mediaId: string, person = fan) =>
  (await as(person).call(routes.media, { params: { mediaId } })).locked
const later = (days: number) => new Date(harness.clock.now().getTime() + days * DAY_MS)

describe('making an offer', () => {
  const things = async (owner = creator) => {
    const media = [
      await buildMedia(harness, owner, { showInStore: true, priceCents: 300 }),
      await buildMedia(harness, owner, { showInStore: true, priceCents: 300 }),
    ]
    return {
      subscription: await buildPlan(harness, owner, { priceCents: 1000, mediaIds: media }),
      bundle: await buildBundle(harness, owner, { priceCents: 500, mediaIds: media }),
      media,
      subscriptionDays: 14,
      price: '$4',
    }
  }

  test.each(OFFER_TYPES)('%s keeps only what belongs to it', async (offerType) => {
    const all = await things()
    const { status, body } = await create({ ...all, offerType })
    const isTrial = offerType.endsWith('Trial')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      offerType,
      subscription: isTrial ? { _id: all.subscription, price: '$10' } : null,
      subscriptionDays: isTrial ? 14 : null,
      bundle: offerType.endsWith('Bundle') ? { _id: all.bundle } : null,
      price: offerType.startsWith('discount') ? '$4' : null,
      photoCount: 2,
      availableToAll: true,
      availableTo: [],
      redemptionsAllowed: 0,
      expiresAt: null,
      status: 'active',
      views: 0,
      redemptions: 0,
      earnings: '$0',
    })
    expect(await listed()).toEqual([body])
    const held = await harness.context.db
      .selectFrom('offer_media')
      .select('media_id')
      .where('offer_id', '=', (body as { _id: string })._id)
      .execute()
    expect(held).toHaveLength(offerType.endsWith('Singles') ? 2 : 0)
  })

  test('of what is somebody else’s, deleted, empty, not for sale or not cheaper is refused', async () => {
    const [own, others] = [await things(), await things(await buildCreator(harness))]
    const hidden = await buildMedia(harness, creator)
    const empty = await buildBundle(harness, creator)
    const refusals: [body: object, status: number, code: string][] = [
      [{ offerType: 'freeTrial', subscription: others.subscription }, 403, 'not_owner'],
      [{ offerType: 'freeBundle', bundle: others.bundle }, 403, 'not_owner'],
      [{ offerType: 'freeSingles', media: others.media }, 400, 'invalid_input'],
      [{ offerType: 'freeSingles', media: [hidden] }, 400, 'invalid_input'],
      [{ offerType: 'freeBundle', bundle: empty }, 400, 'invalid_input'],
      [{ offerType: 'freeBundle', bundle: own.subscription }, 404, 'item_not_found'],
      [{ offerType: 'freeTrial' }, 400, 'invalid_input'],
      [{ offerType: 'discountBundle', bundle: own.bundle }, 400, 'invalid_input'],
      [{ offerType: 'discountBundle', bundle: own.bundle, price: '$0.99' }, 400, 'price_too_low'],
      [{ offerType: 'discountBundle', bundle: own.bundle, price: '$5' }, 400, 'offer_not_cheaper'],
      [{ offerType: 'discountSingles', media: own.media, price: '$6' }, 400, 'offer_not_cheaper'],
      [{ ...own, offerType: 'discountTrial', price: '$10' }, 400, 'offer_not_cheaper'],
      [{ ...own, offerType: 'discountTrial', price: '$0.99' }, 400, 'price_too_low'],
      [{ offerType: 'discountBundle', bundle: own.bundle, price: '$0.01' }, 400, 'price_too_low'],
      [{ offerType: 'discountSingles', media: own.media, price: '$0.99' }, 400, 'price_too_low'],
      [{ ...own, offerType: 'freeTrial', expiresAt: later(-1).toISOString() }, 400, 'invalid_input'],
      [{ ...own, offerType: 'freeTrial', availableTo: [creator.id] }, 400, 'invalid_input'],
      [{ ...own, offerType: 'freeTrial', availableToAll: true, availableTo: [fan.id] }, 400, 'invalid_input'],
      [{ ...own, offerType: 'freeTrial', availableToAll: false }, 400, 'invalid_input'],
    ]
    for (const [body, status, code] of refusals)
      expect(await create(body), JSON.stringify(body)).toMatchObject({ status, body: { code } })
    const [first = ''] = own.media
    expect(await create({ offerType: 'freeSingles', media: [hidden, first] })).toMatchObject({
      body: { details: { 'media.0': 'Some of these singles aren’t for sale anymore.' } },
    })
    expect(await listed()).toEqual([])
  })

  test('names the people it is for to its creator alone', async () => {
    const { subscription } = await things()
    const { body } = await create({ offerType: 'freeTrial', subscription, availableTo: [fan.id, fan.id] })
    expect(body).toMatchObject({
      availableToAll: false,
      availableTo: [{ _id: fan.id, username: fan.username }],
    })
    const { offer } = await look((body as { _id: string })._id)
    expect(offer).toMatchObject({ availableToAll: false, availableTo: [], redeemedBy: [] })
  })

  test('another creator neither lists, ends nor deletes it', async () => {
    const offerId = await buildOffer(harness, creator, { type: 'freeBundle' })
    const other = await buildCreator(harness)
    expect(await as(other).send('GET', `/media/offers?creatorId=${creator.id}`)).toMatchObject({
      status: 403,
    })
    for (const path of ['/media/offer/end', '/media/offer/delete'])
      expect(await as(other).send('POST', path, { body: { offerId } })).toMatchObject({ status: 404 })
    expect(await listed()).toMatchObject([{ _id: offerId, status: 'active' }])
  })
})

describe('what the page of an offer shows', () => {
  const views = async (offerId: string, person: Person | null = fan) => (await look(offerId, person)).view

  test('to a visitor: an offer for everyone without its items, and only whose it is of any other', async () => {
    const open = await buildOffer(harness, creator, { type: 'discountSingles' })
    expect(await look(open, null)).toMatchObject({
      view: 'open',
      offer: { price: '$2.50', photoCount: 2, media: [], creatorId: { username: creator.username } },
    })
    const unverified = await buildUser(harness, { verified: false })
    expect((await look(open, unverified)).offer).toMatchObject({ price: '$2.50', media: [] })
    expect((await look(open)).offer.media).toHaveLength(2)
    const chosen = await buildOffer(harness, creator, { type: 'freeBundle', recipients: [fan] })
    const { view, offer } = await look(chosen, null)
    expect(view).toBe('login')
    expect(offer).toMatchObject({ bundle: null, media: [], photoCount: 0, regularPrice: null, price: null })
  })

  test('to its creator the pictures themselves, to a fan of them those that they have', async () => {
    const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const offerId = await buildOffer(harness, creator, { type: 'freeSingles', mediaIds })
    const [had] = mediaIds
    await redeem(await buildOffer(harness, creator, { type: 'freeSingles', mediaIds: mediaIds.slice(0, 1) }))
    const seenBy = async (person: Person) =>
      (await look(offerId, person)).offer.media.flatMap(({ _id, url }) => (url ? [_id] : [])).sort()
    expect(await seenBy(creator)).toEqual(mediaIds.toSorted())
    expect(await seenBy(fan)).toEqual([had])
    expect(await seenBy(await buildFan(harness))).toEqual([])
  })

  test('expired before redeemed, redeemed before not available', async () => {
    const offerId = await buildOffer(harness, creator, {
      type: 'freeBundle',
      expiresAt: later(1),
      allowed: 1,
    })
    const stranger = await buildFan(harness)
    expect([await views(offerId), await views(offerId, creator)]).toEqual(['open', 'own'])
    expect(await redeem(offerId)).toMatchObject({ status: 200, body: { view: 'redeemed' } })
    expect([await views(offerId), await views(offerId, stranger)]).toEqual(['redeemed', 'usedUp'])
    await harness.context.db
      .updateTable('offers')
      .set({ available_to_all: false })
      .where('id', '=', offerId)
      .execute()
    expect([await views(offerId), await views(offerId, stranger)]).toEqual(['redeemed', 'unavailable'])
    harness.clock.advance(DAY_MS)
    creator.token = await buildSession(harness, creator.id)
    for (const person of [fan, stranger, creator, null]) expect(await views(offerId, person)).toBe('expired')
    expect(await listed()).toMatchObject([{ status: 'expired', redemptions: 1 }])
  })

  test('what the viewer has already, and what is gone', async () => {
    const first = await buildOffer(harness, creator, { type: 'freeTrial' })
    await redeem(first)
    const { plan_id: itemId } = await harness.context.db
      .selectFrom('offers')
      .select('plan_id')
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    const second = await buildOffer(harness, creator, { type: 'freeTrial', itemId: itemId ?? '' })
    expect(await views(second)).toBe('owned')
    expect(await redeem(second)).toMatchObject({ status: 409, body: { code: 'already_subscribed' } })
    const mediaIds = [await buildMedia(harness, creator)]
    const gone = await buildOffer(harness, creator, { type: 'freeSingles', mediaIds })
    await harness.context.db
      .updateTable('media')
      .set({ deleted_at: harness.clock.now() })
      .where('id', 'in', mediaIds)
      .execute()
    expect(await views(gone)).toBe('gone')
    expect(await redeem(gone)).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    expect(await entitlementsOf(fan)).toHaveLength(1)
  })

  test.each(['blocked', 'geo-blocked', 'suspended'] as const)(
    'nothing of a creator who is %s',
    async (how) => {
      const offerId = await buildOffer(harness, creator, { type: 'freeBundle' })
      if (how === 'blocked') await as(creator).call(routes.block, { body: { blockedId: fan.id } })
      if (how === 'geo-blocked')
        await as(creator).call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } as never })
      if (how === 'suspended') {
        const operator = await buildUser(harness, { role: 'superadmin' })
        const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
        await harness.api
          .as({ token })
          .call(routes.suspendPerson, { body: { userId: creator.id, reason: 'Trying it out' } })
      }
      const headers = { 'x-country': 'DE' }
      const missing = { status: 404, body: { code: 'offer_not_found' } }
      expect(await as(fan).send('GET', `/media/offer/${offerId}`, { headers })).toMatchObject(missing)
      const body = { offerId }
      for (const path of ['/media/offer/redeem', '/media/offer/view'])
        expect(await as(fan).send('POST', path, { body, headers })).toMatchObject(missing)
      expect(await entitlementsOf(fan)).toEqual([])
    },
  )
})

describe('redeeming', () => {
  test.each(['freeBundle', 'freeSingles'] as const)('%s gives its items for good, once', async (type) => {
    const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const offerId = await buildOffer(harness, creator, { type, mediaIds })
    expect(await redeem(offerId)).toMatchObject({
      status: 200,
      body: { view: 'redeemed', offer: { redeemedBy: [fan.id] } },
    })
    const { items } = await as(fan).call(routes.premiumContent, { query: {} })
    expect(items.map(({ _id }) => _id).sort()).toEqual(mediaIds.toSorted())
    const before = await entitlementsOf(fan)
    expect(before).toMatchObject([{ source_kind: 'offer', revoked_at: null, valid_until: null }])
    expect(await redeem(offerId)).toMatchObject({ status: 409, body: { code: 'offer_redeemed' } })
    expect(await entitlementsOf(fan)).toEqual(before)
    expect(await listed()).toMatchObject([{ redemptions: 1, earnings: '$0' }])
  })

  test('a free trial lends the subscription, never charges, and ends by itself', async () => {
    const mediaId = await buildMedia(harness, creator)
    const offerId = await buildOffer(harness, creator, { type: 'freeTrial', mediaIds: [mediaId], days: 7 })
    const person = await buildFan(harness)
    await redeem(offerId, person)
    expect(await isLocked(mediaId, person)).toBe(false)
    const token = await buildSession(harness, person.id)
    const own = async () =>
      (await harness.api.as({ token }).call(routes.ownSubscriptions, { query: {} })).items
    const [trial] = await own()
    expect(trial).toMatchObject({ status: 'trialing', renews: false, canResume: false })
    const startedAt = new Date(trial?.startedAt ?? '').getTime()
    expect(new Date(trial?.expiration ?? '').getTime() - startedAt).toBe(7 * DAY_MS)
    const subscriptionId = trial?._id ?? ''
    await harness.api.as({ token }).call(routes.cancelSubscription, { body: { subscriptionId } })
    expect(await own()).toEqual([trial])
    const expire = () => harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
    harness.clock.advance(6 * DAY_MS)
    await expire()
    expect(await own()).toEqual([trial])
    harness.clock.advance(DAY_MS)
    const locked = await harness.api.as({ token }).call(routes.media, { params: { mediaId } })
    expect(locked.locked).toBe(true)
    await expire()
    await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
    expect(await own()).toEqual([])
    const payments = await harness.context.db
      .selectFrom('payments')
      .select('id')
      .where('buyer_id', '=', person.id)
      .execute()
    expect(payments).toEqual([])
  })

  test('is refused to others than the chosen people, to its creator, and after its end', async () => {
    const offerId = await buildOffer(harness, creator, { type: 'freeBundle', recipients: [fan] })
    const stranger = await buildFan(harness)
    expect(await redeem(offerId, stranger)).toMatchObject({
      status: 403,
      body: { code: 'offer_unavailable', error: "You don't have access to this page" },
    })
    expect(await redeem(offerId, creator)).toMatchObject({ status: 409, body: { code: 'own_item' } })
    await as(creator).call(routes.endOffer, { body: { offerId } })
    expect(await redeem(offerId)).toMatchObject({
      status: 409,
      body: { code: 'offer_expired', error: 'Sorry, this offer is expired' },
    })
    expect(await listed()).toMatchObject([{ status: 'ended', redemptions: 0 }])
    await as(creator).call(routes.deleteOffer, { body: { offerId } })
    expect(await redeem(offerId)).toMatchObject({ status: 404, body: { code: 'offer_not_found' } })
    expect(await listed()).toEqual([])
    for (const person of [fan, stranger, creator]) expect(await entitlementsOf(person)).toEqual([])
  })

  test('the last redemption goes to one of fifty people', async () => {
    const offerId = await buildOffer(harness, creator, { type: 'freeSingles', allowed: 1 })
    const people = await Promise.all(Array.from({ length: 50 }, () => buildFan(harness)))
    const answers = await Promise.all(people.map((person) => redeem(offerId, person)))
    const codes = answers.map(({ status, body }) =>
      status === 200 ? 'won' : (body as { code: string }).code,
    )
    expect(codes.toSorted()).toEqual([...Array(49).fill('offer_used_up'), 'won'])
    const granted = (await Promise.all(people.map(entitlementsOf))).flat()
    expect(granted).toHaveLength(1)
    expect(await listed()).toMatchObject([{ redemptions: 1, status: 'usedUp' }])
  })

  test('fifty calls of one person redeem once', async () => {
    const offerId = await buildOffer(harness, creator, { type: 'freeTrial', allowed: 3 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(offerId)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await entitlementsOf(fan)).toHaveLength(1)
    expect(await listed()).toMatchObject([{ redemptions: 1, status: 'active' }])
  })

  test('while its creator ends it: either redeemed before, or not at all', async () => {
    const offerId = await buildOffer(harness, creator, { type: 'freeBundle' })
    const people = await Promise.all(Array.from({ length: 10 }, () => buildFan(harness)))
    const [, ...answers] = await Promise.all([
      as(creator).call(routes.endOffer, { body: { offerId } }),
      ...people.map((person) => redeem(offerId, person)),
    ])
    const won = answers.filter(({ status }) => status === 200).length
    expect((await Promise.all(people.map(entitlementsOf))).flat()).toHaveLength(won)
    expect(await listed()).toMatchObject([{ redemptions: won, status: 'ended' }])
    expect(await redeem(offerId)).toMatchObject({ body: { code: 'offer_expired' } })
  })
})

test('views are counted, but not its creator’s', async () => {
  const offerId = await buildOffer(harness, creator, { type: 'freeBundle' })
  for (const api of [as(fan), harness.api.visitor(), as(creator)])
    await api.call(routes.viewOffer, { body: { offerId } })
  expect(await listed()).toMatchObject([{ views: 2 }])
})
