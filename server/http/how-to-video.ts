import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type Context, HOW_TO_VIDEO_KEY } from '../context.ts'
import { parseRange } from './files.ts'

const PATH = '/how-to-video.mp4'

type Video = { bytes: number; open(range?: { start: number; end: number }): Promise<Readable | null> }

/** The address of the how-to page's video: the setting's own, or ours for a file; null when there is none. */
export async function howToVideoAddress(context: Context): Promise<string | null> {
  const setting = context.config.HOW_TO_VIDEO
  if (setting?.startsWith('https://')) return setting
  return (await findVideo(context)) ? PATH : null
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

async function findVideo({ config, storage }: Context): Promise<Video | null> {
  const path = config.HOW_TO_VIDEO
  if (path) {
    const file = await stat(path).catch(() => null)
    return file?.isFile() ? { bytes: file.size, open: async (range) => createReadStream(path, range) } : null
  }
  const bytes = await storage.size(HOW_TO_VIDEO_KEY)
  return bytes === null ? null : { bytes, open: (range) => storage.read(HOW_TO_VIDEO_KEY, range) }
}
