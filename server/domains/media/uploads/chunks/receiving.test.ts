import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHUNK_BYTES } from '../../../../../contract/constants.ts'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildSession, type Person } from '../../../../testing/builders.ts'
import {
  chunkedFile,
  countedChunks,
  heavyPicture,
  isStored,
  uploadsNamed,
} from '../../../../testing/chunks.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

const HOUR_MS = 3600 * 1000
let harness: Harness
let creator: Person
let picture: Buffer

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  picture = await heavyPicture()
})
afterAll(() => harness?.stop())

const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Works the queue and counts how often a file was processed. */
async function countProcessed(): Promise<number> {
  const { processor } = harness.context
  let processed = 0
  harness.context.processor = {
    ...processor,
    process(input) {
      processed += 1
      return processor.process(input)
    },
  }
  try {
    await harness.runJobs()
  } finally {
    harness.context.processor = processor
  }
  return processed
}

async function expectReady(name: string, bytes: Buffer): Promise<string> {
  const [row, ...others] = await uploadsNamed(harness, name)
  expect(others).toEqual([])
  expect(row).toMatchObject({ status: 'ready', bytes: bytes.length, sha256: shaOf(bytes) })
  const uploadId = row?.id ?? ''
  const media = await harness.api.as(creator).call(routes.media, { params: { mediaId: uploadId } })
  expect(media).toMatchObject({ width: 60, height: 40, mustUnlock: true })
  expect([isStored(harness, `uploads/${uploadId}`), isStored(harness, `uploads/${uploadId}.chunks`)]).toEqual(
    [false, false],
  )
  return uploadId
}

describe('a file in chunks', () => {
  it('of an external API client, in order and without an id, becomes an item', async () => {
    const file = chunkedFile(harness, creator, picture)
    for (let number = 0; number < file.total_chunks; number++) {
      const { status, body } = await file.send(number)
      const last = number === file.total_chunks - 1
      expect([status, body.status, body.chunks.length]).toEqual([
        200,
        last ? 'processing' : 'awaiting',
        number + 1,
      ])
    }
    expect(await countProcessed()).toBe(1)
    await expectReady(file.name, picture)
  })

  it('in any order, each twice, counts every chunk once', async () => {
    const file = chunkedFile(harness, creator, picture)
    const first = await file.send(2)
    const { uploadId } = first.body
    for (const number of [2, 0, 3, 0]) expect((await file.send(number, uploadId)).status).toBe(200)
    expect(await countedChunks(harness, uploadId)).toEqual([0, 2, 3])
    const state = await harness.api.as(creator).call(routes.chunkedUpload, { params: { uploadId } })
    expect(state).toMatchObject({ status: 'awaiting', chunks: [0, 2, 3], totalChunks: 4, arrivedChunks: 3 })
    await file.send(1, uploadId)
    const repeated = await file.send(1, uploadId)
    expect(repeated).toMatchObject({
      status: 200,
      body: { uploadId, status: 'processing', chunks: [0, 1, 2, 3] },
    })
    expect(await countProcessed()).toBe(1)
    expect(await expectReady(file.name, picture)).toBe(uploadId)
  })

  it('all at once and each three times, still without an id, starts one upload and one job', async () => {
    const file = chunkedFile(harness, creator, picture)
    const first = await Promise.all([0, 1, 2, 0, 1, 2, 0, 1, 2].map((number) => file.send(number)))
    expect(new Set(first.map(({ body }) => body.uploadId)).size).toBe(1)
    const last = await Promise.all(Array.from({ length: 12 }, () => file.send(3)))
    expect(new Set(last.map(({ status, body }) => `${status} ${body.status}`))).toEqual(
      new Set(['200 processing']),
    )
    expect(await countProcessed()).toBe(1)
    await expectReady(file.name, picture)
  })

  it('two different last chunks at the same moment are one completion', async () => {
    for (let run = 0; run < 3; run++) {
      const file = chunkedFile(harness, creator, picture)
      const { uploadId } = (await file.send(0)).body
      await file.send(3, uploadId)
      const [one, other] = await Promise.all([file.send(1, uploadId), file.send(2, uploadId)])
      expect([one.status, other.status]).toEqual([200, 200])
      expect([one.body.status, other.body.status]).toContain('processing')
      expect(await countProcessed()).toBe(1)
      await expectReady(file.name, picture)
    }
  })

  it('takes the last of two versions of a chunk', async () => {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0, undefined, Buffer.alloc(CHUNK_BYTES, 'wrong'))).body
    for (const number of [0, 1, 2, 3]) await file.send(number, uploadId)
    await harness.runJobs()
    await expectReady(file.name, picture)
  })

  it('of one chunk whose answer was lost is not taken for a second file', async () => {
    const small = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c65' } })
      .png()
      .toBuffer()
    const file = chunkedFile(harness, creator, small)
    const [one, other] = [await file.send(0), await file.send(0)]
    expect(other.body.uploadId).toBe(one.body.uploadId)
    const changed = await file.send(0, undefined, Buffer.concat([small, Buffer.from('more')]))
    expect(changed.body.uploadId).not.toBe(one.body.uploadId)
    harness.clock.advance(HOUR_MS)
    expect((await file.send(0)).body.uploadId).not.toBe(one.body.uploadId)
  })

  it('goes on in another session by its id, and by its name only in its own', async () => {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0)).body
    const token = await buildSession(harness, creator.id)
    const elsewhere = chunkedFile(harness, { token }, picture, file.name)
    expect((await elsewhere.send(1, uploadId)).body).toMatchObject({ uploadId, chunks: [0, 1] })
    const another = (await elsewhere.send(1)).body
    expect(another.uploadId).not.toBe(uploadId)
    expect(await countedChunks(harness, uploadId)).toEqual([0, 1])
    expect(await countedChunks(harness, another.uploadId)).toEqual([1])
  })
})

