import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { MediaProcessor } from '../../../../ports/video/port.ts'
import { buildCreator, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

let harness: Harness
let picture: Buffer
let real: MediaProcessor

/** The uploads that were started, in their order, and a way to let those at work end. */
const line = { started: [] as string[], hold: null as Promise<void> | null }

beforeAll(async () => {
  harness = await startHarness()
  picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c65' } })
    .jpeg()
    .toBuffer()
  real = harness.context.processor
  harness.context.processor = {
    ...real,
    async process(input) {
      line.started.push(input.outDir.split('/').at(-1) ?? '')
      if (await real.isMoving(input.path)) await line.hold
      return { ok: false, refusal: 'media_unreadable' }
    },
  }
})
afterAll(async () => {
  harness.context.processor = real
  await harness.stop()
})

/** Has so many files of a person arrive, said to be of `size`, and says so in one call; answers their uploads. */
async function send(
  person: Person,
  count: number,
  name = 'photo.jpg',
  bytes = picture,
  size: number | null = null,
): Promise<string[]> {
  const api = harness.api.as(person)
  const fileNames = Array.from({ length: count }, () => name)
  const { signedUrls, destFileNames } = await api.call(routes.startUpload, { body: { fileNames } })
  for (const url of signedUrls)
    await fetch(`${harness.origin}${url}`, { method: 'PUT', body: new Uint8Array(bytes) })
  if (size)
    await harness.context.db
      .updateTable('uploads')
      .set({ bytes: size })
      .where('id', 'in', destFileNames)
      .execute()
  await api.call(routes.makePublic, { body: { destFileNames } })
  return destFileNames
}

const stateOf = async (person: Person, uploadId: string) =>
  (await harness.api.as(person).call(routes.uploads, { query: { uploadIds: [uploadId] } })).items[0]
const run = (uploadId: string) =>
  harness.server.jobs['media.process']({ uploadId }, { attempt: 1, lastAttempt: false })

/** A file that begins as a video does. */
const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), Buffer.alloc(1e6)])

describe('people take turns', () => {
  it('one photo behind a hundred of another person is prepared next but one', async () => {
    const [many, one] = [await buildCreator(harness), await buildCreator(harness)]
    const hundred = await send(many, 100)
    const [single = ''] = await send(one, 1)
    expect(await stateOf(one, single)).toMatchObject({ place: 2, status: 'processing' })
    expect(await stateOf(many, hundred[99] ?? '')).toMatchObject({ place: 101 })
    line.started = []
    await harness.runJobs()
    expect(line.started.indexOf(single)).toBe(1)
    expect(line.started.filter((id) => id !== single)).toEqual(hundred)
  })

  it('what is sent in many calls at the same moment gets no better place', async () => {
    const [many, one] = [await buildCreator(harness), await buildCreator(harness)]
    const api = harness.api.as(many)
    const fileNames = Array.from({ length: 10 }, () => 'photo.jpg')
    const { signedUrls, destFileNames } = await api.call(routes.startUpload, { body: { fileNames } })
    for (const url of signedUrls)
      await fetch(`${harness.origin}${url}`, { method: 'PUT', body: new Uint8Array(picture) })
    await Promise.all(
      destFileNames.map((id) => api.call(routes.makePublic, { body: { destFileNames: [id] } })),
    )
    const [single = ''] = await send(one, 1)
    expect((await stateOf(one, single))?.place).toBe(2)
    await harness.runJobs()
  })
})

