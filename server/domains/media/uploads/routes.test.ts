import { access, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

const MAX_FILE_BYTES = 300_000
const HOUR_MS = 3600 * 1000
/** How long a busy machine may take. */
const PATIENCE_MS = 150_000

let harness: Harness
let creator: Person

beforeAll(async () => {
  harness = await startHarness({ environment: { MAX_FILE_BYTES: String(MAX_FILE_BYTES) } })
  creator = await buildCreator(harness)
})
afterAll(() => harness?.stop())

/** One upload of a person: where its bytes go, and its id. */
async function start(person: Person, fileName = 'photo.jpg'): Promise<{ address: string; uploadId: string }> {
  const answer = await harness.api.as(person).call(routes.startUpload, { body: { fileNames: [fileName] } })
  const [address = '', uploadId = ''] = [answer.signedUrls[0], answer.destFileNames[0]]
  return { address, uploadId }
}

type Sent = { status: number; body: { code?: string } }

/** Sends bytes to the address, with neither session nor cookie. */
async function put(address: string, body: BodyInit): Promise<Sent> {
  const response = await fetch(`${harness.origin}${address}`, {
    method: 'PUT',
    body,
    ...({ duplex: 'half' } as object),
  })
  return { status: response.status, body: (await response.json()) as Sent['body'] }
}

const storedUpload = (uploadId: string) =>
  harness.context.db.selectFrom('uploads').selectAll().where('id', '=', uploadId).executeTakeFirst()

/** Of the whole file that was started last. */
const bytesStored = async (uploadId: string) =>
  harness.context.storage.size(`uploads/${uploadId}.whole/${(await storedUpload(uploadId))?.sendings ?? 1}`)

async function expectNothingArrived(uploadId: string): Promise<void> {
  expect(await storedUpload(uploadId)).toMatchObject({ status: 'awaiting', bytes: null, sha256: null })
  expect(await bytesStored(uploadId)).toBeNull()
}

describe('starting uploads', () => {
  it('gives an address, an id and a stable handle for every file', async () => {
    const fileNames = ['one.jpg', 'two.mp4', 'one.jpg']
    const answer = await harness.api
      .as(creator)
      .call(routes.startUpload, { body: { creatorId: creator.id, fileNames } })
    expect(new Set(answer.destFileNames).size).toBe(3)
    expect(answer.finalUrls).toEqual(answer.destFileNames.map((id) => `/media/${id}`))
    expect(answer.signedUrls.every((url) => url.startsWith('/api/media/upload/'))).toBe(true)
    const { items } = await harness.api
      .as(creator)
      .call(routes.uploads, { query: { uploadIds: answer.destFileNames } })
    expect(items.map((item) => [item.fileName, item.status])).toEqual(
      fileNames.map((name) => [name, 'awaiting']),
    )
  })

  it('is refused when somebody leaves hundreds unfinished', async () => {
    const hoarder = await buildFan(harness)
    const fileNames = Array.from({ length: 100 }, () => 'x.jpg')
    const api = harness.api.as(hoarder)
    for (let call = 0; call < 5; call++) await api.call(routes.startUpload, { body: { fileNames } })
    const one = api.call(routes.startUpload, { body: { fileNames: ['x.jpg'] } })
    await expect(one).rejects.toMatchObject({ status: 409, code: 'too_many_uploads' })
  })
})

describe('sending bytes', () => {
  it('needs only the address, and may be repeated until the upload is used', async () => {
    const { address, uploadId } = await start(creator)
    expect(await put(address, 'first')).toEqual({ status: 200, body: { success: true } })
    expect(await put(address, 'second one')).toMatchObject({ status: 200 })
    expect(await storedUpload(uploadId)).toMatchObject({ status: 'received', bytes: 10 })
    expect(await bytesStored(uploadId)).toBe(10)
    await harness.api.as(creator).call(routes.makePublic, { body: { destFileNames: [uploadId] } })
    expect(await put(address, 'too late')).toMatchObject({
      status: 409,
      body: { code: 'upload_already_used' },
    })
    expect(await bytesStored(uploadId)).toBe(10)
  })

  it('to an address that is forged, changed or over is refused', async () => {
    const { address, uploadId } = await start(creator)
    const other = await start(creator)
    const [, expires = ''] = /expires=(\d+)/.exec(address) ?? []
    for (const wrong of [
      address.replace(uploadId, other.uploadId),
      address.replace(`expires=${expires}`, `expires=${Number(expires) + 3600}`),
      address.replace(/.{2}$/, (end) => (end === 'AA' ? 'BB' : 'AA')),
      address.replace(/signature=.*/, 'signature='),
    ]) {
      expect(await put(wrong, 'bytes')).toMatchObject({ status: 403, body: { code: 'link_expired' } })
    }
    harness.clock.advance(HOUR_MS)
    expect(await put(address, 'bytes')).toMatchObject({ status: 403, body: { code: 'link_expired' } })
    await expectNothingArrived(uploadId)
    await expectNothingArrived(other.uploadId)
  })

  it('of more than the largest file is refused, whether it is announced or not', async () => {
    const { address, uploadId } = await start(creator)
    const tooLarge = { status: 413, body: { code: 'upload_too_large' } }
    expect(await put(address, Buffer.alloc(MAX_FILE_BYTES + 1))).toMatchObject(tooLarge)
    let left = 20
    const unannounced = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(MAX_FILE_BYTES / 10))
        else controller.close()
      },
    })
    expect(await put(address, unannounced)).toMatchObject(tooLarge)
    await expectNothingArrived(uploadId)
    expect(await put(address, Buffer.alloc(MAX_FILE_BYTES))).toMatchObject({ status: 200 })
  })

  it('without end is answered and then cut off', async () => {
    const { address, uploadId } = await start(creator)
    const { hostname, port } = new URL(harness.origin)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (data: Buffer) => {
      received += data
    })
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(`PUT ${address} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`)
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')])
    const flood = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', flood)
    flood()
    await closed
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(received).toContain('"code":"upload_too_large"')
    await expectNothingArrived(uploadId)
  })

  it('of too much still leaves the connection good for the next request', async () => {
    const { address, uploadId } = await start(creator)
    const { hostname, port } = new URL(harness.origin)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (data: Buffer) => {
      received += data
    })
    const length = MAX_FILE_BYTES * 3
    socket.write(`PUT ${address} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`)
    socket.write(Buffer.alloc(length))
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await vi.waitFor(
      () => expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']),
      PATIENCE_MS,
    )
    socket.destroy()
    await expectNothingArrived(uploadId)
  })

  it('that breaks off leaves nothing', async () => {
    const { address, uploadId } = await start(creator)
    const { hostname, port } = new URL(harness.origin)
    const incoming = join(harness.context.config.DATA_DIR, 'media', '.incoming')
    const before = await readdir(incoming)
    const started = async () => (await readdir(incoming)).length > before.length
    for (const framing of ['content-length: 1000\r\n\r\n', 'transfer-encoding: chunked\r\n\r\na\r\n']) {
      const socket = connect(Number(port), hostname)
      socket.write(`PUT ${address} HTTP/1.1\r\nhost: x\r\n${framing}0123456789`)
      await vi.waitFor(async () => expect(await started()).toBe(true), PATIENCE_MS)
      socket.destroy()
      await vi.waitFor(async () => expect(await started()).toBe(false), PATIENCE_MS)
      await expectNothingArrived(uploadId)
    }
  })

  it('to an upload that was canceled is refused', async () => {
    const { address, uploadId } = await start(creator)
    await put(address, 'bytes')
    await harness.api.as(creator).call(routes.cancelUpload, { body: { uploadId } })
    expect(await put(address, 'more')).toMatchObject({ status: 404, body: { code: 'upload_not_found' } })
    await harness.runJobs()
    expect(await storedUpload(uploadId)).toBeUndefined()
    expect(await bytesStored(uploadId)).toBeNull()
  })

  it('while the upload is canceled leaves nothing either', async () => {
    const { address, uploadId } = await start(creator)
    let finish = () => {}
    const slow = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(10))
        finish = () => controller.close()
      },
    })
    const answer = put(address, slow)
    const incoming = join(harness.context.config.DATA_DIR, 'media', '.incoming')
    await vi.waitFor(async () => expect(await readdir(incoming)).toHaveLength(1), PATIENCE_MS)
    await harness.api.as(creator).call(routes.cancelUpload, { body: { uploadId } })
    await harness.runJobs()
    finish()
    expect(await answer).toMatchObject({ status: 404, body: { code: 'upload_not_found' } })
    expect(await bytesStored(uploadId)).toBeNull()
  })
})

