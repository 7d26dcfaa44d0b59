import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_TITLE_LENGTH } from '../../../../contract/constants.ts'
import { routes } from '../../../../contract/index.ts'
import { pictureOf, sourcesOf } from '../../../../contract/media-links.ts'
import { NEW_UPLOAD_FLAGS } from '../../../../contract/visibility.ts'
import { buildFan } from '../../../testing/builders.ts'
import type { Harness } from '../../../testing/harness.ts'
import { movingPicture, NOTHING, PICTURES, uploads } from '../../../testing/uploads.ts'

const { scene, api, root, upload, stateOf, remains, run, mediaRows, withProcessor } = uploads()
let harness: Harness
let picture: Buffer

beforeAll(() => {
  ;({ harness, picture } = scene)
})

describe('a file that is a picture or video', () => {
  it('becomes a locked item, and its own bytes go', async () => {
    const uploadId = await upload(picture, '../../etc/passwd.jpg')
    expect(await stateOf(uploadId)).toMatchObject({ status: 'processing', mediaId: null })
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({
      status: 'ready',
      progress: 100,
      mediaId: uploadId,
      error: null,
    })
    const viewer = api()
    const media = await viewer.call(routes.media, { params: { mediaId: uploadId } })
    expect(media).toMatchObject({
      type: 'image',
      width: 800,
      height: 600,
      duration: null,
      price: '$4',
      poster: null,
    })
    expect(media).toMatchObject(NEW_UPLOAD_FLAGS)
    expect(media.widths).toEqual([320, 640, 800])
    for (const { url, width } of sourcesOf(media)) {
      const bytes = Buffer.from(await (await viewer.fetch(url)).arrayBuffer())
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width })
      expect(bytes.includes('CANARY')).toBe(false)
    }
    expect(await remains(uploadId)).toEqual({ ...NOTHING, variants: PICTURES })
    expect((await mediaRows(uploadId))[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('when it moves becomes a video with a poster', async () => {
    const frames = await Promise.all(
      ['#c00', '#0c0', '#00c'].map((background) =>
        sharp({ create: { width: 320, height: 240, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ delay: [400, 400, 400] })
      .toBuffer()
    const uploadId = await upload(moving, 'moving.webp')
    await harness.runJobs()
    const viewer = api()
    const media = await viewer.call(routes.media, { params: { mediaId: uploadId } })
    expect(media).toMatchObject({ type: 'video', width: 320, height: 240, duration: 2 })
    expect(media.url).toMatch(new RegExp(`^/files/media/${uploadId}/[^/]+/video\\.mp4$`))
    expect(sourcesOf(media).map((source) => source.url)).toContain(pictureOf(media))
    const part = await viewer.fetch(media.url ?? '', { headers: { range: 'bytes=4-7' } })
    expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  })
})

it('a video whose name is cut at an emoji becomes an item, and is told of', async () => {
  const start = 'a'.repeat(MAX_TITLE_LENGTH - 1)
  const uploadId = await upload(await movingPicture(), `${start}😀 beach.webp`)
  await harness.runJobs()
  expect(await stateOf(uploadId)).toMatchObject({ status: 'ready', error: null })
  expect(await mediaRows(uploadId)).toMatchObject([{ title: start }])
  const { items } = await api().call(routes.notifications, { query: {} })
  expect(JSON.stringify(items)).toContain(start)
})

it('a fan, whose files go with messages, is told of neither a video that is ready nor a file that is refused', async () => {
  const fan = await buildFan(harness)
  const [ready, refused] = [
    await upload(await movingPicture(), 'moving.webp', fan),
    await upload(Buffer.alloc(0), 'empty.webp', fan),
  ]
  await harness.runJobs()
  expect(await stateOf(ready, fan)).toMatchObject({ status: 'ready' })
  expect(await stateOf(refused, fan)).toMatchObject({ status: 'failed' })
  expect((await api(fan).call(routes.notifications, { query: {} })).items).toEqual([])
})

describe('a file that is something else', () => {
  it.each([
    ['empty', Buffer.alloc(0), 'media_empty'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'media_type_unsupported'],
    [
      'a drawing with script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'),
      'media_type_unsupported',
    ],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), 'media_type_unsupported'],
    ['half a picture', () => picture.subarray(0, 900), 'media_unreadable'],
  ])('%s is refused with a sentence and leaves nothing', async (_, bytes, code) => {
    const uploadId = await upload(typeof bytes === 'function' ? bytes() : bytes)
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({
      status: 'failed',
      code,
      error: expect.stringMatching(/\w+\.$/),
      mediaId: null,
    })
    expect(await mediaRows(uploadId)).toEqual([])
    expect(await remains(uploadId)).toEqual(NOTHING)
    harness.clock.advance(25 * 3600 * 1000)
    await harness.server.jobs['media.sweep']({}, { attempt: 1, lastAttempt: false })
    await harness.runJobs()
    expect(await stateOf(uploadId)).toBeUndefined()
  })
})

describe('once and only once', () => {
  it('however many say at the same time that it arrived', async () => {
    const { signedUrls, destFileNames } = await api().call(routes.startUpload, {
      body: { fileNames: ['a.jpg'] },
    })
    await fetch(`${harness.origin}${signedUrls[0]}`, { method: 'PUT', body: new Uint8Array(picture) })
    await Promise.all(
      Array.from({ length: 20 }, () => api().call(routes.makePublic, { body: { destFileNames } })),
    )
    let processed = 0
    const { processor } = harness.context
    await withProcessor(
      (input) => {
        processed += 1
        return processor.process(input)
      },
      () => harness.runJobs(),
    )
    expect(processed).toBe(1)
    const again = await api().call(routes.makePublic, { body: { destFileNames } })
    expect(again.items).toMatchObject([{ status: 'ready' }])
    await harness.runJobs()
    expect(await mediaRows(destFileNames[0] ?? '')).toHaveLength(1)
  })

  it('however often the job runs', async () => {
    const uploadId = await upload(picture)
    await run(uploadId)
    const [before] = await mediaRows(uploadId)
    const files = await remains(uploadId)
    await run(uploadId)
    await harness.runJobs()
    expect(await mediaRows(uploadId)).toEqual([before])
    expect(await remains(uploadId)).toEqual(files)
  })
})

describe('after a crash', () => {
  it('in the middle nothing of the earlier run is left', async () => {
    const uploadId = await upload(picture)
    await mkdir(join(root(), 'processing', uploadId), { recursive: true })
    await writeFile(join(root(), 'processing', uploadId, 'w320.webp'), 'half')
    const leftover = Readable.from([Buffer.from('half')])
    await harness.context.storage.put(`media/${uploadId}/w111.webp`, leftover, { maxBytes: 100 })
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'ready' })
    expect(await remains(uploadId)).toEqual({ ...NOTHING, variants: PICTURES })
  })

  it('between the commit and the clearing the next run clears', async () => {
    const uploadId = await upload(picture)
    await run(uploadId)
    const source = Readable.from([picture])
    await harness.context.storage.put(`uploads/${uploadId}`, source, { maxBytes: 1e6 })
    await run(uploadId)
    expect(await remains(uploadId)).toMatchObject({
      source: [],
      variants: PICTURES,
    })
  })

  it('a failed attempt is tried again after a pause, and the last one refuses the file', async () => {
    const uploadId = await upload(picture)
    const broken = async () => {
      throw new Error('out of memory')
    }
    await withProcessor(broken, async () => {
      for (let attempt = 1; attempt <= 6; attempt++) {
        expect(await stateOf(uploadId)).toMatchObject({ status: 'processing' })
        await run(uploadId)
        // Not before the pause is over, however often the job comes.
        await run(uploadId)
        harness.clock.advance(600_000)
      }
    })
    expect(await stateOf(uploadId)).toMatchObject({
      status: 'failed',
      code: 'media_not_prepared',
      error: 'We couldn’t prepare this file. Try uploading it again.',
    })
    expect(await mediaRows(uploadId)).toEqual([])
    expect(await remains(uploadId)).toEqual(NOTHING)
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'failed' })
  })
})
