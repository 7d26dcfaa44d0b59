import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Route } from '../../contract/route.ts'
import { AppError } from '../errors.ts'
import { networkOf } from '../networks.ts'

/** At most `points` calls per `seconds` of what `key` names; limits of one `name` share points and seconds. */
export type Limit = { name: string; key: string; points: number; seconds: number }

/** Counts calls in the database, so that every process counts together. */
export type RateLimits = {
  /** Counts one call against each limit; throws `rate_limited` with the seconds to wait when one is used up. */
  spend(limits: Limit[]): Promise<void>
  /** Gives back what a call spent, for limits that count failures only. */
  forgive(limits: Limit[]): Promise<void>
}

/** Limits that all processes on this database share. */
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
      // Whoever goes on after a refusal costs the database nothing.
      inMemoryBlockOnConsumed: points + 1,
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
      for (const limit of limits) {
        const limiter = limiterOf(limit)
        await limiter.reward(limit.key)
        // There is room again; a key that has none is refused by the database first.
        limiter.deleteInMemoryBlockedAll()
      }
    },
  }
}

/** What the limits of a route look at. */
type CountedCall = {
  ip: string
  viewerId: string | null
  body: Record<string, unknown>
  /** The id of the calling device if it was logged in by this address before. */
  knownDevice(email: string): string | null
}

/** The limits that one call of a route is counted against. */
export function limitsOf(name: string, { rateLimit }: Route, call: CountedCall): Limit[] {
  if (!rateLimit) return []
  const { points, seconds } = rateLimit
  const network = `ip:${networkOf(call.ip)}`
  if (!('by' in rateLimit))
    return [{ name, key: call.viewerId ? `user:${call.viewerId}` : network, points, seconds }]
  const { by, pointsPerAddress, counts } = rateLimit
  const value = String(call.body[by])
  // Somebody who guesses elsewhere must not keep the owner out, so a known device has guesses of its own.
  const device = counts === 'failures' ? call.knownDevice(value) : null
  const hash = createHash('sha256').update(value).digest('base64url')
  return [
    { name, key: device ? `device:${device}` : `${by}:${hash}`, points, seconds },
    { name: `${name}.address`, key: network, points: pointsPerAddress, seconds },
  ]
}

/** Whether a call that succeeded is given back what it spent. */
export function countsFailures({ rateLimit }: Route): boolean {
  return rateLimit !== undefined && 'by' in rateLimit && rateLimit.counts === 'failures'
}
