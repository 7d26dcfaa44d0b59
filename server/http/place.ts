import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Geo, Place } from '../ports/geo/port.ts'

/** The parts of a request that tell where it comes from, as far as proxies are trusted. */
export type Arrival = Pick<FastifyRequest, 'ip' | 'host' | 'headers'> & {
  socket: Pick<FastifyRequest['socket'], 'remoteAddress'>
}

/** A request's place. */
export type Locate = (request: Arrival) => Place

/** The same for a request that doesn't pass through Fastify, by the same rules. */
export function arrivalOf(
  request: IncomingMessage,
  isTrusted: (address: string | undefined) => boolean,
): Arrival {
  const { headers, socket } = request
  const forwarded = isTrusted(socket.remoteAddress) ? headers['x-forwarded-host'] : undefined
  const host = [forwarded ?? headers.host ?? ''].flat().at(-1)?.split(',').at(-1)?.trim() ?? ''
  return { ip: proxyAddr(request, isTrusted), host, headers, socket }
}

/**
 * Finds a request's place by the visitor's address, and by the edge's headers only if the peer is a trusted proxy: anybody
 * else could send such a header.
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
