import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHUNK_BYTES } from '../../../../contract/constants.ts'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildSession, type Person } from '../../../testing/builders.ts'
import { freshFileName, sendChunk, uploadsNamed } from '../../../testing/chunks.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

/** Settings for tests: files of at most two chunks, and room for four of them. */
const MAX_FILE_BYTES = 2 * CHUNK_BYTES
let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    environment: { MAX_FILE_BYTES: String(MAX_FILE_BYTES), MAX_LIBRARY_BYTES: '2500' },
  })
})
afterAll(() => harness?.stop())

async function start(person: Person): Promise<{ address: string; uploadId: string }> {
  const answer = await harness.api.as(person).call(routes.startUpload, { body: { fileNames: ['video.mp4'] } })
  return { address: answer.signedUrls[0] ?? '', uploadId: answer.destFileNames[0] ?? '' }
}

/** Sends the first bytes of a file of this size to an upload of its own. */
async function beginRange(person: Person, total = MAX_FILE_BYTES) {
  const { address, uploadId } = await start(person)
  const response = await fetch(`${harness.origin}${address}`, {
    method: 'PUT',
    headers: { 'content-range': `bytes 0-9/${total}` },
    body: new Uint8Array(10),
  })
  return { status: response.status, uploadId, ...((await response.json()) as { code?: string }) }
}

async function sendWhole(person: Person, bytes = MAX_FILE_BYTES) {
  const { address, uploadId } = await start(person)
  const body = new Uint8Array(bytes)
  const response = await fetch(`${harness.origin}${address}`, { method: 'PUT', body })
  return { status: response.status, uploadId, ...((await response.json()) as { code?: string }) }
}

const beginChunks = async (person: Person, name = freshFileName()) => {
  const first = { name, chunk_number: 0, total_chunks: 2 }
  return { name, ...(await sendChunk(harness, person, first, Buffer.alloc(CHUNK_BYTES))) }
}

const FULL = { status: 409, code: 'unfinished_too_large' }

async function fill(person: Person): Promise<string[]> {
  const started = [await beginRange(person), await beginRange(person), await sendWhole(person)]
  const chunked = await beginChunks(person)
  expect([...started.map(({ status }) => status), chunked.status]).toEqual([308, 308, 200, 200])
  return [...started.map(({ uploadId }) => uploadId), chunked.body.uploadId]
}

describe('who holds as much as there is room for', () => {
  it('begins nothing more in either way, and goes on with what was started', async () => {
    const person = await buildCreator(harness)
    const [first = ''] = await fill(person)
    const refused = [await beginRange(person, 10), await sendWhole(person, 1)]
    expect(refused).toMatchObject([FULL, FULL])
    for (const { uploadId } of refused)
      expect(await harness.context.storage.size(`uploads/${uploadId}.whole/1`)).toBeNull()
    const chunked = await beginChunks(person)
    expect(chunked).toMatchObject({ status: 409, body: { code: FULL.code } })
    expect(await uploadsNamed(harness, chunked.name)).toEqual([])
    const params = { uploadId: first }
    const { signedUrl } = await harness.api.as(person).call(routes.uploadAddress, { params })
    const next = await fetch(`${harness.origin}${signedUrl}`, {
      method: 'PUT',
      headers: { 'content-range': `bytes 10-19/${MAX_FILE_BYTES}` },
      body: new Uint8Array(10),
    })
    expect([next.status, next.headers.get('range')]).toEqual([308, 'bytes=0-19'])
  })

  it('has room again once one is given up, refused or prepared, and takes none from others', async () => {
    const person = await buildCreator(harness)
    const [first = '', , third = ''] = await fill(person)
    expect(await beginRange(await buildCreator(harness))).toMatchObject({ status: 308 })
    await harness.api.as(person).call(routes.cancelUpload, { body: { uploadId: first } })
    expect(await beginRange(person)).toMatchObject({ status: 308 })
    await harness.api.as(person).call(routes.makePublic, { body: { destFileNames: [third] } })
    expect(await beginRange(person)).toMatchObject(FULL)
    await harness.runJobs()
    expect(await beginRange(person)).toMatchObject({ status: 308 })
  })

  it('holds of a whole file what arrived, however often it is sent', async () => {
    const person = await buildCreator(harness)
    const { address } = await start(person)
    for (const size of [MAX_FILE_BYTES, MAX_FILE_BYTES, 10])
      expect(
        (await fetch(`${harness.origin}${address}`, { method: 'PUT', body: new Uint8Array(size) })).status,
      ).toBe(200)
    for (let file = 0; file < 3; file++) expect(await beginRange(person)).toMatchObject({ status: 308 })
    expect(await beginRange(person)).toMatchObject(FULL)
    expect(await beginRange(person, MAX_FILE_BYTES - 10)).toMatchObject({ status: 308 })
  })
})

it('of a whole file that is sent several times at once the last one alone takes up room', async () => {
  const { address, uploadId } = await start(await buildCreator(harness))
  const incoming = join(harness.context.config.DATA_DIR, 'media', '.incoming')
  const unfinished = async () => (await readdir(incoming)).length
  const hang = async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1000)) })
    const request = { method: 'PUT', body, duplex: 'half' }
    const response = await fetch(`${harness.origin}${address}`, request)
    return { status: response.status, ...((await response.json()) as { code?: string }) }
  }
  const before = await unfinished()
  const first = hang()
  await expect.poll(unfinished).toBe(before + 1)
  const second = hang()
  expect(await first).toMatchObject({ status: 409, code: 'upload_already_used' })
  const third = await fetch(`${harness.origin}${address}`, { method: 'PUT', body: new Uint8Array(10) })
  expect(third.status).toBe(200)
  expect(await second).toMatchObject({ status: 409, code: 'upload_already_used' })
  await expect.poll(unfinished).toBe(before)
  expect(await harness.context.storage.size(`uploads/${uploadId}.whole/3`)).toBe(10)
})

