import type { FastifyRequest } from 'fastify'
import type { Geo, Place } from '../ports/geo/port.ts'

/** Where the visitor of a request is. */
export type Locate = (request: FastifyRequest) => Place

/**
 * Places a request by the visitor's address, and by the edge's headers only when the peer that sent it is a trusted
 * proxy: from anybody else such a header is the visitor's own claim.
 */
export function createLocate(geo: Geo, isTrusted: (address: string | undefined) => boolean): Locate {
  return (request) =>
    geo.locate({
      ip: request.ip,
      edgeHeader: isTrusted(request.socket.remoteAddress)
        ? (name) => {
            const value = request.headers[name.toLowerCase()]
            return Array.isArray(value) ? value[0] : value
          }
        : null,
    })
}
