import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type Context, HOW_TO_VIDEO_KEY } from '../context.ts'
import type { Storage } from '../ports/storage/port.ts'
import { parseRange } from './files.ts'

const PATH = '/how-to-video.mp4'
/** The first start makes the sample's video, maybe in another process, while this one already answers. */
const ASK_AGAIN_MS = 60_000

type Video = { bytes: number; open(range?: { start: number; end: number }): Promise<Readable | null> }

/** The address of the how-to page's video: the setting's own, or ours for a file; null when there is none. */
export async function howToVideoAddress(context: Context): Promise<string | null> {
  const setting = context.config.HOW_TO_VIDEO
  if (setting) return setting.startsWith('https://') ? setting : PATH
  return (await sampleBytes(context)) === null ? null : PATH
}

/** Serves the video that the setting names as a file, else the sample's own, with byte ranges. */
export function mountHowToVideo(app: FastifyInstance, context: Context): void {
  app.get(PATH, async (request, reply) => {
    const video = await findVideo(context)
    if (!video) return reply.callNotFound()
    reply.headers({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=3600',
    })
    const range = parseRange(request.headers.range, video.bytes)
    if (range === 'unsatisfiable')
      return reply.code(416).header('content-range', `bytes */${video.bytes}`).send()
    const body = await video.open(range ?? undefined)
    if (!body) return reply.callNotFound()
    if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${video.bytes}`)
    return reply.header('content-length', range ? range.end - range.start + 1 : video.bytes).send(body)
  })
}

async function findVideo(context: Context): Promise<Video | null> {
  const path = context.config.HOW_TO_VIDEO
  if (path) {
    const file = await stat(path).catch(() => null)
    return file?.isFile() ? { bytes: file.size, open: async (range) => createReadStream(path, range) } : null
  }
  const bytes = await sampleBytes(context)
  return bytes === null ? null : { bytes, open: (range) => context.storage.read(HOW_TO_VIDEO_KEY, range) }
}

type Known = { bytes: Promise<number | null>; askedAt: number }
const known = new WeakMap<Storage, Known>()

/** The size of the sample's video in the store, which is asked once; while it is not there, once a minute. */
async function sampleBytes({ storage, clock, log }: Context): Promise<number | null> {
  const now = clock.now().getTime()
  const last = known.get(storage)
  if (last && ((await last.bytes) !== null || now - last.askedAt < ASK_AGAIN_MS)) return last.bytes
  const bytes = storage.size(HOW_TO_VIDEO_KEY).catch((error: unknown) => {
    log.warn({ err: error }, 'the store did not say whether it has the how-to video')
    return null
  })
  known.set(storage, { bytes, askedAt: now })
  return bytes
}
