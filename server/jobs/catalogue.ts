import { z } from 'zod'

/** Every background job: its name and the payload it takes. Handlers live in the domains' `jobs.ts`. */
export const jobs = {
  /** Sends one e-mail; the text is made when the job is enqueued. */
  'mail.send': z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    messageId: z.string(),
  }),
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
  /** Has the gateway forget the customers whose accounts were erased. */
  'cards.forget': z.object({}),
  /** Ends subscriptions whose paid time and grace are over. */
  'subscriptions.expire': z.object({}),
  /** Mails a link for a new password, if the address has an account. */
  'identity.send-reset': z.object({ email: z.string() }),
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
  { task: 'cards.forget', match: '* * * * *' },
  { task: 'subscriptions.expire', match: '*/5 * * * *' },
  { task: 'media.sweep', match: '17 * * * *' },
  { task: 'media.purge', match: '13 4 * * *' },
  { task: 'tags.count', match: '*/10 * * * *' },
  { task: 'search.count', match: '11 4 * * *' },
  { task: 'identity.sweep', match: '23 * * * *' },
  { task: 'age.sweep', match: '29 4 * * *' },
  { task: 'account.erase', match: '41 3 * * *' },
  { task: 'account.sweep', match: '37 * * * *' },
]
