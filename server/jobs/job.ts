import type { z } from 'zod'

/**
 * The lane that a job runs in. Each lane has its own workers and database connections: `fast` is short work on the database,
 * `mail` sends email, `media` prepares uploads, `posters` takes video frames, `copies` makes copies of videos, `exports`
 * packs personal data, `gateway` looks up, refunds, and deletes at the payment gateway, `renewals` charges there, `store`
 * removes files, `push` calls push services, `forum` reads the forum, `posting` publishes there and looks up unconfirmed
 * posts, and `bulk` writes to many people.
 */
export type Lane =
  | 'fast'
  | 'mail'
  | 'media'
  | 'posters'
  | 'copies'
  | 'exports'
  | 'gateway'
  | 'renewals'
  | 'store'
  | 'push'
  | 'forum'
  | 'posting'
  | 'bulk'

export type JobDefinition = {
  payload: z.ZodObject
  lane: Lane
  /** How many attempts it gets before it fails for good. */
  attempts: number
} & (
  | {
      /** At most one running, across all processes, and one waiting besides those that `countEnqueued` adds. */
      single?: true
      cron?: never
      inTurn?: never
    }
  | {
      /** Any number waiting, at most one running, across all processes. */
      inTurn: true
      single?: never
      cron?: never
    }
  | {
      /** Runs on a schedule (crontab pattern, UTC) that never overlaps an earlier run. */
      cron: string
      single: true
      inTurn?: never
    }
)

/** Keeps the exact type of a definition, which types `enqueue` and the handlers. */
export function job<const D extends JobDefinition>(definition: D): D {
  return definition
}
