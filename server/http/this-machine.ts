import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../networks.ts'

/** What proxies add to the calls that they pass on. */
const FORWARDING = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']

/**
 * Whether somebody at this machine calls, by a name of it. A proxy here is a neighbor who speaks for strangers, and a
 * stranger's page may make a foreign name lead here.
 */
export function isFromHere({ socket, headers }: FastifyRequest): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    !FORWARDING.some((name) => name in headers) &&
    isLoopback((headers.host ?? '').replace(/:\d+$/, ''))
  )
}
