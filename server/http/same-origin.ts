import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Refuses a call that changes something when the browser says that a page of another origin sent it (ASVS 3.5.1).
 * Without `Sec-Fetch-Site`, from old browsers, `Origin` decides; programs that are no browsers send neither. Throws
 * `other_origin`.
 */
export function refuseOtherOrigins(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  if (site === undefined && origin === undefined) return
  const own = site === undefined ? hostOf(origin) === request.host : site === 'same-origin' || site === 'none'
  if (!own) throw new AppError('other_origin')
}

function hostOf(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null
}