it('of a whole file that two processes take in at once the one that began last is the file, whichever ends last', async () => {
  const { DATA_DIR } = harness.context.config
  const other = await startHarness({ beside: harness, environment: { DATA_DIR } })
  try {
    const person = await buildCreator(harness)
    const { address, uploadId } = await start(person)
    const begin = (origin: string, bytes: Buffer) => {
      const line = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes.subarray(0, 10))
          line.resolve(controller)
        },
      })
      const request = { method: 'PUT', body, duplex: 'half' }
      const answer = fetch(`${origin}${address}`, request)
      return {
        status: answer.then((response) => response.status),
        async ends() {
          const controller = await line.promise
          controller.enqueue(bytes.subarray(10))
          controller.close()
        },
      }
    }
    const { db } = harness.context
    const sendings = () => db.selectFrom('uploads').select('sendings').where('id', '=', uploadId).execute()
    const startUploads = (count: number) => expect.poll(sendings).toEqual([{ sendings: count }])
    const picture = (background: string) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .jpeg()
        .toBuffer()
    const [older, newer] = [await picture('red'), await picture('blue')]
    const first = begin(harness.origin, older)
    await startUploads(1)
    const second = begin(other.origin, newer)
    await startUploads(2)
    await second.ends()
    expect(await second.status).toBe(200)
    await first.ends()
    expect(await first.status).toBe(409)
    const { storage } = harness.context
    const row = await db.selectFrom('uploads').selectAll().where('id', '=', uploadId).executeTakeFirst()
    expect(row).toMatchObject({
      bytes: newer.length,
      sha256: createHash('sha256').update(newer).digest('hex'),
    })
    const stored = [1, 2].map((sending) => storage.size(`uploads/${uploadId}.whole/${sending}`))
    expect(await Promise.all(stored)).toEqual([null, newer.length])

    await harness.api.as(person).call(routes.makePublic, { body: { destFileNames: [uploadId] } })
    await harness.runJobs()
    const { items } = await harness.api.as(person).call(routes.uploads, { query: { uploadIds: [uploadId] } })
    expect(items).toMatchObject([{ status: 'ready' }])
    expect(await storage.size(`uploads/${uploadId}.whole/2`)).toBeNull()
  } finally {
    await other.stop()
  }
})

it('of many who begin at the same moment exactly as many as there is room for do', async () => {
  const person = await buildCreator(harness)
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => beginRange(person)),
    ...Array.from({ length: 4 }, () => sendWhole(person)),
    ...Array.from({ length: 4 }, async () => (await beginChunks(person)).status).map(async (status) => ({
      status: await status,
    })),
  ])
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(8)
  expect(answers.filter(({ status }) => status === 200 || status === 308)).toHaveLength(4)
})

describe('whose library is full', () => {
  const picture = sharp({ create: { width: 640, height: 480, channels: 3, background: '#c65' } })
    .png()
    .toBuffer()
  /** Sends a picture, of which some 1,500 bytes are kept; prepared it is once `finish` is called. */
  async function send(person: Person) {
    const { address, uploadId } = await start(person)
    await fetch(`${harness.origin}${address}`, { method: 'PUT', body: new Uint8Array(await picture) })
    return {
      uploadId,
      async finish() {
        const api = harness.api.as(person)
        await api.call(routes.makePublic, { body: { destFileNames: [uploadId] } })
        await harness.runJobs()
        expect(await api.call(routes.media, { params: { mediaId: uploadId } })).toMatchObject({ owned: true })
      },
    }
  }
  const remove = (person: Person, ...uploads: { uploadId: string }[]) =>
    harness.api.as(person).call(routes.bulkDeleteMedia, {
      body: { mediaIds: uploads.map(({ uploadId }) => uploadId) },
    })

  it('starts no upload in either way and loses nothing; deleting makes room', async () => {
    const person = await buildCreator(harness)
    const [one, two, three] = [await send(person), await send(person), await send(person)]
    await one.finish()
    await two.finish()
    const full = {
      status: 409,
      code: 'library_full',
      message: expect.stringContaining('Your library is full.'),
    }
    await expect(start(person)).rejects.toMatchObject(full)
    await expect(
      harness.api
        .as(person)
        .call(routes.replaceFile, { body: { mediaId: one.uploadId, fileName: 'other.png' } }),
    ).rejects.toMatchObject(full)
    expect(await beginChunks(person)).toMatchObject({ status: 409, body: { code: 'library_full' } })
    // An upload that started earlier may finish.
    await three.finish()
    await remove(person, one, two, three)
    expect((await start(person)).uploadId).not.toBe('')
  })

  it('can’t fill the disk by deleting: what is kept of deleted files counts until it goes', async () => {
    const person = await buildCreator(harness)
    for (let round = 0; round < 2; round += 1) {
      const [one, two] = [await send(person), await send(person)]
      await one.finish()
      await two.finish()
      await remove(person, one, two)
    }
    await expect(start(person)).rejects.toMatchObject({ status: 409, code: 'kept_files_full' })
    expect(await beginChunks(person)).toMatchObject({ status: 409, body: { code: 'kept_files_full' } })
    harness.clock.advance(31 * 24 * 3600 * 1000)
    await harness.server.jobs['media.purge']({}, { attempt: 1, lastAttempt: false })
    const later = { ...person, token: await buildSession(harness, person.id) }
    expect((await start(later)).uploadId).not.toBe('')
  })
})
