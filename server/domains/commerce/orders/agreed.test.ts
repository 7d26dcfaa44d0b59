import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import type { Api } from '../../../testing/api.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { replaceFile } from '../../../testing/media-files.ts'
import { purchaseTraces } from '../../../testing/purchases.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person
/** The change that happens while the next purchase is between intent and charge. */
let meanwhile: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name: Checkpoint) => {
      if (name !== 'purchase.submitting-committed' || !meanwhile) return
      const happens = meanwhile
      meanwhile = null
      await happens()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const as = (person: Person) => harness.api.as(person)
const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })

type Card = { cardNumber: string; cardCode: string }

async function buy(
  kind: 'single' | 'bundle',
  itemId: string,
  extra: object = {},
  card: Card = TEST_CARDS.approved,
) {
  const body = { kind, itemId, ...(await cardToken(harness, card)), ...extra }
  return as(fan).send('POST', '/users/purchase', { body })
}

const replace = (mediaId: string, mark: string) => replaceFile(harness, mediaId, mark)

async function purge(): Promise<void> {
  harness.clock.advance(31 * DAY_MS)
  await harness.server.jobs['media.purge']({}, { attempt: 1, lastAttempt: false })
  await harness.runJobs()
  fan = { ...fan, token: await buildSession(harness, fan.id) }
}

async function bytesOf(api: Api, mediaId: string): Promise<string> {
  const { url } = await api.call(routes.media, { params: { mediaId } })
  const response = await api.fetch(url ?? '/files/none')
  return response.ok ? response.text() : `${response.status}`
}

async function owned(api: Api): Promise<string[]> {
  const { items } = await api.call(routes.premiumContent, { query: {} })
  return items.map(({ _id }) => _id).sort()
}

/** The changes that a creator can make to items that somebody is buying, or has bought. */
const changes: Record<string, (mediaIds: string[], bundleId: string) => Promise<unknown>> = {
  'edits the bundle': (_, bundleId) =>
    as(creator).call(routes.editBundle, { body: { bundleId, title: 'Less', price: '$4', mediaIds: [] } }),
  'replaces the files': ([one = '', two = '']) =>
    Promise.all([replace(one, 'another file'), replace(two, 'another file')]),
  'makes them private': (mediaIds) =>
    as(creator).call(routes.bulkEditMedia, {
      body: { mediaIds, directOnly: true, addTagIds: [], removeTagIds: [] },
    }),
  'deletes them': (mediaIds) => as(creator).call(routes.bulkDeleteMedia, { body: { mediaIds } }),
  'replaces, then deletes them': async (mediaIds) => {
    for (const mediaId of mediaIds) await replace(mediaId, 'another file')
    await as(creator).call(routes.bulkDeleteMedia, { body: { mediaIds } })
  },
}

describe.each(['before', 'after'] as const)(
  'what was agreed is what is delivered when, %s the capture,',
  (when) => {
    test.each(Object.keys(changes))('the creator %s', async (name) => {
      const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
      const bundleId = await buildBundle(harness, creator, { mediaIds })
      const all = (api: Api) => Promise.all(mediaIds.map((mediaId) => bytesOf(api, mediaId)))
      const before = await all(as(creator))
      const change = () => changes[name]?.(mediaIds, bundleId) ?? Promise.reject(new Error('no change'))
      if (when === 'before') meanwhile = change
      expect(await buy('bundle', bundleId, { itemCount: 2 })).toMatchObject({ status: 200 })
      if (when === 'after') await change()
      expect(await owned(as(fan))).toEqual(mediaIds.toSorted())
      expect(await all(as(fan))).toEqual(before)
      await purge()
      expect(await owned(as(fan))).toEqual(mediaIds.toSorted())
      expect(await all(as(fan))).toEqual(before)
    })
  },
)

test('a late capture delivers what was agreed, not what the bundle holds by then', async () => {
  const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  const bundleId = await buildBundle(harness, creator, { mediaIds })
  await buy('bundle', bundleId, {}, TEST_CARDS.resetAfter)
  const other = await buildMedia(harness, creator)
  const edit = { bundleId, title: 'Other', price: '$4', mediaIds: [other] }
  await as(creator).call(routes.editBundle, { body: edit })
  await as(creator).call(routes.bulkDeleteMedia, { body: { mediaIds } })
  await recover()
  expect(await owned(as(fan))).toEqual(mediaIds.toSorted())
})

