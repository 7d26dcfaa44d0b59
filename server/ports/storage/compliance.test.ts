import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Server } from '../../testing/s3-server.ts'
import { diskStorage } from './disk/adapter.ts'
import { type Storage, StorageLimit } from './port.ts'
import { s3Storage } from './s3/adapter.ts'

type Opened = { storage: Storage; close: () => Promise<void> }

/** Every adapter there is, each opened on an empty store of its own. */
const adapters: Array<[string, (folder: string) => Promise<Opened>]> = [
  [
    'disk',
    async (folder) => ({ storage: diskStorage({ root: join(folder, 'store') }), close: async () => {} }),
  ],
  [
    'S3',
    async (folder) => {
      const server = await startS3Server(join(folder, 'store'))
      const storage = s3Storage({ ...server.account, folder: join(folder, 'lent') })
      return { storage, close: server.close }
    },
  ],
]

const limit = { maxBytes: 1_000_000 }

describe.each(adapters)('storage on %s', (_, openStorage) => {
  let folder = ''
  let storage: Storage
  let close = async () => {}
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fanfare-storage-'))
    const opened = await openStorage(folder)
    storage = opened.storage
    close = opened.close
  })
  afterAll(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })

  const put = (key: string, text: string) => storage.put(key, Readable.from([Buffer.from(text)]), limit)
  const text = async (key: string, range?: { start: number; end: number }) => {
    const body = await storage.read(key, range)
    return body && (await buffer(body)).toString()
  }

  test('gives back what was put, with its size and hash', async () => {
    const sha256 = createHash('sha256').update('hello').digest('hex')
    expect(await put('media/a1/w320.webp', 'hello')).toEqual({ bytes: 5, sha256 })
    expect(await text('media/a1/w320.webp')).toBe('hello')
    expect(await storage.size('media/a1/w320.webp')).toBe(5)
  })

  test.each([
    [{ start: 0, end: 1 }, '01'],
    [{ start: 2, end: 5 }, '2345'],
    [{ start: 9, end: 9 }, '9'],
    [{ start: 7, end: 100 }, '789'],
  ])('reads the bytes %j', async (range, expected) => {
    await put('ranges/ten', '0123456789')
    expect(await text('ranges/ten', range)).toBe(expected)
  })

  test('knows nothing of what was never put', async () => {
    await put('known/child', 'x')
    for (const key of ['absent', 'known', 'known/child/deeper']) {
      expect(await storage.read(key)).toBeNull()
      expect(await storage.size(key)).toBeNull()
      expect(await storage.localPath(key)).toBeNull()
      await storage.remove(key)
    }
    expect(await text('known/child')).toBe('x')
  })

  test('replaces an object as a whole', async () => {
    await put('replaced', 'a longer first version')
    await put('replaced', 'second')
    expect(await text('replaced')).toBe('second')
  })

  test('takes exactly the limit, and nothing beyond it', async () => {
    await storage.put('limit/exact', Readable.from([Buffer.alloc(10)]), { maxBytes: 10 })
    expect(await storage.size('limit/exact')).toBe(10)
    const chunks = Readable.from([Buffer.alloc(6), Buffer.alloc(5)])
    await expect(storage.put('limit/over', chunks, { maxBytes: 10 })).rejects.toThrow(StorageLimit)
    expect(await storage.size('limit/over')).toBeNull()
  })

  test('a body that breaks off leaves the object as it was', async () => {
    await put('broken/old', 'old')
    const breaking = () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('half')
          throw new Error('the line broke')
        })(),
      )
    await expect(storage.put('broken/new', breaking(), limit)).rejects.toThrow('the line broke')
    await expect(storage.put('broken/old', breaking(), limit)).rejects.toThrow('the line broke')
    expect(await storage.size('broken/new')).toBeNull()
    expect(await text('broken/old')).toBe('old')
  })

  test('moves a local file in', async () => {
    const source = join(folder, 'source.bin')
    await writeFile(source, 'moved')
    expect(await storage.putFile('moved/in', source)).toEqual({ bytes: 5 })
    expect(await text('moved/in')).toBe('moved')
    await expect(readFile(source)).rejects.toThrow('ENOENT')
    await expect(storage.putFile('moved/absent', join(folder, 'absent'))).rejects.toThrow('ENOENT')
    expect(await storage.size('moved/absent')).toBeNull()
  })

  test('lends a local file, to several at once', async () => {
    await put('lent', 'bytes')
    const [lent, again] = await Promise.all([storage.localPath('lent'), storage.localPath('lent')])
    expect(lent && (await readFile(lent.path, 'utf8'))).toBe('bytes')
    await lent?.release()
    expect(again && (await readFile(again.path, 'utf8'))).toBe('bytes')
    await again?.release()
    expect(await text('lent')).toBe('bytes')
  })

  test('keeps what is larger than any buffer, and the parts of it', async () => {
    const bytes = Buffer.alloc(12 * 1024 * 1024 + 345, 'a pattern of no round length ')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
    }
    const options = { maxBytes: bytes.length }
    expect(await storage.put('large', Readable.from(pieces()), options)).toEqual({
      bytes: bytes.length,
      sha256,
    })
    expect(await storage.size('large')).toBe(bytes.length)
    const range = { start: 5 * 1024 * 1024 - 3, end: 5 * 1024 * 1024 + 3 }
    const body = await storage.read('large', range)
    expect(body && (await buffer(body)).equals(bytes.subarray(range.start, range.end + 1))).toBe(true)
    await expect(
      storage.put('too-large', Readable.from(pieces()), { maxBytes: bytes.length - 1 }),
    ).rejects.toThrow(StorageLimit)
    expect(await storage.size('too-large')).toBeNull()
  })

  test('makes one object of the chunks of an upload, read one after another', async () => {
    const id = '01890000-0000-7000-8000-0000000000ab'
    const keys = Array.from({ length: 12 }, (_unused, number) => `uploads/${id}.chunks/${number}`)
    const whole = keys.map((_key, number) => `chunk ${number};`)
    for (const [number, key] of keys.entries()) await put(key, whole[number] ?? '')
    await put(keys[3] ?? '', whole[3] ?? '')
    const inOrder = async function* () {
      for (const key of keys) yield* (await storage.read(key)) ?? []
    }
    const body = Readable.from(inOrder(), { objectMode: false })
    const { bytes } = await storage.put(`uploads/${id}`, body, limit)
    expect(bytes).toBe(whole.join('').length)
    await storage.removeAll(`uploads/${id}.chunks`)
    for (const key of keys) expect(await storage.size(key)).toBeNull()
    expect(await text(`uploads/${id}`)).toBe(whole.join(''))
  })

  test('removes one, and all below a prefix, and no more', async () => {
    for (const key of ['gone/a', 'gone/b/c', 'gone-not/a', 'alone', 'object']) await put(key, 'x')
    await storage.remove('alone')
    await storage.remove('alone')
    await storage.removeAll('gone')
    await storage.removeAll('gone')
    expect(await storage.size('alone')).toBeNull()
    expect(await storage.size('gone/a')).toBeNull()
    expect(await storage.size('gone/b/c')).toBeNull()
    expect(await storage.size('gone-not/a')).toBe(1)
    await storage.removeAll('object')
    expect(await storage.size('object')).toBe(1)
  })

  test('refuses every key that is not plainly safe, in every call', async () => {
    const outside = join(folder, 'outside')
    await writeFile(outside, 'untouched')
    const fixed = [
      '',
      '.',
      '..',
      '../outside',
      'a/../../outside',
      '/etc/passwd',
      'a//b',
      'a/',
      'A',
      'a b',
      'a\0b',
      'a\\b',
      '.incoming/x',
      'a/.b',
      'é',
      'x'.repeat(600),
    ]
    const unsafe = fc.oneof(
      fc.constantFrom(...fixed),
      fc.string().filter((key) => !/^[a-z0-9_-]+$/.test(key)),
    )
    await fc.assert(
      fc.asyncProperty(unsafe, async (key) => {
        if (/^[a-z0-9_-][a-z0-9._-]*(\/[a-z0-9_-][a-z0-9._-]*)*$/.test(key) && key.length <= 512) return
        const calls = [
          () => put(key, 'x'),
          () => storage.putFile(key, outside),
          () => storage.read(key),
          () => storage.size(key),
          () => storage.localPath(key),
          () => storage.remove(key),
          () => storage.removeAll(key),
        ]
        for (const call of calls) await expect(call()).rejects.toThrow('not a safe storage key')
      }),
    )
    expect(await readFile(outside, 'utf8')).toBe('untouched')
  })

  test('can be checked', async () => {
    await storage.check()
  })
})

