import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHUNK_BYTES } from '../../../../../contract/constants.ts'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../../testing/builders.ts'
import {
  chunkedFile,
  countedChunks,
  freshFileName,
  heavyPicture,
  isStored,
  sendChunk,
  uploadsNamed,
} from '../../../../testing/chunks.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

/** A setting for tests: files of at most four chunks and a half. */
const MAX_FILE_BYTES = 4.5 * CHUNK_BYTES
let harness: Harness
let creator: Person
let picture: Buffer

beforeAll(async () => {
  harness = await startHarness({ environment: { MAX_FILE_BYTES: String(MAX_FILE_BYTES) } })
  creator = await buildCreator(harness)
  picture = await heavyPicture()
})
afterAll(() => harness?.stop())

describe('a chunk that is refused', () => {
  const some = Buffer.alloc(CHUNK_BYTES)
  it.each([
    ['too short', { chunk_number: 0, total_chunks: 3 }, some.subarray(1), 400, 'chunk_size_wrong'],
    [
      'too long',
      { chunk_number: 0, total_chunks: 3 },
      Buffer.alloc(CHUNK_BYTES + 1),
      400,
      'chunk_size_wrong',
    ],
    [
      'too long as the last',
      { chunk_number: 2, total_chunks: 3 },
      Buffer.alloc(CHUNK_BYTES + 1),
      400,
      'chunk_size_wrong',
    ],
    ['empty', { chunk_number: 2, total_chunks: 3 }, Buffer.alloc(0), 400, 'chunk_size_wrong'],
    ['the whole of an empty file', { chunk_number: 0, total_chunks: 1 }, Buffer.alloc(0), 400, 'media_empty'],
    ['beyond the count', { chunk_number: 3, total_chunks: 3 }, some, 409, 'chunks_mismatch'],
    ['far beyond the count', { chunk_number: 2e9, total_chunks: 3 }, some, 400, 'invalid_input'],
    ['negative', { chunk_number: -1, total_chunks: 3 }, some, 400, 'invalid_input'],
    ['half a number', { chunk_number: 0.5, total_chunks: 3 }, some, 400, 'invalid_input'],
    ['one of none', { chunk_number: 0, total_chunks: 0 }, some, 400, 'invalid_input'],
    ['one of a million', { chunk_number: 0, total_chunks: 1e6 }, some, 400, 'invalid_input'],
    ['one of a file too large', { chunk_number: 0, total_chunks: 6 }, some, 413, 'upload_too_large'],
    ['the end of a file too large', { chunk_number: 4, total_chunks: 5 }, some, 413, 'upload_too_large'],
    ['without bytes', { chunk_number: 0, total_chunks: 3 }, null, 400, 'invalid_input'],
  ])('%s leaves nothing', async (_, fields, bytes, status, code) => {
    const name = freshFileName()
    expect(await sendChunk(harness, creator, { name, ...fields }, bytes)).toMatchObject({
      status,
      body: { code },
    })
    expect(await uploadsNamed(harness, name)).toEqual([])
  })

  it('because its upload has another count or name leaves it as it was', async () => {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0)).body
    const mismatch = { status: 409, body: { code: 'chunks_mismatch' } }
    const fields = { name: file.name, chunk_number: 1, total_chunks: 3 }
    expect(await sendChunk(harness, creator, { ...fields, uploadId }, some)).toMatchObject(mismatch)
    expect(await sendChunk(harness, creator, fields, some)).toMatchObject(mismatch)
    const renamed = { ...fields, name: freshFileName(), total_chunks: 4, uploadId }
    expect(await sendChunk(harness, creator, renamed, some)).toMatchObject(mismatch)
    expect(await countedChunks(harness, uploadId)).toEqual([0])
    expect(isStored(harness, `uploads/${uploadId}.chunks/1`)).toBe(false)
  })

  it('because the upload is somebody else’s reaches and shows nothing of it', async () => {
    const file = chunkedFile(harness, creator, picture)
    const { uploadId } = (await file.send(0)).body
    const stranger = await buildCreator(harness)
    const fields = { name: file.name, chunk_number: 1, total_chunks: 4, uploadId }
    const missing = { status: 404, body: { code: 'upload_not_found' } }
    expect(await sendChunk(harness, stranger, fields, some)).toMatchObject(missing)
    const api = harness.api.as(stranger)
    const refusal = { status: 404, code: 'upload_not_found' }
    await expect(api.call(routes.chunkedUpload, { params: { uploadId } })).rejects.toMatchObject(refusal)
    await expect(api.call(routes.cancelUpload, { body: { uploadId } })).rejects.toMatchObject(refusal)
    expect((await api.call(routes.uploads, { query: {} })).items).toEqual([])
    expect(await sendChunk(harness, null, fields, some)).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    })
    // It can't be reached by the same name either.
    expect((await chunkedFile(harness, stranger, picture, file.name).send(1)).body.uploadId).not.toBe(
      uploadId,
    )
    expect(await countedChunks(harness, uploadId)).toEqual([0])
    expect(isStored(harness, `uploads/${uploadId}.chunks/1`)).toBe(false)
  })

  it('because its address was made for a file in one piece leaves that one alone', async () => {
    const { destFileNames } = await harness.api
      .as(creator)
      .call(routes.startUpload, { body: { fileNames: ['signed.png'] } })
    const [uploadId = ''] = destFileNames
    const fields = { name: 'signed.png', chunk_number: 0, total_chunks: 4, uploadId }
    expect(await sendChunk(harness, creator, fields, some)).toMatchObject({ status: 404 })
    const asked = harness.api.as(creator).call(routes.chunkedUpload, { params: { uploadId } })
    await expect(asked).rejects.toMatchObject({ code: 'upload_not_found' })
    expect(await uploadsNamed(harness, 'signed.png')).toMatchObject([{ status: 'awaiting', bytes: null }])
  })

  it('without end is answered and cut off', async () => {
    const name = freshFileName()
    const { hostname, port } = new URL(harness.origin)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (data: Buffer) => {
      received += data
    })
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const part = (field: string, value: string) =>
      `--b\r\ncontent-disposition: form-data; name="${field}"${value}`
    const start = [
      part('name', `\r\n\r\n${name}\r\n`),
      part('chunk_number', '\r\n\r\n0\r\n'),
      part('total_chunks', '\r\n\r\n2\r\n'),
      part('file', '; filename="blob"\r\ncontent-type: application/octet-stream\r\n\r\n'),
    ].join('')
    socket.write(
      `POST /api/media/uploadsingle HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${creator.token}\r\n` +
        `content-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n` +
        `${start.length.toString(16)}\r\n${start}\r\n`,
    )
    const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')])
    let sent = 0
    const flood = () => {
      while (!socket.destroyed && socket.write(piece)) sent += 0x10000
    }
    socket.on('drain', flood)
    flood()
    await closed
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(sent).toBeLessThan(64 * CHUNK_BYTES)
    expect(await uploadsNamed(harness, name)).toEqual([])
  })

  it('as the first of one upload too many', async () => {
    const hoarder = await buildCreator(harness)
    const api = harness.api.as(hoarder)
    const hundred = Array.from({ length: 100 }, () => 'x.jpg')
    for (const fileNames of [hundred, hundred, hundred, hundred, hundred.slice(3)])
      await api.call(routes.startUpload, { body: { fileNames } })
    const names = Array.from({ length: 10 }, freshFileName)
    const answers = await Promise.all(
      names.map((name) => chunkedFile(harness, hoarder, picture, name).send(0)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ body }) => body.code === 'too_many_uploads')).toHaveLength(7)
  })
})
