import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import rangeParser from 'range-parser'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { OpenFile } from '../handler.ts'
import { readCookie } from './cookies.ts'
import { sendError } from './error-handler.ts'
import type { Locate } from './place.ts'

/** Serves media bytes with byte ranges. Access is checked at every request: links end with session, refund, or ban. */
export function mountFiles(app: FastifyInstance, context: Context, openFile: OpenFile, locate: Locate): void {
  app.get('/files/*', async (request, reply) => {
    reply.header('cache-control', 'private, no-store')
    try {
      const file = await openFile({
        path: (request.params as { '*': string })['*'],
        query: request.query as Record<string, string>,
        companionKey: readCookie(context, request, 'media_viewer'),
        ip: request.ip,
        place: locate(request),
        accept: request.headers.accept ?? '',
        now: context.clock.now(),
      })
      reply.headers({
        'content-type': file.mime,
        'accept-ranges': 'bytes',
        'content-disposition': 'inline',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': file.cache === 'minutes' ? 'private, max-age=300' : 'private, no-store',
        ...(file.varies ? { vary: 'Accept' } : {}),
        ...(file.tag ? { etag: file.tag } : {}),
      })
      if (file.tag && request.headers['if-none-match'] === file.tag) return reply.code(304).send()
      const range = parseRange(request.headers.range, file.bytes)
      if (range === 'unsatisfiable') {
        return reply.code(416).header('content-range', `bytes */${file.bytes}`).send()
      }
      const body = await file.open(range ?? undefined)
      if (!body) throw new AppError('media_not_found')
      if (file.stillAllowed) cutOffWhenRefused(context, body, reply.raw, file.stillAllowed)
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
      return reply.header('content-length', range ? range.end - range.start + 1 : file.bytes).send(body)
    } catch (error) {
      return sendError(request, reply, error)
    }
  })
}

/** How often access is checked while a file is sent: a takedown stops it within twice this time. */
const ASK_EVERY_MS = 2000

/** Ends an answer in progress, with its connection, once its viewer loses access. */
function cutOffWhenRefused(
  { clock, log }: Context,
  body: Readable,
  answer: ServerResponse,
  stillAllowed: (now: Date) => Promise<boolean>,
): void {
  let asking = false
  const timer = setInterval(async () => {
    if (asking) return
    asking = true
    try {
      if (await stillAllowed(clock.now())) return
      body.destroy()
      answer.destroy()
    } catch (error) {
      log.warn({ err: error }, 'a file that is being sent could not be asked about')
    } finally {
      asking = false
    }
  }, ASK_EVERY_MS)
  answer.once('close', () => clearInterval(timer))
}

/** One byte range (RFC 9110 §14); several, malformed ones and other units are ignored, as the standard allows. */
export function parseRange(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  if (!header?.startsWith('bytes=')) return null
  // A suffix range longer than the file means the whole file; the library refuses it.
  const [, last] = /^bytes=-(\d+)$/.exec(header) ?? []
  if (bytes > 0 && Number(last) >= bytes) return { start: 0, end: bytes - 1 }
  const ranges = rangeParser(bytes, header)
  if (ranges === -1) return 'unsatisfiable'
  const [range, another] = ranges === -2 ? [] : ranges
  return range && !another ? range : null
}
