import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { startS3Server } from '../../../testing/s3-server.ts'

let folder: string
let server: Awaited<ReturnType<typeof startS3Server>>
let harness: Harness
let api: Api

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-bucket-'))
  server = await startS3Server(folder)
  const { account } = server
  harness = await startHarness({
    environment: {
      STORAGE: 's3',
      S3_ENDPOINT: account.endpoint,
      S3_REGION: account.region,
      S3_BUCKET: account.bucket,
      S3_ACCESS_KEY_ID: account.accessKeyId,
      S3_SECRET_ACCESS_KEY: account.secretAccessKey,
      S3_FORCE_PATH_STYLE: 'on',
    },
  })
  api = harness.api.as(await buildCreator(harness))
})
afterAll(async () => {
  await harness?.stop()
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

const photo = (background: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer()

async function send(signedUrl: string, uploadId: string, bytes: Buffer): Promise<void> {
  const response = await fetch(`${harness.origin}${signedUrl}`, {
    method: 'PUT',
    body: new Uint8Array(bytes),
  })
  expect(response.status).toBe(200)
  await api.call(routes.makePublic, { body: { destFileNames: [uploadId] } })
  await harness.runJobs()
}

/** The keys of all objects in the bucket below this prefix. */
async function keysBelow(prefix: string): Promise<string[]> {
  const found = await readdir(join(folder, server.account.bucket, prefix), { recursive: true }).catch(
    () => [],
  )
  return found.filter((name) => name.endsWith('_object')).sort()
}

async function shownColour(mediaId: string) {
  const media = await api.call(routes.media, { params: { mediaId } })
  const { url } = media
  const answer = await api.fetch(url ?? '')
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { dominant } = await sharp(bytes).stats()
  return { media, url: url ?? '', bytes, red: dominant.r > dominant.b }
}

it('a picture lives in the bucket from its upload until it is replaced, and never shows where', async () => {
  const { signedUrls, destFileNames } = await api.call(routes.startUpload, {
    body: { fileNames: ['beach.jpg'] },
  })
  const [[signedUrl = ''], [mediaId = '']] = [signedUrls, destFileNames]
  await send(signedUrl, mediaId, await photo('#d22'))
  expect(await keysBelow('uploads')).toEqual([])
  expect((await keysBelow(`media/${mediaId}`)).length).toBeGreaterThanOrEqual(3)

  const first = await shownColour(mediaId)
  expect(first.red).toBe(true)
  const part = await api.fetch(first.url, { headers: { range: 'bytes=4-11' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-11/${first.bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(first.bytes.subarray(4, 12))).toBe(true)
  const beyond = await api.fetch(first.url, { headers: { range: `bytes=${first.bytes.length}-` } })
  expect([beyond.status, await beyond.text()]).toEqual([416, ''])
  const told = JSON.stringify([first.media, signedUrls])
  for (const secret of [server.account.endpoint, server.account.bucket, 'X-Amz', server.account.accessKeyId])
    expect(told).not.toContain(secret)
  const stranger = await harness.api.visitor().fetch(first.url)
  expect([stranger.status, await stranger.json()]).toMatchObject([403, { code: 'link_expired' }])

  const body = { mediaId, fileName: 'lake.jpg' }
  const replacing = await api.call(routes.replaceFile, { body })
  const [uploadId = ''] = replacing.destFileNames
  await send(replacing.signedUrl, uploadId, await photo('#22d'))
  expect((await shownColour(mediaId)).red).toBe(false)
  expect(await keysBelow(`media/${mediaId}`)).toEqual([])
  expect((await keysBelow(`media/${uploadId}`)).length).toBeGreaterThanOrEqual(3)
})

it('what is refused leaves nothing in the bucket', async () => {
  const { signedUrls, destFileNames } = await api.call(routes.startUpload, {
    body: { fileNames: ['not-a-picture.jpg'] },
  })
  const [[signedUrl = ''], [uploadId = '']] = [signedUrls, destFileNames]
  await send(signedUrl, uploadId, Buffer.from('<svg onload="alert(1)">'))
  const { items } = await api.call(routes.uploads, { query: { uploadIds: [uploadId] } })
  expect(items[0]).toMatchObject({ status: 'failed', mediaId: null })
  expect(await keysBelow('uploads')).toEqual([])
  expect(await keysBelow(`media/${uploadId}`)).toEqual([])
  expect(await readdir(join(harness.context.config.DATA_DIR, 'lent'))).toEqual([])
})

it('/readyz says within seconds that the bucket fell silent', async () => {
  const ready = async () => {
    harness.clock.advance(10_000)
    return (await fetch(`${harness.origin}/readyz`)).status
  }
  expect(await ready()).toBe(200)
  const speakAgain = server.fallSilent()
  expect(await ready()).toBe(503)
  speakAgain()
  expect(await ready()).toBe(200)
})
