import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStorage } from './disk/adapter.ts'
import { type Storage, StorageLimit } from './port.ts'

/** Every adapter there is, each opened on an empty store of its own. */
const adapters: Array<[string, (folder: string) => Storage]> = [
  ['disk', (folder) => diskStorage({ root: join(folder, 'store') })],
]

const limit = { maxBytes: 1_000_000 }

describe.each(adapters)('storage on %s', (_, openStorage) => {
  let folder = ''
  let storage: Storage
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fanfare-storage-'))
    storage = openStorage(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

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
    [{ start: 0, end: 0 }, '0'],
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

  test('of many writers of one key one wins whole', async () => {
    const versions = Array.from({ length: 20 }, (_unused, index) => String(index).repeat(5000))
    await Promise.all(versions.map((version) => put('raced', version)))
    expect(versions).toContain(await text('raced'))
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

  test('lends a local file', async () => {
    await put('lent', 'bytes')
    const lent = await storage.localPath('lent')
    expect(lent && (await readFile(lent.path, 'utf8'))).toBe('bytes')
    await lent?.release()
    expect(await text('lent')).toBe('bytes')
  })

  test('removes one, and all below a prefix, and no more', async () => {
    for (const key of ['gone/a', 'gone/b/c', 'gone-not/a', 'alone']) await put(key, 'x')
    await storage.remove('alone')
    await storage.remove('alone')
    await storage.removeAll('gone')
    await storage.removeAll('gone')
    expect(await storage.size('alone')).toBeNull()
    expect(await storage.size('gone/a')).toBeNull()
    expect(await storage.size('gone/b/c')).toBeNull()
    expect(await storage.size('gone-not/a')).toBe(1)
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
