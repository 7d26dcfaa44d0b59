import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_TITLE_LENGTH } from '../../../../contract/constants.ts'
import { routes } from '../../../../contract/index.ts'
import { pictureOf, sourcesOf } from '../../../../contract/media-links.ts'
import { NEW_UPLOAD_FLAGS } from '../../../../contract/visibility.ts'
import { type MediaProcessor, ProcessingStopped, StorageFailed } from '../../../ports/video/port.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { PROCESSED_WITHIN_SECONDS } from './rules.ts'

let harness: Harness
let creator: Person
let picture: Buffer

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#c65' } })
    .withExif({ IFD0: { Artist: 'CANARY-OWNER' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => harness?.stop())

const api = (person = creator) => harness.api.as(person)
const root = () => harness.context.config.DATA_DIR

/** Uploads bytes and says that they arrived; returns the upload's id. */
async function upload(bytes: Buffer, fileName = 'file.jpg', person = creator): Promise<string> {
  const { signedUrls, destFileNames } = await api(person).call(routes.startUpload, {
    body: { fileNames: [fileName] },
  })
  const [uploadId = ''] = destFileNames
  const response = await fetch(`${harness.origin}${signedUrls[0]}`, {
    method: 'PUT',
    body: new Uint8Array(bytes),
  })
  expect(response.status).toBe(200)
  await api(person).call(routes.makePublic, { body: { destFileNames } })
  return uploadId
}

/** A video for the shortest time. */
async function movingPicture(): Promise<Buffer> {
  const frames = ['#c65', '#56c'].map((background) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .webp({ delay: [400, 400] })
    .toBuffer()
}

async function stateOf(uploadId: string, person = creator) {
  const { items } = await api(person).call(routes.uploads, { query: { uploadIds: [uploadId] } })
  return items[0]
}

async function listing(folder: string): Promise<string[]> {
  return readdir(join(root(), folder)).catch(() => [])
}

/** What lies in the store and in the workspace for this upload. */
async function remains(uploadId: string) {
  return {
    source: (await listing('media/uploads')).filter((name) => name.startsWith(uploadId)),
    variants: (await listing(`media/media/${uploadId}`)).sort(),
    workspace: (await listing('processing')).filter((name) => name === uploadId),
  }
}

const PICTURES = ['w320.avif', 'w320.webp', 'w640.avif', 'w640.webp', 'w800.avif', 'w800.webp']
const NOTHING = { source: [], variants: [], workspace: [] }
const run = (uploadId: string) =>
  harness.server.jobs['media.process']({ uploadId }, { attempt: 1, lastAttempt: false })

const mediaRows = (uploadId: string) =>
  harness.context.db.selectFrom('media').selectAll().where('id', '=', uploadId).execute()

/** Runs with a processor that behaves like this instead. */
async function withProcessor<T>(process: MediaProcessor['process'], action: () => Promise<T>): Promise<T> {
  const real = harness.context.processor
  harness.context.processor = { ...real, process }
  try {
    return await action()
  } finally {
    harness.context.processor = real
  }
}

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

describe('while the disk is full or the store is down', () => {
  const MINUTE_MS = 60_000
  const PAUSE_MS = 10 * MINUTE_MS
  const attemptsOf = async (uploadId: string) =>
    (
      await harness.context.db
        .selectFrom('uploads')
        .select('attempts')
        .where('id', '=', uploadId)
        .executeTakeFirst()
    )?.attempts
  /** Runs with a store that has no room for what is prepared. */
  async function withFullStore<T>(action: () => Promise<T>): Promise<T> {
    const { storage } = harness.context
    const putFile = async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    harness.context.storage = { ...storage, putFile }
    try {
      return await action()
    } finally {
      harness.context.storage = storage
    }
  }
  const full: MediaProcessor['process'] = async () => {
    throw new StorageFailed('ENOSPC: no space left on device, write')
  }

  it('a file waits with all of its bytes, however long that takes, and becomes an item afterwards', async () => {
    const uploadId = await upload(picture)
    const { source } = await remains(uploadId)
    const failing = [() => withFullStore(() => run(uploadId)), () => withProcessor(full, () => run(uploadId))]
    const waitsTwice = async (pauseMs: number) => {
      for (const fail of failing) {
        await fail()
        expect(await stateOf(uploadId)).toMatchObject({ status: 'processing', code: null, place: 1 })
        expect(await remains(uploadId)).toMatchObject({ source, workspace: [] })
        // Not before the pause is over.
        harness.clock.advance(pauseMs - MINUTE_MS)
        await run(uploadId)
        expect(await attemptsOf(uploadId)).toBe(0)
        harness.clock.advance(MINUTE_MS)
      }
    }
    for (let times = 0; times < 2; times++) await waitsTwice(PAUSE_MS)
    harness.clock.advance(20 * MINUTE_MS)
    await waitsTwice(60 * MINUTE_MS)
    harness.clock.advance(24 * 60 * MINUTE_MS)
    await waitsTwice(360 * MINUTE_MS)
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'ready' })
  })

  it('its own failures count as ever, and the end of the days that it may wait is told', async () => {
    const uploadId = await upload(picture)
    const broken = async () => {
      throw new Error('out of memory')
    }
    await withProcessor(broken, () => run(uploadId))
    harness.clock.advance(PAUSE_MS)
    await withFullStore(() => run(uploadId))
    expect(await attemptsOf(uploadId)).toBe(1)
    harness.clock.advance((PROCESSED_WITHIN_SECONDS - 1200) * 1000)
    creator = { ...creator, token: await buildSession(harness, creator.id) }
    await withFullStore(() => run(uploadId))
    expect(await stateOf(uploadId)).toMatchObject({ status: 'failed', code: 'media_not_prepared' })
    expect(await remains(uploadId)).toEqual(NOTHING)
  })
})

const HOUR_MS = 3_600_000

it('what the queue brings before its time by this process’s clock is tried all the same', async () => {
  const uploadId = await upload(picture)
  const broken = async () => {
    throw new Error('out of memory')
  }
  await withProcessor(broken, () => run(uploadId))
  harness.clock.advance(10_000)
  const { clock } = harness.context
  harness.context.clock = { ...clock, now: () => new Date(clock.now().getTime() - HOUR_MS) }
  try {
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'processing', place: 1 })
  } finally {
    harness.context.clock = clock
  }
  harness.clock.advance(HOUR_MS)
  await harness.runJobs()
  expect(await stateOf(uploadId)).toMatchObject({ status: 'ready' })
})

