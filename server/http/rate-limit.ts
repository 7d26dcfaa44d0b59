import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Route } from '../../contract/route.ts'
import { AppError } from '../errors.ts'
import type { Viewer } from '../viewer.ts'
import type { Input } from './input.ts'

/** At most `points` calls per `seconds` of what `key` names; limits of one `name` share points and seconds. */
export type Limit = { name: string; key: string; points: number; seconds: number }

/** Counts calls in the database, so that every process counts together. */
export type RateLimits = {
  /** Counts one call against each limit; throws `rate_limited` with the seconds to wait when one is used up. */
  spend(limits: Limit[]): Promise<void>
  /** Gives back what a call spent, for limits that count failures only. */
  forgive(limits: Limit[]): Promise<void>
}

export function createRateLimits(pool: pg.Pool): RateLimits {
  const limiters = new Map<string, RateLimiterPostgres>()
  const limiterOf = ({ name, points, seconds }: Limit) => {
    const known = limiters.get(name)
    if (known) return known
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    })
    limiters.set(name, limiter)
    return limiter
  }
  return {
    async spend(limits) {
      for (const limit of limits) {
        try {
          await limiterOf(limit).consume(limit.key)
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error
          throw new AppError('rate_limited', {
            retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
          })
        }
      }
    },
    async forgive(limits) {
      for (const limit of limits) await limiterOf(limit).reward(limit.key)
    },
  }
}

/** What this call counts against: by person, else by address; by a field's value where the route says so. */
export function limitsOf(
  name: string,
  { rateLimit }: Route,
  request: FastifyRequest,
  input: Input,
  viewer: Viewer | null,
): Limit[] {
  if (!rateLimit) return []
  const { points, seconds } = rateLimit
  if (!('by' in rateLimit))
    return [{ name, key: viewer ? `user:${viewer.id}` : `ip:${request.ip}`, points, seconds }]
  const { by, pointsPerAddress } = rateLimit
  const value = createHash('sha256').update(String(input.body[by])).digest('base64url')
  return [
    { name, key: `${by}:${value}`, points, seconds },
    { name: `${name}.address`, key: `ip:${request.ip}`, points: pointsPerAddress, seconds },
  ]
}
