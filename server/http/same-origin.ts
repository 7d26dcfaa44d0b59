import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Refuses a changing call from a page of another origin (ASVS 3.5.1); throws `other_origin`. */
export function refuseOtherOrigins(request: FastifyRequest): void {
  if (isFromOtherOrigin(request)) throw new AppError('other_origin')
}

/**
 * Whether the browser says that a page of another origin sent this. Old browsers send no `Sec-Fetch-Site`, so `Origin`
 * decides; other programs send neither.
 */
export function isFromOtherOrigin(request: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  if (site === undefined) return origin !== undefined && hostOf(origin) !== request.host
  return site !== 'same-origin' && site !== 'none'
}

function hostOf(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null
}