describe('one that is given up', () => {
  it('by its owner loses its chunks', async () => {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0)).body
    expect(isStored(harness, `uploads/${uploadId}.chunks/0`)).toBe(true)
    await harness.api.as(creator).call(routes.cancelUpload, { body: { uploadId } })
    await harness.runJobs()
    expect(isStored(harness, `uploads/${uploadId}.chunks`)).toBe(false)
    expect(await file.send(1, uploadId)).toMatchObject({ status: 404, body: { code: 'upload_not_found' } })
    expect(isStored(harness, `uploads/${uploadId}.chunks`)).toBe(false)
  })

  it('while a chunk comes in keeps nothing of it', async () => {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0)).body
    const { storage } = harness.context
    harness.context.storage = {
      ...storage,
      put: async (...given) => {
        const put = await storage.put(...given)
        await harness.api.as(creator).call(routes.cancelUpload, { body: { uploadId } })
        await harness.runJobs()
        await storage.put(given[0], Readable.from(['late']), { maxBytes: 100 })
        return put
      },
    }
    try {
      expect(await file.send(1, uploadId)).toMatchObject({ status: 404 })
    } finally {
      harness.context.storage = storage
    }
    expect(isStored(harness, `uploads/${uploadId}.chunks/1`)).toBe(false)
  })

  it('by everybody is swept a week after its newest chunk', async () => {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0)).body
    const sweep = async () => {
      await harness.server.jobs['media.sweep']({}, { attempt: 1, lastAttempt: false })
      await harness.runJobs()
    }
    harness.clock.advance(6 * 24 * HOUR_MS)
    await file.send(1, uploadId)
    harness.clock.advance(6 * 24 * HOUR_MS)
    await sweep()
    expect((await file.send(2, uploadId)).body.chunks).toEqual([0, 1, 2])
    harness.clock.advance(7 * 24 * HOUR_MS + 1000)
    await sweep()
    expect(await uploadsNamed(harness, file.name)).toEqual([])
    expect(isStored(harness, `uploads/${uploadId}.chunks`)).toBe(false)
  })
})
