import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  type Person,
} from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { replaceFile } from '../../../testing/media-files.ts'
import { buildMessage } from '../../../testing/purchases.ts'

let harness: Harness
let creator: Person
let fan: Person
/** In a subscription of the fan's; the other isn't. */
let lent: string
let other: string

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  const single = () => buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  lent = await single()
  other = await single()
  const offerId = await buildOffer(harness, creator, { type: 'freeTrial', mediaIds: [lent], days: 7 })
  await harness.api.as(fan).send('POST', '/media/offer/redeem', { body: { offerId } })
})
afterAll(() => harness?.stop())

async function lentOf(kind: 'single' | 'bundle' | 'singles' | 'message' | 'tip', itemId: string, by = fan) {
  return (await harness.api.as(by).call(routes.openPurchase, { query: { kind, itemId } })).lent
}
const bundleOf = (mediaIds: string[]) => buildBundle(harness, creator, { mediaIds })

test('who is about to buy what a subscription shows them is told how much of it that is', async () => {
  expect(await lentOf('single', lent)).toBe('all')
  expect(await lentOf('single', other)).toBeNull()
  expect(await lentOf('bundle', await bundleOf([lent, other]))).toBe('some')
  expect(await lentOf('bundle', await bundleOf([other]))).toBeNull()
  const offer = await buildOffer(harness, creator, { type: 'discountSingles', mediaIds: [lent, other] })
  expect(await lentOf('singles', offer)).toBe('some')
  expect(await lentOf('tip', creator.id)).toBeNull()
  expect(await lentOf('single', lent, await buildFan(harness))).toBeNull()
})

test('a message is told of to the person it was sent to alone', async () => {
  const follow = { follower_id: fan.id, following_id: creator.id, created_at: harness.clock.now() }
  await harness.context.db.insertInto('follows').values(follow).execute()
  const messageId = await buildMessage(harness, creator, fan, { mediaIds: [lent], price: '$3' })
  expect(await lentOf('message', messageId)).toBe('all')
  // The subscription shows the new file of one that was replaced, and no file of the other.
  const replaced = await buildMedia(harness, creator)
  const both = await buildMessage(harness, creator, fan, { mediaIds: [lent, replaced], price: '$3' })
  expect(await lentOf('message', both)).toBe('some')
  await replaceFile(harness, replaced, 'new')
  expect(await lentOf('message', both)).toBe('some')
  const subscriber = await buildFan(harness)
  const offerId = await buildOffer(harness, creator, { type: 'freeTrial', mediaIds: [lent], days: 7 })
  await harness.api.as(subscriber).send('POST', '/media/offer/redeem', { body: { offerId } })
  expect(await lentOf('single', lent, subscriber)).toBe('all')
  expect(await lentOf('message', messageId, subscriber)).toBeNull()
})

test('what a purchase wouldn’t give isn’t counted: what became private, was deleted, or was taken down', async () => {
  const gone = await Promise.all([1, 2, 3].map(() => buildMedia(harness, creator, { priceCents: 500 })))
  const bundleId = await bundleOf([lent, ...gone])
  expect(await lentOf('bundle', bundleId)).toBe('some')
  const [hidden, deleted, taken] = gone as [string, string, string]
  const change = (
    id: string,
    values: { direct_only?: boolean; must_unlock?: boolean; deleted_at?: Date; quarantined_at?: Date },
  ) => harness.context.db.updateTable('media').set(values).where('id', '=', id).execute()
  await change(hidden, { direct_only: true, must_unlock: false })
  await change(deleted, { deleted_at: harness.clock.now() })
  await change(taken, { quarantined_at: harness.clock.now() })
  expect(await lentOf('bundle', bundleId)).toBe('all')
})

test('what they own already doesn’t count, nor what a subscription showed them that has ended', async () => {
  const bundleId = await bundleOf([lent, other])
  await buildGrant(harness, fan, [other])
  expect(await lentOf('bundle', bundleId)).toBe('all')
  harness.clock.advance(8 * 86_400_000)
  expect(await lentOf('bundle', bundleId)).toBeNull()
})
