import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Storage, StorageLimit } from '../port.ts'

const maxKeyLength = 512
/** No segment starts with a dot: nothing leads upwards, and what is not complete can hide behind one. */
const safeKey = /^[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*$/
const dayMs = 24 * 60 * 60 * 1000

/**
 * Keeps objects as files below `root`, which is made when it is not there. An object is written under a temporary
 * name, forced to disk and renamed, so that it is whole or absent after any crash. Throws for a key that is not safe.
 */
export function diskStorage(options: { root: string }): Storage {
  const incoming = join(options.root, '.incoming')

  function locate(key: string): string {
    if (key.length > maxKeyLength || !safeKey.test(key))
      throw new Error(`not a safe storage key: ${JSON.stringify(key)}`)
    return join(options.root, key)
  }

  async function temporary(): Promise<string> {
    await mkdir(incoming, { recursive: true })
    return join(incoming, randomUUID())
  }

  /** Makes a complete, synced temporary file the object. */
  async function publish(temporaryPath: string, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true })
    await rename(temporaryPath, path)
    await sync(dirname(path))
  }

  return {
    async put(key, body, { maxBytes }) {
      const path = locate(key)
      const temporaryPath = await temporary()
      try {
        const meter = new Meter(maxBytes)
        await using file = await open(temporaryPath, 'wx')
        await pipeline(body, meter, async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) await file.writeFile(chunk)
        })
        await file.sync()
        await publish(temporaryPath, path)
        return { bytes: meter.bytes, sha256: meter.hash.digest('hex') }
      } catch (error) {
        await rm(temporaryPath, { force: true })
        throw error
      }
    },

    async putFile(key, source) {
      const path = locate(key)
      const { size } = await stat(source)
      const temporaryPath = await temporary()
      try {
        await moveInto(temporaryPath, source)
        await sync(temporaryPath)
        await publish(temporaryPath, path)
      } catch (error) {
        await rm(temporaryPath, { force: true })
        throw error
      }
      await rm(source, { force: true })
      return { bytes: size }
    },

    async read(key, range) {
      const file = await openObject(locate(key))
      return file && createReadStream('', { fd: file, ...range })
    },

    async size(key) {
      return sizeOf(locate(key))
    },

    async localPath(key) {
      const path = locate(key)
      return (await sizeOf(path)) === null ? null : { path, release: async () => {} }
    },

    async remove(key) {
      const path = locate(key)
      if ((await sizeOf(path)) !== null) await rm(path, { force: true })
    },

    async removeAll(prefix) {
      await rm(locate(prefix), { recursive: true, force: true })
    },

    async check() {
      const probe = await temporary()
      await writeFile(probe, '', { flush: true })
      await removeAbandoned(incoming, (await stat(probe)).mtimeMs - dayMs)
      await rm(probe)
    },
  }
}

/** Counts and hashes what passes, and fails beyond the limit. */
class Meter extends Transform {
  readonly hash = createHash('sha256')
  bytes = 0
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    super()
    this.#maxBytes = maxBytes
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length
    this.hash.update(chunk)
    if (this.bytes > this.#maxBytes) done(new StorageLimit(`more than ${this.#maxBytes} bytes`))
    else done(null, chunk)
  }
}

/** A rename within one file system costs nothing; from another one the bytes are copied. */
async function moveInto(target: string, source: string): Promise<void> {
  try {
    await rename(source, target)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(source, target)
  }
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

async function openObject(path: string): Promise<FileHandle | null> {
  const file = await open(path, 'r').catch(nullWhenAbsent)
  if (!file) return null
  if ((await file.stat()).isFile()) return file
  await file.close()
  return null
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(nullWhenAbsent)
  return found?.isFile() ? found.size : null
}

/** Temporary files that a crash left behind, last written before `before` (milliseconds since 1970). */
async function removeAbandoned(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(nullWhenAbsent)
    if (found && found.mtimeMs < before) await rm(path, { force: true })
  }
}

function nullWhenAbsent(error: unknown): null {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
  throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
