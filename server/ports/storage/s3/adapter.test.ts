import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Server } from '../../../testing/s3-server.ts'
import { type Storage, StorageLimit } from '../port.ts'
import { s3Storage } from './adapter.ts'

const MIB = 1024 * 1024
let folder = ''
let server: Awaited<ReturnType<typeof startS3Server>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-storage-'))
  server = await startS3Server(join(folder, 'store'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const lent = () => join(folder, 'lent')
const open = (changes: Partial<Parameters<typeof s3Storage>[0]> = {}) =>
  s3Storage({ ...server.account, folder: lent(), ...changes })

/** The requests that the store got meanwhile, without the ids that it made. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const from = server.requests.length
  await work()
  return server.requests.slice(from).map((request) => request.replace(/uploadId=\w+/, 'uploadId'))
}

function* zeros(mib: number) {
  for (let sent = 0; sent < mib; sent += 1) yield Buffer.alloc(MIB)
}

test('a body goes up in parts, and what is small at once', async () => {
  const storage = open()
  const put = (key: string, mib: number) => () =>
    storage.put(key, Readable.from(zeros(mib)), { maxBytes: 100 * MIB })
  expect((await asked(put('small', 4))).map((request) => request.split('?')[0])).toEqual([
    'PUT /fanfare-test/small',
  ])
  const large = await asked(put('large', 17))
  expect(large.filter((request) => request.includes('partNumber'))).toHaveLength(4)
  expect(large.at(-1)).toContain('POST /fanfare-test/large')
})

test('a body that is refused midway is given up, never completed', async () => {
  const storage = open()
  const requests = await asked(() =>
    expect(storage.put('refused', Readable.from(zeros(30)), { maxBytes: 20 * MIB })).rejects.toThrow(
      StorageLimit,
    ),
  )
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([
    'POST /fanfare-test/refused?uploads=',
  ])
  expect(requests).toContainEqual(expect.stringMatching(/^DELETE \/fanfare-test\/refused\?.*uploadId/))
  expect(await storage.size('refused')).toBeNull()
})

test('a long body is read only as fast as its parts go up', async () => {
  const storage = open()
  const from = server.requests.length
  let ahead = 0
  const body = function* () {
    let pulled = 0
    for (const chunk of zeros(100)) {
      const started = server.requests.slice(from).filter((request) => request.includes('partNumber')).length
      ahead = Math.max(ahead, pulled - started * 5 * MIB)
      pulled += chunk.length
      yield chunk
    }
  }
  const stored = await storage.put('long', Readable.from(body()), { maxBytes: 5120 * MIB })
  expect(stored.bytes).toBe(100 * MIB)
  expect(ahead).toBeLessThan(30 * MIB)
  await storage.remove('long')
})

test('what is lent is a file of its own, gone when it is given back; what a crash left goes after a day', async () => {
  const storage = open()
  await storage.put('lent', Readable.from([Buffer.from('bytes')]), { maxBytes: 10 })
  const one = await storage.localPath('lent')
  const other = await storage.localPath('lent')
  expect(one?.path).not.toBe(other?.path)
  expect(await readdir(lent())).toHaveLength(2)
  await one?.release()
  await other?.release()
  expect(await readdir(lent())).toEqual([])
  await writeFile(join(lent(), 'abandoned'), 'x')
  await utimes(join(lent(), 'abandoned'), 1, 1)
  await storage.check()
  expect(await readdir(lent())).toEqual([])
})

describe('a check fails', () => {
  test.each([
    ['the wrong key', { accessKeyId: 'WRONG' }],
    ['no such bucket', { bucket: 'not-there' }],
    ['nobody at the address', { endpoint: 'http://127.0.0.1:9' }],
  ])('with %s', async (_, changes) => {
    await expect(open(changes).check()).rejects.toThrow()
    await expect(open(changes).read('a')).rejects.toThrow()
  })
})

describe('a store that accepts and falls silent is waited for, and then given up', () => {
  const sockets = new Set<Socket>()
  /** The answer to every call before it falls silent. */
  let said = ''
  const silent = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.write(said))
  })
  const waitingOnly = (waits: NonNullable<Parameters<typeof s3Storage>[0]['waits']>) =>
    open({ endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, waits })
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  test.each<[what: string, work: (storage: Storage) => Promise<unknown>]>([
    ['a size', (storage) => storage.size('a')],
    ['a body', (storage) => storage.read('a')],
    ['a range', (storage) => storage.read('a', { start: 0, end: 9 })],
    ['a file that is lent', (storage) => storage.localPath('a')],
    ['a small body', (storage) => storage.put('a', Readable.from(zeros(1)), { maxBytes: 20 * MIB })],
    ['a large body', (storage) => storage.put('a', Readable.from(zeros(17)), { maxBytes: 20 * MIB })],
    ['a removal', (storage) => storage.remove('a')],
    ['the removal of a prefix', (storage) => storage.removeAll('a')],
  ])('%s', async (_, work) => {
    said = ''
    await expect(work(waitingOnly({ answerMs: 50, requestMs: 50 }))).rejects.toThrow('requestTimeout')
  })

  test('a check, which says so in words for the operator', async () => {
    said = ''
    await expect(waitingOnly({ checkMs: 50 }).check()).rejects.toThrow('no answer within 0.05 seconds')
  })

  test('a body that began to come', async () => {
    said = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'
    const whole = async () => buffer((await waitingOnly({ silenceMs: 50 }).read('a')) ?? Readable.from([]))
    await expect(whole()).rejects.toThrow('inactivity')
  })
})

describe('of a prefix with more objects than one answer lists', () => {
  /** Answers a listing in pages of two, as Amazon's documentation of ListObjectsV2 and DeleteObjects has it. */
  async function startPages(pages: string[][], deleted: string[], failing: string | null) {
    const pageServer = createServer(async (request: IncomingMessage, response) => {
      const url = new URL(request.url ?? '', 'http://store')
      response.setHeader('content-type', 'application/xml')
      if (request.method === 'POST') {
        const keys = [...(await text(request)).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? '')
        deleted.push(...keys.filter((key) => key !== failing))
        const error = keys.includes(failing ?? '')
          ? `<Error><Key>${failing}</Key><Code>InternalError</Code><Message>Try again</Message></Error>`
          : ''
        response.end(`<DeleteResult>${error}</DeleteResult>`)
        return
      }
      const page = Number(url.searchParams.get('continuation-token') ?? 0)
      const more = page + 1 < pages.length
      const contents = pages[page]?.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
      const next = more ? `<NextContinuationToken>${page + 1}</NextContinuationToken>` : ''
      response.end(
        `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents}</ListBucketResult>`,
      )
    })
    await new Promise<void>((resolve) => pageServer.listen(0, '127.0.0.1', resolve))
    return { pageServer, endpoint: `http://127.0.0.1:${(pageServer.address() as AddressInfo).port}` }
  }
  const pages = [['a/1', 'a/2'], ['a/3', 'a/4'], ['a/5']]

  test('all are removed', async () => {
    const deleted: string[] = []
    const { pageServer, endpoint } = await startPages(pages, deleted, null)
    await open({ endpoint }).removeAll('a')
    expect(deleted).toEqual(pages.flat())
    pageServer.closeAllConnections()
    pageServer.close()
  })

  test('one that stays is told', async () => {
    const { pageServer, endpoint } = await startPages(pages, [], 'a/4')
    await expect(open({ endpoint }).removeAll('a')).rejects.toThrow('InternalError')
    pageServer.closeAllConnections()
    pageServer.close()
  })
})