it('an upload that waits for its next attempt stands behind those that may begin now', async () => {
  const person = await buildCreator(harness)
  const [failed = '', next = ''] = await send(person, 2)
  const { db, clock } = harness.context
  const pauseMs = 600_000
  const notBefore = new Date(clock.now().getTime() + pauseMs)
  await db
    .updateTable('uploads')
    .set({ attempts: 5, not_before: notBefore })
    .where('id', '=', failed)
    .execute()
  expect(await stateOf(person, next)).toMatchObject({ place: 1 })
  expect((await stateOf(person, next))?.waitSeconds).toBeLessThan(pauseMs / 1000)
  const paused = await stateOf(person, failed)
  expect(paused).toMatchObject({ place: 2 })
  expect(paused?.waitSeconds).toBeGreaterThanOrEqual((notBefore.getTime() - clock.now().getTime()) / 1000)
  clock.advance(pauseMs)
  expect(await stateOf(person, failed)).toMatchObject({ place: 1 })
  await harness.runJobs()
})

describe('a video', () => {
  it('at work never holds up a photo, nor a second video the photos behind it', async () => {
    const [filming, one] = [await buildCreator(harness), await buildCreator(harness)]
    const { promise, resolve } = Promise.withResolvers<void>()
    line.hold = promise
    line.started = []
    const [first = '', second = ''] = await send(filming, 2, 'long.mp4', video)
    const running = run(first)
    await expect.poll(() => line.started).toEqual([first])
    // A job of another video ends at once, so that it takes no place from pictures.
    await run(second)
    const [photo = ''] = await send(one, 1)
    await run(photo)
    expect(line.started).toEqual([first, photo])
    expect(await stateOf(one, photo)).toMatchObject({ status: 'failed' })
    expect(await stateOf(filming, first)).toMatchObject({ status: 'processing', place: null })
    expect(await stateOf(filming, second)).toMatchObject({ place: 2, waitSeconds: expect.any(Number) })
    resolve()
    await running
    // The one that ended passed on to the next.
    await harness.runJobs()
    expect(line.started).toEqual([first, photo, second])
    line.hold = null
  })

  it('that is called a picture waits with the videos all the same', async () => {
    const person = await buildCreator(harness)
    const { promise, resolve } = Promise.withResolvers<void>()
    line.hold = promise
    line.started = []
    const [hidden = ''] = await send(person, 1, 'photo.jpg', video)
    const [photo = ''] = await send(person, 1)
    await run(hidden)
    expect(line.started).toEqual([])
    await run(photo)
    expect(line.started).toEqual([photo])
    resolve()
    await harness.runJobs()
    expect(line.started).toEqual([photo, hidden])
    line.hold = null
  })
})

describe('a video of gigabytes', () => {
  it('at work holds up no short video, and waits for another long one alone', async () => {
    const [filming, one] = [await buildCreator(harness), await buildCreator(harness)]
    const { promise, resolve } = Promise.withResolvers<void>()
    line.hold = promise
    line.started = []
    const [long = '', second = ''] = await send(filming, 2, 'long.mp4', video, 2e9)
    const running = run(long)
    await expect.poll(() => line.started).toEqual([long])
    const [short = ''] = await send(one, 1, 'short.mp4', video)
    expect(await stateOf(one, short)).toMatchObject({ place: 1 })
    const beside = run(short)
    await expect.poll(() => line.started).toEqual([long, short])
    // Neither takes the other's place, nor does a second long one take that of the short ones.
    await run(second)
    expect(line.started).toEqual([long, short])
    expect(await stateOf(filming, second)).toMatchObject({ status: 'processing', place: 2 })
    resolve()
    await Promise.all([running, beside])
    await harness.runJobs()
    expect(line.started).toEqual([long, short, second])
    line.hold = null
  })
})

it('two processes never prepare the same upload, and a killed one’s is free at once', async () => {
  const person = await buildCreator(harness)
  line.started = []
  const [upload = ''] = await send(person, 1)
  const key = `media.process ${upload}`
  await harness.context.db.connection().execute(async (other) => {
    await sql`select pg_advisory_lock(hashtextextended(${key}, 0))`.execute(other)
    await run(upload)
    expect(line.started).toEqual([])
    await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(other)
  })
  await run(upload)
  expect(line.started).toEqual([upload])
  await harness.runJobs()
})
