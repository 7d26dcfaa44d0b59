import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../../../contract/index.ts'
import { buildCreator, buildFan, type Person } from '../../../../../testing/builders.ts'
import { heavyPicture, isStored } from '../../../../../testing/chunks.ts'
import { type Harness, startHarness } from '../../../../../testing/harness.ts'
import { startS3Server } from '../../../../../testing/s3-server.ts'
import { PART_BYTES } from '../rules.ts'

const MIB = 1024 * 1024
const HOUR_MS = 3600 * 1000
const MAX_FILE_BYTES = 20 * MIB
let harness: Harness
let creator: Person
let video: Buffer

beforeAll(async () => {
  const environment = { MAX_FILE_BYTES: String(MAX_FILE_BYTES), MAX_UNFINISHED_BYTES: String(1e9) }
  harness = await startHarness({ environment })
  creator = await buildCreator(harness)
  // A picture with something behind its end, of one part and a half.
  video = Buffer.concat([await heavyPicture(), randomBytes(7 * MIB)]).subarray(0, 10 * MIB)
})
afterAll(() => harness?.stop())

const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

type Started = { address: string; uploadId: string }

async function start(person = creator, on = harness): Promise<Started> {
  const answer = await on.api.as(person).call(routes.startUpload, { body: { fileNames: ['video.mp4'] } })
  return { address: answer.signedUrls[0] ?? '', uploadId: answer.destFileNames[0] ?? '' }
}

type Answer = { status: number; arrived: string | null; code: string | undefined }

/** Puts bytes, or asks for the offset when there are none; only the signed address says who sends them. */
async function put(address: string, contentRange: string, bytes?: Buffer, on = harness): Promise<Answer> {
  const response = await fetch(`${on.origin}${address}`, {
    method: 'PUT',
    headers: { 'content-range': contentRange },
    ...(bytes ? { body: new Uint8Array(bytes) } : {}),
  })
  const { code } = (await response.json()) as { code?: string }
  return { status: response.status, arrived: response.headers.get('range'), code }
}

const ask = (address: string, on = harness) => put(address, `bytes */${video.length}`, undefined, on)

/** Sends the bytes of the video from one offset up to another. */
const send = (address: string, from: number, to: number, on = harness) =>
  put(address, `bytes ${from}-${to - 1}/${video.length}`, video.subarray(from, to), on)

/** Begins to send all bytes of the video from an offset on; what is answered collects in `received`. */
function begin({ address }: Started, from: number, on = harness) {
  const { hostname, port } = new URL(on.origin)
  const socket = connect(Number(port), hostname)
  const line = { socket, received: '' }
  socket.on('error', () => {})
  socket.on('data', (data: Buffer) => {
    line.received += data
  })
  const { length } = video
  socket.write(
    `PUT ${address} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length - from}\r\ncontent-range: bytes ${from}-${length - 1}/${length}\r\n\r\n`,
  )
  return line
}

const untilArrived = (address: string, bytes: number, on = harness) =>
  expect.poll(async () => (await ask(address, on)).arrived).toBe(`bytes=0-${bytes - 1}`)

/** Sends the bytes of the video from one offset on and breaks off at another, once all of them reached the disk. */
async function breakOff(upload: Started, from: number, to: number): Promise<void> {
  const { socket } = begin(upload, from)
  socket.write(video.subarray(from, to))
  const incoming = join(harness.context.config.DATA_DIR, 'media', '.incoming')
  const sizes = async () => {
    const names = await readdir(incoming)
    return Promise.all(names.map(async (name) => (await stat(join(incoming, name))).size))
  }
  await expect.poll(sizes).toEqual([(to - from) % PART_BYTES])
  socket.destroy()
  await untilArrived(upload.address, to)
}

const rowOf = (uploadId: string, on = harness) =>
  on.context.db.selectFrom('uploads').selectAll().where('id', '=', uploadId).executeTakeFirst()

async function finish({ uploadId }: Started, person = creator, on = harness): Promise<void> {
  await on.api.as(person).call(routes.makePublic, { body: { destFileNames: [uploadId] } })
  await on.runJobs()
}

