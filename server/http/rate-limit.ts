import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Route } from '../../contract/route.ts'
import { AppError } from '../errors.ts'
import { networkOf } from '../networks.ts'

/** At most `points` calls per `seconds` for each `key`; limits of the same `name` share points and seconds. */
export type Limit = { name: string; key: string; points: number; seconds: number }

/** Counts calls in the database, so that all processes count together. */
export type RateLimits = {
  /** Counts one call against each limit; throws `rate_limited` with the seconds to wait when one is used up. */
  spend(limits: Limit[]): Promise<void>
  /** Returns a call's points, for limits that count only failures. */
  forgive(limits: Limit[]): Promise<void>
}

/** Limits shared by all processes on this database. */
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
      // Calls that continue after a refusal cost the database nothing.
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
        // Unblock all keys in memory; the database still refuses those without points.
        limiter.deleteInMemoryBlockedAll()
      }
    },
  }
}

/** The parts of a call that limits count by. */
type CountedCall = {
  ip: string
  viewerId: string | null
  body: Record<string, unknown>
  /** The id of the calling device, if it was logged in from this address before. */
  knownDevice(email: string): string | null
}

/** The limits that one call of a route counts against. */
export function limitsOf(name: string, { rateLimit }: Route, call: CountedCall): Limit[] {
  if (!rateLimit) return []
  const { points, seconds } = rateLimit
  const network = `ip:${networkOf(call.ip)}`
  if (!('by' in rateLimit))
    return [{ name, key: call.viewerId ? `user:${call.viewerId}` : network, points, seconds }]
  const { by, pointsPerAddress, counts } = rateLimit
  const value = String(call.body[by])
  // Guesses made elsewhere must not lock the owner out, so a known device has a limit of its own.
  const device = counts === 'failures' ? call.knownDevice(value) : null
  const hash = createHash('sha256').update(value).digest('base64url')
  return [
    { name, key: device ? `device:${device}` : `${by}:${hash}`, points, seconds },
    { name: `${name}.address`, key: network, points: pointsPerAddress, seconds },
  ]
}

/** Whether a successful call gets its points back. */
export function countsFailures({ rateLimit }: Route): boolean {
  return rateLimit !== undefined && 'by' in rateLimit && rateLimit.counts === 'failures'
}