it('the stop of the server in the middle is no failed attempt, and no error', async () => {
  const uploadId = await upload(picture)
  const { context } = harness
  const errors: unknown[] = []
  const { log } = context
  context.log = Object.assign(Object.create(log), { error: (...said: unknown[]) => void errors.push(said) })
  const stopping = async () => {
    throw new ProcessingStopped()
  }
  try {
    // More often than a file may fail.
    for (let stops = 0; stops < 7; stops++) await withProcessor(stopping, () => run(uploadId))
  } finally {
    context.log = log
  }
  expect(errors).toEqual([])
  expect(await stateOf(uploadId)).toMatchObject({ status: 'processing', place: 1 })
  expect((await remains(uploadId)).source).toEqual([`${uploadId}.whole`])
  // Without a pause, by the job that was left in the queue.
  await harness.runJobs()
  expect(await stateOf(uploadId)).toMatchObject({ status: 'ready' })
})

it('a small file that lasts long leaves the line of short videos, and is prepared among the long ones, in one attempt', async () => {
  const uploadId = await upload(await movingPicture(), 'still.webp')
  const row = () =>
    harness.context.db
      .selectFrom('uploads')
      .select(['line', 'status', 'attempts'])
      .where('id', '=', uploadId)
      .executeTakeFirst()
  const { processor } = harness.context
  const seen: unknown[] = []
  await withProcessor(
    async (input) => {
      seen.push((await row())?.line)
      input.onLength?.(599)
      expect(input.signal?.aborted).toBe(false)
      input.onLength?.(6 * 3600)
      return processor.process(input)
    },
    () => harness.runJobs(),
  )
  expect(seen).toEqual(['short_video', 'long_video'])
  expect(await row()).toEqual({ line: 'long_video', status: 'ready', attempts: 1 })
})

it('an upload canceled while it is processed becomes nothing', async () => {
  const uploadId = await upload(picture)
  const { processor } = harness.context
  await withProcessor(
    async (input) => {
      await api().call(routes.cancelUpload, { body: { uploadId } })
      return processor.process(input)
    },
    () => harness.runJobs(),
  )
  expect(await stateOf(uploadId)).toBeUndefined()
  expect(await mediaRows(uploadId)).toEqual([])
  expect(await remains(uploadId)).toEqual(NOTHING)
})

it('an item that is ready can’t be canceled away', async () => {
  const uploadId = await upload(picture)
  await harness.runJobs()
  const cancel = api().call(routes.cancelUpload, { body: { uploadId } })
  await expect(cancel).rejects.toMatchObject({ status: 409, code: 'upload_already_used' })
  expect((await remains(uploadId)).variants).toEqual(PICTURES)
})

it('progress is noted at most once a second', async () => {
  const uploadId = await upload(picture)
  const { processor, clock } = harness.context
  let now = clock.now()
  const progress = async () => (await stateOf(uploadId))?.progress
  harness.context.clock = { ...clock, now: () => now }
  try {
    await withProcessor(
      async (input) => {
        input.onProgress(20)
        await expect.poll(progress).toBe(20)
        now = new Date(now.getTime() + 999)
        // Noting this one would keep the next from being noted, because one write is under way at a time.
        input.onProgress(30)
        now = new Date(now.getTime() + 1)
        input.onProgress(60)
        await expect.poll(progress).toBe(60)
        return processor.process({ ...input, onProgress: () => {} })
      },
      () => harness.runJobs(),
    )
  } finally {
    harness.context.clock = clock
  }
  expect(await stateOf(uploadId)).toMatchObject({ status: 'ready', progress: 100 })
})