describe('a file that breaks off', () => {
  it('goes on where it was, as often as it takes, and every byte counts once', async () => {
    const upload = await start()
    expect(await ask(upload.address)).toEqual({ status: 308, arrived: null, code: undefined })
    await breakOff(upload, 0, 100)
    await breakOff(upload, 100, 9 * MIB)
    expect(await send(upload.address, 9 * MIB, 9 * MIB + 7)).toMatchObject({
      status: 308,
      arrived: `bytes=0-${9 * MIB + 6}`,
    })
    const uploadIds = [upload.uploadId]
    const { items } = await harness.api.as(creator).call(routes.uploads, { query: { uploadIds } })
    expect(items).toMatchObject([
      { status: 'awaiting', arrivedBytes: 9 * MIB + 7, totalBytes: video.length, totalChunks: null },
    ])
    expect(await send(upload.address, 9 * MIB + 7, video.length)).toMatchObject({
      status: 200,
      arrived: null,
    })
    expect(await ask(upload.address)).toMatchObject({ status: 200 })
    await finish(upload)
    expect(await rowOf(upload.uploadId)).toMatchObject({ bytes: video.length, sha256: shaOf(video) })
    const item = await harness.api.as(creator).call(routes.media, { params: { mediaId: upload.uploadId } })
    expect(item).toMatchObject({ width: 60, height: 40 })
    expect(['', '.chunks'].map((ending) => isStored(harness, `uploads/${upload.uploadId}${ending}`))).toEqual(
      [false, false],
    )
  })

  it('goes on at a fresh address once the first is over, and is swept a week after its newest byte', async () => {
    const upload = await start()
    await send(upload.address, 0, 1000)
    harness.clock.advance(6 * 24 * HOUR_MS)
    await harness.server.jobs['media.sweep']({}, { attempt: 1, lastAttempt: false })
    expect(await send(upload.address, 1000, 2000)).toMatchObject({ status: 403, code: 'link_expired' })
    const params = { uploadId: upload.uploadId }
    const { signedUrl } = await harness.api.as(creator).call(routes.uploadAddress, { params })
    expect(await ask(signedUrl)).toMatchObject({ status: 308, arrived: 'bytes=0-999' })
    expect(await send(signedUrl, 1000, 2000)).toMatchObject({ status: 308, arrived: 'bytes=0-1999' })
    harness.clock.advance(7 * 24 * HOUR_MS + 1000)
    await harness.server.jobs['media.sweep']({}, { attempt: 1, lastAttempt: false })
    await harness.runJobs()
    expect(await rowOf(upload.uploadId)).toBeUndefined()
    expect(isStored(harness, `uploads/${upload.uploadId}.chunks`)).toBe(false)
  })

  it('has a fresh address for its owner alone, and only while bytes may come', async () => {
    const upload = await start()
    const addressFor = (person: Person) =>
      harness.api.as(person).call(routes.uploadAddress, { params: { uploadId: upload.uploadId } })
    const stranger = await buildFan(harness)
    await expect(addressFor(stranger)).rejects.toMatchObject({ status: 404, code: 'upload_not_found' })
    await put(upload.address, 'bytes 0-4/5', Buffer.from('bytes'))
    expect((await addressFor(creator)).signedUrl).toContain(upload.uploadId)
    await finish(upload)
    await expect(addressFor(creator)).rejects.toMatchObject({ status: 409, code: 'upload_already_used' })
  })

  it('goes on in a bucket too', async () => {
    const folder = join(harness.context.config.DATA_DIR, 'bucket')
    const bucket = await startS3Server(folder)
    const { account } = bucket
    const other = await startHarness({
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
    try {
      const person = await buildCreator(other)
      const upload = await start(person, other)
      const { socket } = begin(upload, 0, other)
      socket.write(video.subarray(0, 9 * MIB))
      await untilArrived(upload.address, PART_BYTES, other)
      expect(await send(upload.address, PART_BYTES, video.length, other)).toMatchObject({ status: 200 })
      socket.destroy()
      await finish(upload, person, other)
      expect(await rowOf(upload.uploadId, other)).toMatchObject({ bytes: video.length, sha256: shaOf(video) })
      expect(existsSync(join(folder, account.bucket, 'uploads', `${upload.uploadId}.chunks`))).toBe(false)
    } finally {
      await other.stop()
      await bucket.close()
    }
  })
})

describe('a range that is refused changes nothing', () => {
  const TOO_LARGE = MAX_FILE_BYTES + 1
  it.each<[what: string, contentRange: string, size: number, status: number, code: string]>([
    ['that leaves a gap', 'bytes 1001-1100/10485760', 100, 409, 'upload_offset_wrong'],
    ['that begins anew', 'bytes 0-99/10485760', 100, 409, 'upload_offset_wrong'],
    ['that overlaps', 'bytes 999-1098/10485760', 100, 409, 'upload_offset_wrong'],
    ['of a file of another size', 'bytes 1000-1099/5000', 100, 409, 'upload_size_differs'],
    ['of a file too large', `bytes 1000-1099/${TOO_LARGE}`, 100, 413, 'upload_too_large'],
    ['longer than its file', 'bytes 1000-10485760/10485760', 100, 400, 'content_range_invalid'],
    ['backwards', 'bytes 1000-999/10485760', 0, 400, 'content_range_invalid'],
    ['with fewer bytes than it says', 'bytes 1000-1099/10485760', 99, 400, 'content_range_invalid'],
    ['with more bytes than it says', 'bytes 1000-1099/10485760', 101, 400, 'content_range_invalid'],
    ['of no size', 'bytes 1000-1099/*', 100, 400, 'content_range_invalid'],
    ['in other units', 'lines 1000-1099/10485760', 100, 400, 'content_range_invalid'],
    ['that asks and sends', 'bytes */10485760', 100, 400, 'content_range_invalid'],
    ['that asks for another size', 'bytes */5000', 0, 409, 'upload_size_differs'],
  ])('%s', async (_, contentRange, size, status, code) => {
    const upload = await start()
    await send(upload.address, 0, 1000)
    const body = size > 0 ? Buffer.alloc(size) : undefined
    expect(await put(upload.address, contentRange, body)).toMatchObject({ status, code })
    expect(await ask(upload.address)).toMatchObject({ status: 308, arrived: 'bytes=0-999' })
    expect(await send(upload.address, 1000, 2000)).toMatchObject({ arrived: 'bytes=0-1999' })
  })

  it('whose body announces no length and goes on after its end, but what belongs to it', async () => {
    const { address, uploadId } = await start()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
    })
    const response = await fetch(`${harness.origin}${address}`, {
      method: 'PUT',
      headers: { 'content-range': `bytes 0-999999/${video.length}` },
      body: endless,
      ...({ duplex: 'half' } as object),
    })
    expect(await response.json()).toMatchObject({ code: 'content_range_invalid' })
    expect(await rowOf(uploadId)).toMatchObject({ status: 'awaiting', bytes: null })
    expect((await ask(address)).arrived).toBe('bytes=0-999999')
  })

  it('and so does a whole file where a part is there already, and a range where the whole is', async () => {
    const [parts, whole] = [await start(), await start()]
    await send(parts.address, 0, 1000)
    const sent = (address: string) => fetch(`${harness.origin}${address}`, { method: 'PUT', body: 'whole' })
    expect(await (await sent(parts.address)).json()).toMatchObject({ code: 'upload_offset_wrong' })
    expect((await ask(parts.address)).arrived).toBe('bytes=0-999')
    expect((await sent(whole.address)).status).toBe(200)
    expect(await send(whole.address, 0, 1000)).toMatchObject({ status: 409, code: 'upload_already_used' })
    expect(await rowOf(whole.uploadId)).toMatchObject({ status: 'received', bytes: 5 })
  })

  it('because the upload is given up while it comes in', async () => {
    const upload = await start()
    const { storage } = harness.context
    harness.context.storage = {
      ...storage,
      put: async (...given) => {
        const stored = await storage.put(...given)
        await harness.api.as(creator).call(routes.cancelUpload, { body: { uploadId: upload.uploadId } })
        return stored
      },
    }
    try {
      expect(await send(upload.address, 0, 1000)).toMatchObject({ status: 404, code: 'upload_not_found' })
    } finally {
      harness.context.storage = storage
    }
    expect(isStored(harness, `uploads/${upload.uploadId}.chunks/1`)).toBe(false)
    expect(await ask(upload.address)).toMatchObject({ status: 404 })
  })

  it('once a file came in more pieces than any line breaks it into', async () => {
    const upload = await start()
    await harness.context.db
      .updateTable('uploads')
      .set({ parts_begun: 4000 })
      .where('id', '=', upload.uploadId)
      .execute()
    expect(await send(upload.address, 0, 1000)).toMatchObject({ status: 409, code: 'upload_in_pieces' })
    expect(isStored(harness, `uploads/${upload.uploadId}.chunks/4001`)).toBe(false)
    expect((await ask(upload.address)).arrived).toBeNull()
  })
})

