import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { Checkpoint } from '../../context.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  buildSession,
  type Person,
} from '../../testing/builders.ts'
import { cardToken, planFault } from '../../testing/gateway.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { waitingForLocks } from '../../testing/locks.ts'
import { NO_TRACES, ONE_SALE, purchaseTraces } from '../../testing/purchases.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person
/** What the next call that is about to commit waits for. */
let beforeCommit: (() => Promise<void>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name: Checkpoint) => {
      if (name !== 'call.before-commit') return
      const wait = beforeCommit
      beforeCommit = null
      await wait?.()
    },
  })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const as = (person: Person) => harness.api.as(person)
type Kind = 'subscription' | 'bundle'

/** Both kinds that can be retired, by what their calls are named. */
const kinds = {
  subscription: {
    build: (mediaIds: string[]) => buildPlan(harness, creator, { mediaIds }),
    retire: (subscriptionId: string, retired: boolean, person = creator) =>
      as(person).call(routes.retireSubscription, { body: { subscriptionId, retired } }),
    remove: (subscriptionId: string, person = creator) =>
      as(person).call(routes.deleteSubscription, { body: { subscriptionId } }),
    read: (id: string, person: Person) => as(person).call(routes.subscription, { params: { id } }),
    list: async (person: Person) =>
      (await as(person).call(routes.subscriptions, { query: { userId: creator.id } })).subscriptions,
  },
  bundle: {
    build: (mediaIds: string[]) => buildBundle(harness, creator, { mediaIds }),
    retire: (bundleId: string, retired: boolean, person = creator) =>
      as(person).call(routes.retireBundle, { body: { bundleId, retired } }),
    remove: (bundleId: string, person = creator) =>
      as(person).call(routes.deleteBundle, { body: { bundleId } }),
    read: (id: string, person: Person) => as(person).call(routes.bundle, { params: { id } }),
    list: async (person: Person) =>
      (await as(person).call(routes.bundles, { query: { creatorId: creator.id } })).bundles,
  },
}
const buy = async (kind: Kind, itemId: string, person = fan, months: 1 | 12 = 1) =>
  as(person).call(routes.purchase, {
    body: { kind, itemId, ...(kind === 'subscription' ? { months } : {}), ...(await cardToken(harness)) },
  })
const unlocks = async (mediaId: string, person: Person) =>
  (await as(person).call(routes.viewMedia, { params: { mediaId } })).unlocks.map(({ _id }) => _id)
const counts = async () => {
  const profile = await as(fan).call(routes.profileById, { params: { id: creator.id } })
  return [profile.subscriptionCount, profile.bundleCount]
}

// First, so that its renewal is the only one that is due.
test('a retired subscription renews, and who is past due pays what is owed, and begins no other term', async () => {
  const mediaIds = [await buildMedia(harness, creator)]
  const planId = await buildPlan(harness, creator, { mediaIds, priceCents: 700 })
  const plan = { subscriptionId: planId, title: 'More', price: '$7', chatEnabled: false, mediaIds }
  const terms = [{ months: 12 as const, discountPercent: 10 }]
  await as(creator).call(routes.editSubscription, { body: { ...plan, terms } })
  await buy('subscription', planId)
  await kinds.subscription.retire(planId, true)
  const later = async () => ({ ...fan, token: await buildSession(harness, fan.id) })
  const own = async () =>
    (await as(await later()).call(routes.ownSubscriptions, { query: {} })).items.map(
      ({ status, renews, retired }) => [status, renews, retired],
    )
  const nextMonth = async () => {
    harness.clock.advance(32 * DAY_MS)
    await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
    await harness.runJobs()
  }
  await nextMonth()
  expect([await own(), (await purchaseTraces(harness, fan)).charged]).toEqual([[['active', true, true]], 2])
  await planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
  await nextMonth()
  expect(await own()).toEqual([['past_due', true, true]])
  await expect(buy('subscription', planId, await later(), 12)).rejects.toMatchObject({
    code: 'no_longer_sold',
  })
  expect((await purchaseTraces(harness, fan)).charged).toBe(2)
  await buy('subscription', planId, await later())
  expect([await own(), (await purchaseTraces(harness, fan)).charged]).toEqual([[['active', true, true]], 3])
})

