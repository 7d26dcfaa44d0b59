import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { Meter } from '../meter.ts'
import { requireSafeKey, type Storage } from '../port.ts'
import { removeAbandoned, temporaryPath } from '../temporary-files.ts'

const dayMs = 24 * 60 * 60 * 1000
const smallestPartBytes = 5 * 1024 * 1024
const mostParts = 10_000
const partsAtOnce = 4
/** Every viewer who is sent bytes holds one connection for as long as it takes. */
const mostConnections = 1000
const connectionTimeout = 10_000

/** How long the bucket is waited for, in milliseconds; what is given up is tried twice more, but for a check. */
const defaultWaits = {
  /** Until what is read or looked up begins to come. */
  answerMs: 20_000,
  /** Until anything else is answered, with the part of a body that is sent before. */
  requestMs: 120_000,
  /**
   * The time without a byte. The server drops a viewer who pauses before that, after two minutes; the player resumes
   * by a range.
   */
  silenceMs: 300_000,
  /** For a whole check, which others wait for. */
  checkMs: 5_000,
}

export type S3Options = {
  /** Null for Amazon's own address of the region. */
  endpoint: string | null
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket's name in the path of an address instead of its host name. */
  forcePathStyle: boolean
  /** Local folder for what `localPath` lends; made when it is not there. */
  folder: string
  /** Instead of what is waited in the product. */
  waits?: Partial<typeof defaultWaits>
}

/**
 * Keeps objects in a bucket of a service that speaks Amazon's S3. Bodies go up in parts of 5 MiB (of more beyond 50 GB),
 * four at once, and become an object only when all have arrived. Throws for a key that is not safe, and for a bucket that
 * does not answer in time.
 */
export function s3Storage(options: S3Options): Storage {
  const { bucket: Bucket, folder } = options
  const waits = { ...defaultWaits, ...options.waits }
  const reading = { requestTimeout: waits.answerMs }
  const client = new S3Client({
    ...(options.endpoint ? { endpoint: options.endpoint } : {}),
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    forcePathStyle: options.forcePathStyle,
    // Other services than Amazon's refuse the trailing checksums that are sent otherwise.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout,
      requestTimeout: waits.requestMs,
      throwOnRequestTimeout: true,
      socketTimeout: waits.silenceMs,
      httpAgent: { keepAlive: true, maxSockets: mostConnections },
      httpsAgent: { keepAlive: true, maxSockets: mostConnections },
    },
  })
  let writable = false

  async function upload(Key: string, Body: Readable, maxBytes: number): Promise<void> {
    const partSize = Math.max(smallestPartBytes, Math.ceil(maxBytes / mostParts))
    await new Upload({ client, params: { Bucket, Key, Body }, partSize, queueSize: partsAtOnce }).done()
  }

  async function read(Key: string, range?: { start: number; end: number }): Promise<Readable | null> {
    requireSafeKey(Key)
    const Range = range && `bytes=${range.start}-${range.end}`
    const command = new GetObjectCommand({ Bucket, Key, ...(Range ? { Range } : {}) })
    const answer = await client.send(command, reading).catch(nullWhenAbsent)
    if (!answer) return null
    if (!(answer.Body instanceof Readable)) throw new Error(`no body of ${Key}`)
    return answer.Body
  }

  return {
    async put(key, body, { maxBytes }) {
      requireSafeKey(key)
      const meter = new Meter(maxBytes)
      // Both are waited for: what was started is given up before the failure is told.
      const [fed, stored] = await Promise.allSettled([
        pipeline(body, meter),
        upload(key, meter, maxBytes).catch((error: Error) => {
          meter.destroy(error)
          throw error
        }),
      ])
      // Why the body ended early is the reason; that the upload then failed is only its consequence.
      if (fed.status === 'rejected') throw fed.reason
      if (stored.status === 'rejected') throw stored.reason
      return { bytes: meter.bytes, sha256: meter.hash.digest('hex') }
    },

    async putFile(key, path) {
      requireSafeKey(key)
      const { size } = await stat(path)
      await upload(key, createReadStream(path), size)
      await rm(path, { force: true })
      return { bytes: size }
    },

    read,

    async size(Key) {
      requireSafeKey(Key)
      const answer = await client.send(new HeadObjectCommand({ Bucket, Key }), reading).catch(nullWhenAbsent)
      return answer?.ContentLength ?? null
    },

    async localPath(key) {
      const body = await read(key)
      if (!body) return null
      const path = await temporaryPath(folder)
      const release = () => rm(path, { force: true })
      try {
        await pipeline(body, createWriteStream(path))
      } catch (error) {
        await release()
        throw error
      }
      return { path, release }
    },

    async remove(Key) {
      requireSafeKey(Key)
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },

    async removeAll(prefix) {
      requireSafeKey(prefix)
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}/` })) {
        const found = page.Contents?.map(({ Key }) => ({ Key })) ?? []
        if (found.length === 0) continue
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects: found, Quiet: true } })
        const { Errors = [] } = await client.send(command)
        if (Errors[0])
          throw new Error(`${Errors.length} objects stay: ${Errors[0].Code} ${Errors[0].Message}`)
      }
    },

    async check() {
      await removeAbandoned(folder, Date.now() - dayMs)
      const abortSignal = AbortSignal.timeout(waits.checkMs)
      try {
        if (writable) {
          await client.send(new HeadBucketCommand({ Bucket }), { abortSignal })
        } else {
          const probe = { Bucket, Key: 'check', Body: 'written at each start' }
          await client.send(new PutObjectCommand(probe), { abortSignal })
          writable = true
        }
      } catch (error) {
        if (abortSignal.aborted) throw new Error(`no answer within ${waits.checkMs / 1000} seconds`)
        throw error
      }
    },
  }
}

function nullWhenAbsent(error: unknown): null {
  const absent =
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  if (absent) return null
  throw error
}