it('of four who send the same range at once one goes on, and no byte of another is kept', async () => {
  const versions = Array.from({ length: 4 }, (_, index) => Buffer.alloc(video.length, index))
  const upload = await start()
  const answers = await Promise.all(
    versions.map((bytes) => put(upload.address, `bytes 0-${bytes.length - 1}/${bytes.length}`, bytes)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, code } of answers.filter((answer) => answer.status !== 200))
    expect([status, ['upload_offset_wrong', 'upload_already_used'].includes(code ?? '')]).toEqual([409, true])
  await finish(upload)
  const row = await rowOf(upload.uploadId)
  expect(row?.bytes).toBe(video.length)
  expect(versions.map(shaOf)).toContain(row?.sha256)
  expect(isStored(harness, `uploads/${upload.uploadId}.chunks`)).toBe(false)
})

it('who takes over from a line that hangs ends it at its next part', async () => {
  const upload = await start()
  const hanging = begin(upload, 0)
  hanging.socket.write(video.subarray(0, 9 * MIB))
  await untilArrived(upload.address, PART_BYTES)
  expect(await send(upload.address, PART_BYTES, video.length)).toMatchObject({ status: 200 })
  hanging.socket.write(Buffer.alloc(video.length - 9 * MIB))
  await expect.poll(() => hanging.received).toContain('upload_already_used')
  expect(hanging.received).toMatch(/^HTTP\/1\.1 409 /)
  hanging.socket.destroy()
  await finish(upload)
  expect(await rowOf(upload.uploadId)).toMatchObject({ bytes: video.length, sha256: shaOf(video) })
})
