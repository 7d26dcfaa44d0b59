import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/route.ts'
import { buildCreator, buildFan, buildMedia, buildPlan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const as = (person: Person) => harness.api.as(person)
const plansOf = async (person: Person) =>
  (await as(fan).call(routes.subscriptions, { query: { userId: person.id } })).subscriptions

describe('create', () => {
  test('puts a subscription on sale for its creator', async () => {
    const body = { title: ' Everything ', price: '$1,234.50', chatEnabled: true }
    const plan = await as(creator).call(routes.createSubscription, { body })
    expect(plan).toMatchObject({
      creatorId: creator.id,
      title: 'Everything',
      price: '$1,234.50',
      chatEnabled: true,
      mediaIds: [],
      status: null,
    })
    expect((await plansOf(creator)).map(({ _id }) => _id)).toEqual([plan._id])
  })

  test.each([
    [{ title: ' ', price: '$4' }, 'Must include title'],
    [{ title: 'T', price: '' }, 'Must include price'],
    [{ title: 'T', price: '$0.00' }, 'Enter a price above $0.'],
    [{ title: 'T', price: '-$4' }, 'Enter an amount like $4 or $4.50.'],
    [{ title: 'T', price: '4.005' }, 'Enter an amount like $4 or $4.50.'],
    [{ title: 'T', price: '$10000000' }, 'Enter an amount like $4 or $4.50.'],
  ])('refuses %j and sells nothing', async (body, error) => {
    const answer = await as(creator).send('POST', '/users/create/subscription', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input', error } })
    expect(await plansOf(creator)).toEqual([])
  })

  test('costs $1 at least', async () => {
    const create = (price: string) =>
      as(creator).send('POST', '/users/create/subscription', { body: { title: 'T', price } })
    expect(await create('$0.99')).toMatchObject({
      status: 400,
      body: { code: 'price_too_low', details: { price: 'The lowest price is $1.' } },
    })
    expect(await plansOf(creator)).toEqual([])
    expect((await create('$1')).status).toBe(200)
  })

  test('is the same plan when the same request comes twice', async () => {
    const call = () =>
      as(creator).call(
        routes.createSubscription,
        { body: { title: 'Once', price: '$4' } },
        { idempotencyKey: 'create-plan-once' },
      )
    expect((await call())._id).toBe((await call())._id)
    expect(await plansOf(creator)).toHaveLength(1)
  })

  test('is closed to fans, for other people, and while publishing is closed', async () => {
    const create = (person: Person, more: object) =>
      as(person).call(routes.createSubscription, { body: { title: 'T', price: '$4', ...more } })
    await expect(create(fan, {})).rejects.toMatchObject({ code: 'creators_only' })
    await expect(create(creator, { userId: fan.id })).rejects.toMatchObject({ code: 'not_yourself' })
    harness.context.publishingOpen = false
    try {
      await expect(create(creator, {})).rejects.toMatchObject({ code: 'publishing_closed' })
    } finally {
      harness.context.publishingOpen = true
    }
    expect(await plansOf(creator)).toEqual([])
  })
})

describe('edit', () => {
  test('changes title, price, chat and media, in the order given, counted by kind', async () => {
    const [photo, video, other] = [
      await buildMedia(harness, creator),
      await buildMedia(harness, creator, { type: 'video' }),
      await buildMedia(harness, creator),
    ]
    const planId = await buildPlan(harness, creator, { mediaIds: [other] })
    const body = {
      subscriptionId: planId,
      title: 'New',
      price: '5',
      chatEnabled: true,
      mediaIds: [video, photo, video],
    }
    const edited = await as(creator).call(routes.editSubscription, { body })
    expect(edited).toMatchObject({
      title: 'New',
      price: '$5',
      chatEnabled: true,
      mediaIds: [video, photo],
      photoCount: 1,
      videoCount: 1,
      videoSeconds: 65,
    })
    expect(await as(fan).call(routes.subscription, { params: { id: planId } })).toEqual({
      ...edited,
      deletable: false,
    })
  })

  test.each(['chosen', 'allLocked'] as const)('leaves what is not sent, with %s media', async (includes) => {
    const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const subscriptionId = await buildPlan(harness, creator, { mediaIds: mediaIds.slice(1) })
    const edit = (body: Partial<Input<typeof routes.editSubscription>['body']>) =>
      as(creator).call(routes.editSubscription, { body: { subscriptionId, ...body } })
    const terms = [{ months: 3 as const, discountPercent: 10 }]
    const before = await edit({ includes, terms, chatEnabled: true, description: 'Every week' })
    expect(await edit({})).toEqual(before)
    expect(await edit({ title: 'New' })).toEqual({ ...before, title: 'New' })
    expect(await edit({ price: '$12' })).toMatchObject({
      title: 'New',
      price: '$12',
      mediaIds: before.mediaIds,
    })
    expect(await edit({ terms: [] })).toMatchObject({ price: '$12', terms: [], chatEnabled: true })
  })

  test('puts items behind what is there, each once, and takes them out again; subscribers follow', async () => {
    const [held = '', more = ''] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const subscriptionId = await buildPlan(harness, creator, { mediaIds: [held] })
    const change = (body: { addMediaIds?: string[]; removeMediaIds?: string[] }, person = creator) =>
      as(person).call(routes.editSubscriptionMedia, { body: { subscriptionId, ...body } })
    const holds = async () =>
      (await as(creator).call(routes.subscription, { params: { id: subscriptionId } })).mediaIds
    expect(await change({ addMediaIds: [held, more] })).toEqual({
      addedMediaIds: [more],
      removedMediaIds: [],
    })
    expect(await holds()).toEqual([held, more])
    expect(await change({ addMediaIds: [more] })).toMatchObject({ addedMediaIds: [] })
    await change({ removeMediaIds: [more] })
    expect(await holds()).toEqual([held])
    await expect(change({ addMediaIds: [more] }, await buildCreator(harness))).rejects.toMatchObject({
      code: 'not_owner',
    })
    expect(await holds()).toEqual([held])
  })

  test('takes no media of others, none that was deleted and none that is not there', async () => {
    const mine = await buildMedia(harness, creator)
    const deleted = await buildMedia(harness, creator)
    await harness.context.db
      .updateTable('media')
      .set({ deleted_at: new Date() })
      .where('id', '=', deleted)
      .execute()
    const planId = await buildPlan(harness, creator, { mediaIds: [mine] })
    for (const bad of [
      await buildMedia(harness, await buildCreator(harness)),
      deleted,
      crypto.randomUUID(),
    ]) {
      const body = {
        subscriptionId: planId,
        title: 'New',
        price: '5',
        chatEnabled: true,
        mediaIds: [mine, bad],
      }
      const answer = await as(creator).send('POST', '/users/edit/subscription', { body })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', details: { 'mediaIds.1': expect.any(String) } },
      })
    }
    expect(await as(creator).call(routes.subscription, { params: { id: planId } })).toMatchObject({
      title: 'A subscription',
      mediaIds: [mine],
    })
  })

  test('is only for the owner, and for what exists', async () => {
    const planId = await buildPlan(harness, creator)
    const edit = (person: Person, subscriptionId: string) =>
      as(person).call(routes.editSubscription, {
        body: { subscriptionId, title: 'Mine now', price: '$1', chatEnabled: false, mediaIds: [] },
      })
    await expect(edit(await buildCreator(harness), planId)).rejects.toMatchObject({
      status: 403,
      code: 'not_owner',
      body: { error: 'you do not have access to this page' },
    })
    await expect(edit(creator, crypto.randomUUID())).rejects.toMatchObject({
      status: 404,
      code: 'item_not_found',
    })
    expect(await plansOf(creator)).toMatchObject([{ title: 'A subscription', price: '$9.99' }])
  })
})

describe('lists', () => {
  test('show a visitor a creator’s plans and nobody’s access', async () => {
    await buildPlan(harness, creator, { title: 'One' })
    await buildPlan(harness, creator, { title: 'Two' })
    const { subscriptions } = await harness.api
      .visitor()
      .call(routes.subscriptions, { query: { userId: creator.id } })
    expect(subscriptions).toMatchObject([
      { title: 'One', status: null, expiration: null, message: null },
      { title: 'Two', status: null, expiration: null, message: null },
    ])
  })

  test('hide what a hidden person sells from everybody', async () => {
    const planId = await buildPlan(harness, creator)
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: new Date() })
      .where('id', '=', creator.id)
      .execute()
    expect(await plansOf(creator)).toEqual([])
    await expect(as(fan).call(routes.subscription, { params: { id: planId } })).rejects.toMatchObject({
      code: 'item_not_found',
    })
  })
})
