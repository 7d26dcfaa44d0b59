import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { ServedFile } from '../handler.ts'

/**
 * `/files/preview/<media id>`: the picture of a link preview, requested without cookie or signature. Never cached, because
 * the item may be locked at any time; 451 where content is withheld.
 */
export function mountPreviews(
  app: FastifyInstance,
  open: (mediaId: string) => Promise<ServedFile>,
  withheldFrom: (request: FastifyRequest) => Promise<boolean>,
): void {
  app.get<{ Params: { mediaId: string } }>('/files/preview/:mediaId', async (request, reply) => {
    reply.header('cache-control', 'private, no-store')
    if (await withheldFrom(request)) throw new AppError('region_restricted')
    const file = await open(request.params.mediaId)
    const body = await file.open()
    if (!body) throw new AppError('media_not_found')
    return reply.type(file.mime).header('content-length', file.bytes).send(body)
  })
}
