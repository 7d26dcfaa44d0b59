import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildMedia, buildUser } from '../../../testing/builders.ts'
import { CANARY, sightings } from '../../../testing/canary.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { storeFiles } from '../../../testing/media-files.ts'
import { leave } from '../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const erase = () => harness.server.jobs['account.erase']({}, { attempt: 1, lastAttempt: false })

test('what was taken down is kept for a year after that, and goes then; the rest of its creator goes at once', async () => {
  const { context, clock } = harness
  const creator = await buildCreator(harness)
  const file = [{ name: 'w640.webp', mime: 'image/webp', body: Buffer.from('evidence') }]
  const build = async () => {
    const mediaId = await buildMedia(harness, creator, { title: CANARY })
    return { mediaId, storageId: await storeFiles(harness, mediaId, file) }
  }
  const takeDown = async ({ mediaId }: { mediaId: string }) => {
    const operator = await buildUser(harness, { role: 'reviewer' })
    await harness.api.as(operator).call(routes.quarantineMedia, { body: { mediaId, reason: 'A complaint' } })
  }
  const isKept = async ({ storageId }: { storageId: string }) =>
    (await context.storage.size(`media/${storageId}/w640.webp`)) !== null
  const purge = async () => {
    await harness.server.jobs['media.purge']({}, { attempt: 1, lastAttempt: false })
    await harness.runJobs()
  }
  const longAgo = await build()
  await takeDown(longAgo)
  clock.advance(340 * DAY_MS)
  const [lately, other] = [await build(), await build()]
  await takeDown(lately)
  await leave(harness, creator)
  clock.advance(30 * DAY_MS)
  await erase()
  expect([await isKept(lately), await isKept(longAgo), await isKept(other)]).toEqual([true, false, false])
  expect((await sightings(harness)).filter((place) => place === 'media')).toEqual([])
  expect(
    await context.db.selectFrom('media').select('id').where('creator_id', '=', creator.id).execute(),
  ).toEqual([])
  // A job that was sent before, for files that no version has anymore.
  await harness.server.jobs['media.remove-files'](
    { ...lately, names: null },
    { attempt: 1, lastAttempt: false },
  )
  clock.advance(334 * DAY_MS)
  await purge()
  expect(await isKept(lately)).toBe(true)
  clock.advance(2 * DAY_MS)
  await purge()
  expect(await isKept(lately)).toBe(false)
  expect(await context.db.selectFrom('evidence_holds').selectAll().execute()).toEqual([])
})
