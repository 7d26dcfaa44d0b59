import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../networks.ts'

/** Headers that proxies add to forwarded calls. */
const FORWARDING = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']

/**
 * Whether the call comes from this machine, under one of its own names. A local proxy forwards calls of strangers, and a
 * stranger's page may point a foreign name here.
 */
export function isFromHere({ socket, headers }: FastifyRequest): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    !FORWARDING.some((name) => name in headers) &&
    isLoopback((headers.host ?? '').replace(/:\d+$/, ''))
  )
}
