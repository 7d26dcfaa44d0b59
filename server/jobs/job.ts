import type { z } from 'zod'

/**
 * What a job waits behind. Each lane has workers and database connections of its own: `fast` is short work on the
 * database alone, `mail` sends mails, `media` prepares uploads, `posters` takes frames of videos, `copies` makes copies of
 * them, `exports` packs what people download of their own, `gateway` asks the payment gateway what became of something, or
 * to give back or forget it, `renewals` charges there, `store` removes files, `push` speaks to push services, `forum` reads
 * the forum, `posting` publishes there and looks up what is in doubt, and `bulk` writes to many people.
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
  /** How often it is tried before it is given up. */
  attempts: number
} & (
  | {
      /** At most one waits and at most one runs, over all processes. */
      single?: true
      cron?: never
      inTurn?: never
    }
  | {
      /** Any number wait, and one at most runs, over all processes. */
      inTurn: true
      single?: never
      cron?: never
    }
  | {
      /** Comes by itself (crontab pattern, UTC), which never overlaps an earlier run. */
      cron: string
      single: true
      inTurn?: never
    }
)

/** Keeps the exact type of a definition, so that `enqueue` and handlers are typed by it. */
export function job<const D extends JobDefinition>(definition: D): D {
  return definition
}
