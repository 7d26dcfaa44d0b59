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
  /** Judges and prepares one upload. */
  'media.process': z.object({ uploadId: z.uuid() }),
  /** Removes uploads that were never finished, and their bytes. */
  'media.sweep': z.object({}),
  /** Looks up purchases that a crash or a time-out left undecided. */
  'purchases.recover': z.object({}),
  /** Ends subscriptions whose paid time and grace are over. */
  'subscriptions.expire': z.object({}),
  /** Forgets sessions, confirmations and idempotency keys that are past use. */
  'identity.sweep': z.object({}),
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
  { task: 'identity.sweep', match: '23 * * * *' },
]