describe('disk only', () => {
  test('a check that cannot write fails, and one that can clears what crashes left a day ago', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fanfare-storage-'))
    await writeFile(join(folder, 'file'), '')
    await expect(diskStorage({ root: join(folder, 'file') }).check()).rejects.toThrow('ENOTDIR')
    const storage = diskStorage({ root: folder })
    await storage.check()
    const incoming = join(folder, '.incoming')
    await writeFile(join(incoming, 'abandoned'), 'x')
    await writeFile(join(incoming, 'fresh'), 'x')
    await utimes(join(incoming, 'abandoned'), 1, 1)
    await storage.check()
    expect(await readdir(incoming)).toEqual(['fresh'])
    await rm(folder, { recursive: true })
  })

  // Apart from the others because the S3 server of the tests takes an end of 0 for no end at all.
  test('reads the first byte alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fanfare-storage-'))
    const storage = diskStorage({ root: folder })
    await storage.put('ten', Readable.from([Buffer.from('0123456789')]), limit)
    const body = await storage.read('ten', { start: 0, end: 0 })
    expect(body && (await buffer(body)).toString()).toBe('0')
    await rm(folder, { recursive: true })
  })

  // S3 promises this itself; the server that speaks for it in the tests does not keep the promise.
  test('of many writers of one key one wins whole', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fanfare-storage-'))
    const storage = diskStorage({ root: folder })
    const versions = Array.from({ length: 20 }, (_unused, index) => String(index).repeat(5000))
    await Promise.all(
      versions.map((version) => storage.put('raced', Readable.from([Buffer.from(version)]), limit)),
    )
    const body = await storage.read('raced')
    expect(versions).toContain(body && (await buffer(body)).toString())
    await rm(folder, { recursive: true })
  })

  test('nothing half-written stays behind a put that failed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fanfare-storage-'))
    const storage = diskStorage({ root: folder })
    await expect(storage.put('a', Readable.from([Buffer.alloc(2)]), { maxBytes: 1 })).rejects.toThrow(
      StorageLimit,
    )
    expect(await readdir(join(folder, '.incoming'))).toEqual([])
    await rm(folder, { recursive: true })
  })
})