describe('somebody else’s upload', () => {
  it('can be neither seen, nor processed, nor canceled', async () => {
    const mine = await start(creator)
    await put(mine.address, 'bytes')
    const stranger = await buildCreator(harness)
    const theirs = await start(stranger)
    await put(theirs.address, 'bytes')
    const api = harness.api.as(stranger)
    const refusal = { status: 404, code: 'upload_not_found' }
    const both = { destFileNames: [theirs.uploadId, mine.uploadId] }
    await expect(api.call(routes.makePublic, { body: both })).rejects.toMatchObject(refusal)
    await expect(api.call(routes.cancelUpload, { body: { uploadId: mine.uploadId } })).rejects.toMatchObject(
      refusal,
    )
    const seen = await api.call(routes.uploads, { query: { uploadIds: [mine.uploadId, theirs.uploadId] } })
    expect(seen.items.map((item) => item.uploadId)).toEqual([theirs.uploadId])
    expect(await storedUpload(mine.uploadId)).toMatchObject({ status: 'received' })
    expect(await storedUpload(theirs.uploadId)).toMatchObject({ status: 'received' })
    expect(await bytesStored(mine.uploadId)).toBe(5)
  })
})

it('an upload whose bytes never came is not processed', async () => {
  const { uploadId } = await start(creator)
  const { items } = await harness.api
    .as(creator)
    .call(routes.makePublic, { body: { destFileNames: [uploadId] } })
  expect(items).toMatchObject([{ uploadId, status: 'awaiting', mediaId: null }])
})

it('the sweep removes what nobody finished, rows and bytes, and leaves the rest', async () => {
  const person = await buildFan(harness)
  const [awaiting, received] = [await start(person), await start(person)]
  await put(received.address, 'bytes')
  harness.clock.advance(24 * HOUR_MS + 1000)
  const fresh = await start(person)
  await harness.server.jobs['media.sweep']({}, { attempt: 1, lastAttempt: false })
  await harness.runJobs()
  expect(await storedUpload(awaiting.uploadId)).toBeUndefined()
  expect(await storedUpload(received.uploadId)).toBeUndefined()
  expect(await bytesStored(received.uploadId)).toBeNull()
  expect(await storedUpload(fresh.uploadId)).toMatchObject({ status: 'awaiting' })
  await expect(
    access(join(harness.context.config.DATA_DIR, 'processing', received.uploadId)),
  ).rejects.toThrow()
})