test.each(['single', 'bundle'] as const)(
  'a %s that is taken down before the capture is not paid for',
  async (kind) => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    const mediaIds = [
      await buildMedia(harness, creator, { showInStore: true }),
      await buildMedia(harness, creator),
    ]
    const [mediaId = ''] = mediaIds
    const itemId = kind === 'single' ? mediaId : await buildBundle(harness, creator, { mediaIds })
    meanwhile = () =>
      as(operator).call(routes.quarantineMedia, { body: { mediaId, reason: 'Reported by its subject' } })
    expect(await buy(kind, itemId)).toMatchObject({ body: { code: 'no_longer_available' } })
    expect(await purchaseTraces(harness, fan)).toEqual({
      statuses: ['voided'],
      charged: 0,
      granted: 0,
      sales: 0,
    })
    expect(await owned(as(fan))).toEqual([])
  },
)

test('a buyer gets their version and the new one beside it, nobody else gets the old one', async () => {
  const mediaId = await buildMedia(harness, creator, { showInStore: true })
  const old = await bytesOf(as(creator), mediaId)
  await buy('single', mediaId)
  harness.clock.advance(1000)
  await replace(mediaId, 'the new file')
  const buyer = as(fan)
  const view = await buyer.call(routes.viewMedia, { params: { mediaId } })
  expect(view.versions.map(({ current }) => current)).toEqual([true, false])
  expect(view.media.versionId).toBe(view.versions[1]?.versionId)
  const read = async (url: string | null | undefined) => (await buyer.fetch(url ?? '/files/none')).text()
  expect(await read(view.media.url)).toBe(old)
  expect(await read(view.versions[0]?.media.url)).toBe('the new file')
  const renewed = { mediaId, version: view.media.versionId ?? '' }
  expect(await read((await buyer.call(routes.mediaVersion, { params: renewed })).url)).toBe(old)
  const current = await buyer.call(routes.mediaVersion, { params: { mediaId, version: 'current' } })
  expect(await read(current.url)).toBe('the new file')
  const late = await buildFan(harness)
  await as(late).send('POST', '/users/purchase', {
    body: { kind: 'single', itemId: mediaId, ...(await cardToken(harness)) },
  })
  const theirs = await as(late).call(routes.viewMedia, { params: { mediaId } })
  expect(theirs.versions).toEqual([])
  expect(await bytesOf(as(late), mediaId)).toBe('the new file')
  await expect(as(late).call(routes.mediaVersion, { params: renewed })).rejects.toMatchObject({
    code: 'media_not_found',
  })
})

test('other contents than were shown are told, not charged', async () => {
  const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  const bundleId = await buildBundle(harness, creator, { mediaIds })
  const charges = (await gatewayTransactions(harness)).length
  expect(await buy('bundle', bundleId, { itemCount: 3 })).toMatchObject({
    status: 409,
    body: { code: 'contents_changed' },
  })
  expect(await gatewayTransactions(harness)).toHaveLength(charges)
  expect(await owned(as(fan))).toEqual([])
})

test.each(['single', 'bundle'] as const)('the database refuses a %s that holds nothing', async (kind) => {
  const order = harness.context.db
    .insertInto('orders')
    .values({
      buyer_id: fan.id,
      creator_id: creator.id,
      kind,
      item_id: crypto.randomUUID(),
      title: 'Nothing',
      amount_cents: 400,
      fee_basis_points: 2000,
      bought_once: true,
      created_at: harness.clock.now(),
      tried_at: harness.clock.now(),
    })
    .execute()
  await expect(order).rejects.toMatchObject({ constraint: 'orders_hold_items' })
})

test('what was replaced and nobody bought is removed, what an open order holds is kept', async () => {
  const [unsold, ordered] = [
    await buildMedia(harness, creator, { showInStore: true }),
    await buildMedia(harness, creator, { showInStore: true }),
  ]
  await buy('single', ordered, {}, TEST_CARDS.held)
  for (const mediaId of [unsold, ordered]) await replace(mediaId, 'another file')
  await purge()
  const kept = async (mediaId: string) =>
    (await harness.context.storage.size(`media/${mediaId}/w320.webp`)) !== null
  expect([await kept(unsold), await kept(ordered)]).toEqual([false, true])
})
