import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors.ts'

type Limit = { points: number; seconds: number; by?: string }

/** Counts calls in the database, so that every process counts together. */
export type RateLimits = {
  /** Counts one call of the route by `keys`; throws `rate_limited` with the seconds to wait when one is used up. */
  spend(route: string, limit: Limit, keys: string[]): Promise<void>
  /** Gives back what a call of this route spent, for limits that count failures only. */
  forgive(route: string, limit: Limit, keys: string[]): Promise<void>
}

export function createRateLimits(pool: pg.Pool): RateLimits {
  const limiters = new Map<string, RateLimiterPostgres>()
  const limiterOf = (route: string, limit: Limit) => {
    const known = limiters.get(route)
    if (known) return known
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: route,
      points: limit.points,
      duration: limit.seconds,
    })
    limiters.set(route, limiter)
    return limiter
  }
  return {
    async spend(route, limit, keys) {
      for (const key of keys) {
        try {
          await limiterOf(route, limit).consume(key)
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error
          throw new AppError('rate_limited', {
            retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
          })
        }
      }
    },
    async forgive(route, limit, keys) {
      for (const key of keys) await limiterOf(route, limit).reward(key)
    },
  }
}
