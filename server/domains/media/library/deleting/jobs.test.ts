import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { insertPurchase } from '../../../../testing/purchases.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const hasFiles = async (mediaId: string) =>
  (await harness.context.storage.size(`media/${mediaId}/w320.webp`)) !== null
const purge = async () => {
  await harness.server.jobs['media.purge']({}, { attempt: 1, lastAttempt: false })
  await harness.runJobs()
}

it('removes the files of what was deleted more than 30 days ago and nobody owns, and no others', async () => {
  const { db } = harness.context
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const operator = await buildUser(harness, { role: 'superadmin' })
  const api = harness.api.as(creator)
  const remove = (mediaIds: string[]) => api.call(routes.bulkDeleteMedia, { body: { mediaIds } })
  const build = (options = {}) => buildMedia(harness, creator, options)
  const items = {
    gone: await build(),
    recent: await build(),
    kept: await build(),
    bought: await build({ showInStore: true }),
    undecided: await build(),
    inUndecidedBundle: await build(),
    givenBack: await build(),
  }
  await harness.api.as(fan).call(routes.purchase, {
    body: { kind: 'single', itemId: items.bought, ...(await cardToken(harness)) },
  })
  await harness.api.as(operator).call(routes.unlockMedia, {
    body: { customerId: fan.id, mediaId: items.givenBack },
  })
  await db
    .updateTable('entitlements')
    .set({ revoked_at: harness.clock.now() })
    .where('source_kind', '=', 'manual')
    .where('user_id', '=', fan.id)
    .execute()
  const bundleId = await buildBundle(harness, creator, { mediaIds: [items.inUndecidedBundle] })
  const attempts = [
    ['single', items.undecided, 'held'],
    ['bundle', bundleId, 'unknown'],
  ] as const
  for (const [kind, item_id, status] of attempts)
    await insertPurchase(db, {
      buyer_id: fan.id,
      creator_id: creator.id,
      kind,
      item_id,
      status,
      amount_cents: 400,
      created_at: harness.clock.now(),
    })
  const { kept, recent, ...old } = items
  await remove(Object.values(old))
  harness.clock.advance(DAY_MS)
  await remove([recent])
  harness.clock.advance(29 * DAY_MS + 1000)
  await Promise.all([purge(), purge()])
  await purge()
  const left = await Promise.all(
    Object.entries(items).map(async ([name, id]) => ((await hasFiles(id)) ? name : null)),
  )
  expect(left.filter((name) => name !== null).sort()).toEqual(
    ['bought', 'inUndecidedBundle', 'kept', 'recent', 'undecided'].sort(),
  )
  const purged = await db.selectFrom('media').select('id').where('purged_at', 'is not', null).execute()
  expect(purged.map(({ id }) => id).sort()).toEqual([items.gone, items.givenBack].sort())
  const later = harness.api.as({ token: await buildSession(harness, creator.id) })
  const restore = (mediaIds: string[]) => later.call(routes.restoreMedia, { body: { mediaIds } })
  await expect(restore([items.gone])).rejects.toMatchObject({ code: 'media_not_found' })
  expect((await restore([recent])).items).toMatchObject([{ _id: recent }])
})
