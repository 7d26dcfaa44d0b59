import type { z } from 'zod'

/**
 * What a job waits behind. Each lane has workers and database connections of its own: `fast` is short work on the
 * database and mail, `media` prepares uploads, `posters` takes frames of videos, `copies` makes copies of them, `exports`
 * packs what people download of their own, `outside` speaks to the payment gateway and the store, `push` to push services,
 * `forum` reads the forum, `posting` publishes there, and `bulk` writes to many people.
 */
export type Lane =
  | 'fast'
  | 'media'
  | 'posters'
  | 'copies'
  | 'exports'
  | 'outside'
  | 'push'
  | 'forum'
  | 'posting'
  | 'bulk'

export type JobDefinition = {
  payload: z.ZodObject
  lane: Lane
  /** How often it is tried before it is given up. */
  attempts: number
} & (
  | {
      /** At most one waits and at most one runs, over all processes. */
      single?: true
      cron?: never
    }
  | {
      /** Comes by itself (crontab pattern, UTC), which never overlaps an earlier run. */
      cron: string
      single: true
    }
)

/** Keeps the exact type of a definition, so that `enqueue` and handlers are typed by it. */
export function job<const D extends JobDefinition>(definition: D): D {
  return definition
}
