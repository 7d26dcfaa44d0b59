import type { FastifyInstance } from 'fastify'
import type { StoredVideo } from '../handler.ts'
import { parseRange } from './files.ts'

/** Serves the how-to page's video, with byte ranges. */
export function mountHowToVideo(app: FastifyInstance, find: () => Promise<StoredVideo | null>): void {
  app.get('/how-to-video.mp4', async (request, reply) => {
    const video = await find()
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
