import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  type Person,
} from '../../testing/builders.ts'
import { cardToken } from '../../testing/gateway.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'

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
type Change = { description?: string; coverMediaId?: string | null; mediaIds?: string[] }

/** Both kinds that are sold with a description and a cover: one of this kind, edited and read. */
const kinds = {
  subscription: {
    build: (mediaIds: string[]) => buildPlan(harness, creator, { mediaIds }),
    edit: (subscriptionId: string, change: Change) =>
      as(creator).call(routes.editSubscription, {
        body: { subscriptionId, title: 'T', price: '$5', chatEnabled: false, mediaIds: [], ...change },
      }),
    read: (id: string, person: Person) => as(person).call(routes.subscription, { params: { id } }),
  },
  bundle: {
    build: (mediaIds: string[]) => buildBundle(harness, creator, { mediaIds }),
    edit: (bundleId: string, change: Change) =>
      as(creator).call(routes.editBundle, {
        body: { bundleId, title: 'T', price: '$5', mediaIds: [], ...change },
      }),
    read: (id: string, person: Person) => as(person).call(routes.bundle, { params: { id } }),
  },
}

describe.each(['subscription', 'bundle'] as const)('a %s', (kind) => {
  const { build, edit, read } = kinds[kind]

  test('has a description and a cover, which stay when they are not sent', async () => {
    const free = await buildMedia(harness, creator, { mustUnlock: false, title: 'Harbor' })
    const id = await build([])
    expect(await read(id, fan)).toMatchObject({ description: '', cover: null })
    await edit(id, { description: ' Two lines\nof text ', coverMediaId: free })
    expect(await edit(id, {})).toMatchObject({ description: 'Two lines\nof text', cover: { _id: free } })
    const shown = await read(id, fan)
    expect(shown).toMatchObject({ description: 'Two lines\nof text', cover: { _id: free, title: 'Harbor' } })
    expect(shown.cover?.url).toMatch(/w640\.webp$/)
    expect(await edit(id, { description: '', coverMediaId: null })).toMatchObject({
      description: '',
      cover: null,
    })
  })

  test('shows a locked cover blurred, without a link, and to nobody what is no longer shown anywhere', async () => {
    const cover = await buildMedia(harness, creator)
    const id = await build([cover])
    await edit(id, { coverMediaId: cover, mediaIds: [cover] })
    const shown = (await read(id, fan)).cover
    expect(shown).toMatchObject({ _id: cover, locked: true, widths: [] })
    expect(shown).not.toHaveProperty('url')
    expect((await read(id, creator)).cover?.url).toBeTruthy()
    const change = (body: object) => as(creator).call(routes.editMedia, { body: { mediaId: cover, ...body } })
    await change({ directOnly: true })
    expect([(await read(id, fan)).cover, (await read(id, creator)).cover]).toEqual([null, null])
    await change({ mustUnlock: true })
    expect((await read(id, fan)).cover).toMatchObject({ _id: cover })
    await as(creator).call(routes.deleteMedia, { body: { mediaId: cover } })
    expect((await read(id, fan)).cover).toBeNull()
  })

  test('shows a cover that nobody may know of to its owner alone', async () => {
    const cover = await buildMedia(harness, creator, { published: false })
    const id = await build([])
    await edit(id, { coverMediaId: cover })
    expect([(await read(id, creator)).cover?._id, (await read(id, fan)).cover]).toEqual([cover, null])
  })

  test('takes no cover of others, none that is private or deleted, and no longer text', async () => {
    const id = await build([])
    const deleted = await buildMedia(harness, creator)
    await as(creator).call(routes.deleteMedia, { body: { mediaId: deleted } })
    for (const coverMediaId of [
      await buildMedia(harness, await buildCreator(harness)),
      await buildMedia(harness, creator, { directOnly: true }),
      deleted,
      crypto.randomUUID(),
    ])
      await expect(edit(id, { coverMediaId })).rejects.toMatchObject({
        ...{ status: 400, body: { details: { coverMediaId: expect.any(String) } } },
      })
    await expect(edit(id, { description: 'x'.repeat(501) })).rejects.toMatchObject({ status: 400 })
    expect(await read(id, fan)).toMatchObject({ description: '', cover: null })
  })
})

test('a subscriber whom the creator blocked finds the subscription, and no cover that they never bought', async () => {
  const cover = await buildMedia(harness, creator)
  const planId = await buildPlan(harness, creator)
  await kinds.subscription.edit(planId, { coverMediaId: cover })
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
  await as(fan).call(routes.purchase, { body })
  const own = async () => {
    const { items } = await as(fan).call(routes.yourSubscriptions, { query: {} })
    return items.map(({ subscription }) => [subscription._id, subscription.cover?._id])
  }
  expect(await own()).toEqual([[planId, cover]])
  await as(creator).call(routes.block, { body: { blockedId: fan.id } })
  expect(await own()).toEqual([[planId, undefined]])
})
