import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Meter } from '../meter.ts'
import { requireSafeKey, type Storage } from '../port.ts'
import { nullWhenAbsent, removeAbandoned, temporaryPath } from '../temporary-files.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Bytes that may wait for the disk, so that they are written in few calls while more come in. */
const WRITE_AHEAD_BYTES = 1024 * 1024

/**
 * Keeps objects as files below `root`, which is made when it is not there. An object is written under a temporary
 * name, forced to disk and renamed, so that it is whole or absent after any crash. Throws for a key that is not safe.
 */
export function diskStorage(options: { root: string }): Storage {
  const incoming = join(options.root, '.incoming')

  function locate(key: string): string {
    requireSafeKey(key)
    return join(options.root, key)
  }

  /** Makes a complete, synced temporary file the object. */
  async function publish(written: string, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true })
    await rename(written, path)
    await sync(dirname(path))
  }

  return {
    async put(key, body, { maxBytes }) {
      const path = locate(key)
      const written = await temporaryPath(incoming)
      try {
        const meter = new Meter(maxBytes)
        const file = createWriteStream(written, {
          flags: 'wx',
          flush: true,
          highWaterMark: WRITE_AHEAD_BYTES,
        })
        await pipeline(body, meter, file)
        await publish(written, path)
        return { bytes: meter.bytes, sha256: meter.hash.digest('hex') }
      } catch (error) {
        await rm(written, { force: true })
        throw error
      }
    },

    async putFile(key, source) {
      const path = locate(key)
      const { size } = await stat(source)
      const written = await temporaryPath(incoming)
      try {
        await moveInto(written, source)
        await sync(written)
        await publish(written, path)
      } catch (error) {
        await rm(written, { force: true })
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
      const path = locate(prefix)
      if ((await sizeOf(path)) === null) await rm(path, { recursive: true, force: true })
    },

    async check() {
      const probe = await temporaryPath(incoming)
      await writeFile(probe, '', { flush: true })
      await removeAbandoned(incoming, (await stat(probe)).mtimeMs - dayMs)
      await rm(probe)
    },
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