describe.each(['subscription', 'bundle'] as const)('a %s', (kind) => {
  const { build, retire, remove, read, list } = kinds[kind]

  test('that is retired is neither sold nor shown to strangers, and comes back', async () => {
    const item = await buildMedia(harness, creator)
    const id = await build([item])
    expect(await unlocks(item, fan)).toEqual([id])
    expect(await retire(id, true)).toMatchObject({ _id: id, retired: true })
    await expect(buy(kind, id)).rejects.toMatchObject({
      ...{ status: 409, code: 'no_longer_sold' },
      body: { error: 'This is no longer for sale. You have not been charged.' },
    })
    expect(await purchaseTraces(harness, fan)).toEqual(NO_TRACES)
    expect([await list(fan), await unlocks(item, fan), await counts()]).toEqual([[], [], [0, 0]])
    await expect(read(id, fan)).rejects.toMatchObject({ code: 'item_not_found' })
    if (kind === 'bundle') {
      const asked = { query: { bundleId: id } }
      await expect(as(fan).call(routes.bundleInfo, asked)).rejects.toMatchObject({ status: 404 })
      expect((await as(creator).call(routes.bundleInfo, asked)).bundleMedia).toHaveLength(1)
    }
    expect(await list(creator)).toMatchObject([{ _id: id, retired: true }])

    expect(await retire(id, false)).toMatchObject({ retired: false })
    expect([(await list(fan)).length, await unlocks(item, fan)]).toEqual([1, [id]])
    expect(await buy(kind, id)).toMatchObject({ status: 'captured' })
  })

  test('that is retired stays with who has it', async () => {
    const item = await buildMedia(harness, creator)
    const id = await build([item])
    await buy(kind, id)
    await retire(id, true)
    expect(await read(id, fan)).toMatchObject({ _id: id, retired: true, deletable: false })
    expect(await list(fan)).toHaveLength(1)
    expect(await as(fan).call(routes.media, { params: { mediaId: item } })).toMatchObject({ locked: false })
  })

  test('is deleted only while nobody ever had it', async () => {
    const [free, sold] = [await build([]), await build([await buildMedia(harness, creator)])]
    await buy(kind, sold)
    const deletable = async () => (await list(creator)).map(({ _id, deletable: can }) => [_id, can])
    expect(await deletable()).toEqual([
      [free, true],
      [sold, false],
    ])
    expect((await read(free, fan)).deletable).toBe(false)
    await expect(remove(sold)).rejects.toMatchObject({ status: 409, code: 'was_sold' })
    expect(await remove(free)).toEqual({ success: true })
    await expect(remove(free)).rejects.toMatchObject({ code: 'item_not_found' })
    await expect(read(free, creator)).rejects.toMatchObject({ code: 'item_not_found' })
    expect((await list(creator)).map(({ _id }) => _id)).toEqual([sold])
  })

  test('that was given by an offer is not deleted', async () => {
    const id = await build([await buildMedia(harness, creator)])
    const type = kind === 'subscription' ? 'freeTrial' : 'freeBundle'
    const offerId = await buildOffer(harness, creator, { type, itemId: id })
    await as(fan).call(routes.redeemOffer, { body: { userId: fan.id, offerId } })
    await expect(remove(id)).rejects.toMatchObject({ code: 'was_sold' })
  })

  test('that is retired is given by no offer, and none is made of it', async () => {
    const id = await build([await buildMedia(harness, creator)])
    const type = kind === 'subscription' ? 'freeTrial' : 'freeBundle'
    const offerId = await buildOffer(harness, creator, { type, itemId: id })
    await retire(id, true)
    await expect(
      as(fan).call(routes.redeemOffer, { body: { userId: fan.id, offerId } }),
    ).rejects.toMatchObject({ code: 'item_not_found' })
  })

  test('is its creator’s alone to retire and to delete', async () => {
    const id = await build([])
    const other = await buildCreator(harness)
    await expect(retire(id, true, other)).rejects.toMatchObject({ status: 403, code: 'not_owner' })
    await expect(remove(id, other)).rejects.toMatchObject({ status: 403, code: 'not_owner' })
    expect(await list(creator)).toMatchObject([{ retired: false }])
  })

  test.each(['retire', 'delete'] as const)(
    '%s against a purchase: sold as agreed, or nothing charged',
    async (act) => {
      for (let round = 0; round < 4; round++) {
        const buyer = await buildFan(harness)
        const id = await build([await buildMedia(harness, creator)])
        const [bought, ended] = await Promise.allSettled([
          buy(kind, id, buyer),
          act === 'retire' ? retire(id, true) : remove(id),
        ])
        const traces = await purchaseTraces(harness, buyer)
        expect(traces).toEqual(bought.status === 'fulfilled' ? ONE_SALE : NO_TRACES)
        if (bought.status === 'rejected')
          expect(bought.reason).toMatchObject({
            code: act === 'retire' ? 'no_longer_sold' : 'item_not_found',
          })
        if (act === 'delete')
          expect([bought.status, ended.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      }
    },
  )

  test('given and deleted at the same moment, it is one of the two', async () => {
    const give = {
      offer: async (id: string, to: Person) => {
        const type = kind === 'subscription' ? 'freeTrial' : 'freeBundle'
        const offerId = await buildOffer(harness, creator, { type, itemId: id })
        return () => as(to).call(routes.redeemOffer, { body: { userId: to.id, offerId } })
      },
      gift: async (subscriptionId: string, { id: subscriberId, ...to }: Person) => {
        await as({ id: subscriberId, ...to }).call(routes.toggleFollow, { body: { followingId: creator.id } })
        return () =>
          as(creator).call(routes.giveFreeDays, { body: { subscriberId, subscriptionId, days: 7 } })
      },
    }
    for (const way of kind === 'subscription' ? (['offer', 'gift'] as const) : (['offer'] as const))
      for (const isGivenFirst of [true, false]) {
        const id = await build([await buildMedia(harness, creator)])
        const giving = await give[way](id, await buildFan(harness))
        const removing = () => remove(id)
        const [first, second] = isGivenFirst ? [giving, removing] : [removing, giving]
        let later: Promise<unknown> = Promise.resolve()
        beforeCommit = async () => {
          later = second()
          const ended = later.then(
            () => true,
            () => true,
          )
          const waits = async () => (await waitingForLocks(harness.context.db)) > 0
          await expect.poll(() => Promise.race([ended, waits()])).toBe(true)
        }
        await first()
        const code = isGivenFirst ? 'was_sold' : 'item_not_found'
        await expect(later, `${way} ${isGivenFirst}`).rejects.toMatchObject({ code })
      }
  })
})
