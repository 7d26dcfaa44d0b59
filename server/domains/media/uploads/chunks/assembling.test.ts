import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHUNK_BYTES } from '../../../../../contract/constants.ts'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../../testing/builders.ts'
import { chunkedFile, freshFileName, heavyPicture, isStored } from '../../../../testing/chunks.ts'
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

describe('putting together', () => {
  const run = (uploadId: string) =>
    harness.server.jobs['media.process']({ uploadId }, { attempt: 1, lastAttempt: false })

  async function complete(): Promise<string> {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0)).body
    for (const number of [1, 2, 3]) await file.send(number, uploadId)
    return uploadId
  }

  it('goes on after a crash at every step', async () => {
    for (const crash of ['put', 'removeAll', 'localPath'] as const) {
      const uploadId = await complete()
      const { storage } = harness.context
      let crashed = false
      harness.context.storage = {
        ...storage,
        async [crash](...given: unknown[]) {
          const done = await (storage[crash] as (...all: unknown[]) => Promise<unknown>)(...given)
          if (crashed || !String(given[0]).startsWith('uploads/')) return done
          crashed = true
          throw new Error('the power went')
        },
      }
      try {
        await run(uploadId)
        expect([crash, crashed]).toEqual([crash, true])
      } finally {
        harness.context.storage = storage
      }
      harness.clock.advance(600_000)
      await run(uploadId)
      const row = await harness.context.db
        .selectFrom('uploads')
        .selectAll()
        .where('id', '=', uploadId)
        .executeTakeFirst()
      expect([crash, row?.status, row?.sha256]).toEqual([crash, 'ready', shaOf(picture)])
      expect(isStored(harness, `uploads/${uploadId}.chunks`)).toBe(false)
    }
  })

  it('what a disk that isn’t mounted doesn’t give is asked for again', async () => {
    for (const call of ['read', 'localPath'] as const) {
      const uploadId = await complete()
      const { storage } = harness.context
      harness.context.storage = { ...storage, [call]: async () => null }
      try {
        await run(uploadId)
      } finally {
        harness.context.storage = storage
      }
      const { items } = await harness.api
        .as(creator)
        .call(routes.uploads, { query: { uploadIds: [uploadId] } })
      expect([call, items]).toMatchObject([call, [{ status: 'processing', code: null }]])
      harness.clock.advance(600_000)
      await run(uploadId)
      const { sha256 } = await harness.context.db
        .selectFrom('media')
        .select('sha256')
        .where('id', '=', uploadId)
        .executeTakeFirstOrThrow()
      expect([call, sha256]).toEqual([call, shaOf(picture)])
    }
  })

  it('a chunk that the store lost fails the upload with a sentence', async () => {
    const uploadId = await complete()
    await harness.context.storage.remove(`uploads/${uploadId}.chunks/2`)
    for (let attempt = 1; attempt <= 6; attempt++) {
      await run(uploadId)
      harness.clock.advance(600_000)
    }
    const { items } = await harness.api.as(creator).call(routes.uploads, { query: { uploadIds: [uploadId] } })
    expect(items).toMatchObject([{ status: 'failed', code: 'media_not_prepared', mediaId: null }])
    expect(isStored(harness, `uploads/${uploadId}.chunks`)).toBe(false)
    await harness.runJobs()
  })

  it('needs no more memory for 200 MiB than for a piece of it', async () => {
    const total = 200
    const { db, clock, storage } = harness.context
    const now = clock.now()
    const { id } = await db
      .insertInto('uploads')
      .values({
        owner_id: creator.id,
        file_name: freshFileName(),
        status: 'processing',
        kind: 'chunked',
        total_chunks: total,
        created_at: now,
        updated_at: now,
        expires_at: new Date(now.getTime() + HOUR_MS),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const chunk = Buffer.alloc(CHUNK_BYTES, 'x')
    const numbers = Array.from({ length: total }, (_, number) => number)
    for (const number of numbers)
      await storage.put(`uploads/${id}.chunks/${number}`, Readable.from([chunk]), { maxBytes: CHUNK_BYTES })
    await db
      .insertInto('upload_chunks')
      .values(numbers.map((number) => ({ upload_id: id, number, bytes: CHUNK_BYTES })))
      .execute()
    // Released buffers must not count, however busy the machine is.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const held = () => {
      collect()
      return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    }
    const before = held()
    let most = 0
    let reads = 0
    harness.context.storage = {
      ...storage,
      read: (...given) => {
        if (reads++ % 10 === 0) most = Math.max(most, held())
        return storage.read(...given)
      },
    }
    try {
      await run(id)
    } finally {
      harness.context.storage = storage
    }
    expect((most - before) / CHUNK_BYTES).toBeLessThan(64)
    const row = await db
      .selectFrom('uploads')
      .select(['bytes', 'sha256'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ bytes: total * CHUNK_BYTES, sha256: shaOf(Buffer.alloc(total * CHUNK_BYTES, 'x')) })
  })
})
