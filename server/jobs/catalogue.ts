import { z } from 'zod'
import { Delivery } from '../../contract/notifications.ts'

/** Every background job: its name and the payload it takes. Handlers live in the domains' `jobs.ts`. */
export const jobs = {
  /** Tells an account something by e-mail, or mails a link; text and link are made when it is sent. */
  'notifications.send': Delivery,
  /** Forgets which addresses were mailed lately. */
  'notifications.sweep': z.object({}),
  /** Validates and prepares one upload. */
  'media.process': z.object({ uploadId: z.uuid() }),
  /** Removes uploads that were never finished, and their bytes. */
  'media.sweep': z.object({}),
  /** Gives up items that were deleted long ago and belong to nobody. */
  'media.purge': z.object({}),
  /** Removes files that an item no longer has: all below an old prefix (`names` null), or those of its own prefix by name. */
  'media.remove-files': z.object({
    mediaId: z.uuid(),
    storageId: z.uuid(),
    names: z.array(z.string()).nullable(),
  }),
  /** Takes another frame of a video as its poster; `label` marks the new files' names. */
  'media.poster': z.object({ mediaId: z.uuid(), seconds: z.number(), label: z.string() }),
  /** Counts how many items of discover carry each tag. */
  'tags.count': z.object({}),
  /** Counts the words that search knows, and forgets those that nothing has any more. */
  'search.count': z.object({}),
  /** Looks up purchases that a crash or a time-out left undecided. */
  'purchases.recover': z.object({}),
  /** Ends subscriptions whose paid time and grace are over. */
  'subscriptions.expire': z.object({}),
  /** Forgets sessions, confirmations and idempotency keys that are past use. */
  'identity.sweep': z.object({}),
  /** Forgets age checks whose result no longer counts. */
  'age.sweep': z.object({}),
  /** Erases the accounts whose deletion is due. */
  'account.erase': z.object({}),
  /** Tells everybody who bought from a creator that the account will be erased. */
  'account.tell-buyers': z.object({ creatorId: z.uuid() }),
  /** Makes one own-data export. */
  'account.export': z.object({ exportId: z.uuid() }),
  /** Removes exports whose time is over. */
  'account.sweep': z.object({}),
} as const

export type JobName = keyof typeof jobs
export type JobPayload<N extends JobName> = z.output<(typeof jobs)[N]>
export type JobHandlers = {
  [N in JobName]: (payload: JobPayload<N>, run: { attempt: number; lastAttempt: boolean }) => Promise<void>
}

/** Jobs that come by themselves (crontab patterns, UTC). */
export const schedule: readonly { task: JobName; match: string }[] = [
  { task: 'purchases.recover', match: '* * * * *' },
  { task: 'subscriptions.expire', match: '*/5 * * * *' },
  { task: 'media.sweep', match: '17 * * * *' },
  { task: 'media.purge', match: '13 4 * * *' },
  { task: 'tags.count', match: '*/10 * * * *' },
  { task: 'search.count', match: '11 4 * * *' },
  { task: 'identity.sweep', match: '23 * * * *' },
  { task: 'notifications.sweep', match: '53 * * * *' },
  { task: 'age.sweep', match: '29 4 * * *' },
  { task: 'account.erase', match: '41 3 * * *' },
  { task: 'account.sweep', match: '37 * * * *' },
]
