import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('a creator’s new item is called as its file, and nobody reads what a fan’s file is called', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer()
  const publish = async (person: typeof fan) => {
    const api = harness.api.as(person)
    const body = { fileNames: ['Jane_Doe.png'] }
    const { signedUrls, destFileNames } = await api.call(routes.startUpload, { body })
    await fetch(`${harness.origin}${signedUrls[0]}`, { method: 'PUT', body: new Uint8Array(picture) })
    await api.call(routes.makePublic, { body: { destFileNames } })
    await harness.runJobs()
    const [mediaId = ''] = destFileNames
    return mediaId
  }
  const titleOf = async (mediaId: string) =>
    (
      await harness.context.db
        .selectFrom('media')
        .select('title')
        .where('id', '=', mediaId)
        .executeTakeFirst()
    )?.title
  expect(await titleOf(await publish(creator))).toBe('Jane Doe')
  const mediaId = await publish(fan)
  expect(await titleOf(mediaId)).toBe('')
})
