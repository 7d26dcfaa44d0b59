import { z } from 'zod'
import { Delivery } from '../../contract/notifications.ts'
import { type JobDefinition, job } from './job.ts'

const nothing = z.object({})

/** Every background job. Handlers live in the domains' `jobs.ts` and are combined in `server/main.ts`. */
export const jobs = {
  /** Emails an account a notification or a link; text and link are made when it is sent. */
  'notifications.send': job({ payload: Delivery, lane: 'mail', attempts: 10 }),
  /** Sends one notification to one browser through its push service. */
  'notifications.push': job({
    payload: z.object({ notificationId: z.uuid(), subscriptionId: z.uuid(), tries: z.number().int() }),
    lane: 'push',
    attempts: 3,
  }),
  /** Sends the digests that are due. */
  'notifications.digests': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '*/5 * * * *',
    single: true,
  }),
  /** Sends one person a summary of the emails beyond the hourly limit of their address. */
  'notifications.summarize': job({ payload: z.object({ person: z.uuid() }), lane: 'fast', attempts: 10 }),
  /** Deletes records of recently mailed addresses, and old notifications. */
  'notifications.sweep': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '53 * * * *',
    single: true,
  }),
  /** Reminds people of messages that are still unread; messages enqueue it as well, for the second when they are due. */
  'messages.remind-due': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '* * * * *',
    single: true,
  }),
  /** Reminds one person whose place a mass message found locked. */
  'messages.remind': job({
    payload: z.object({ conversationId: z.uuid(), userId: z.uuid() }),
    lane: 'fast',
    attempts: 10,
  }),
  /** Reminds people of a mass message that is still unread: those whose message ids lie in a range. */
  'messages.remind-many': job({
    payload: z.object({ massMessageId: z.uuid(), from: z.uuid(), to: z.uuid() }),
    lane: 'bulk',
    attempts: 10,
  }),
  /** Deletes the text of messages that their senders deleted a week ago. */
  'messages.forget': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '41 * * * *', single: true }),
  /** Sends or unsends a mass message, one batch at a time. */
  'messages.mass': job({ payload: z.object({ massMessageId: z.uuid() }), lane: 'bulk', attempts: 25 }),
  /** Sends a new subscriber their creator's welcome message. */
  'messages.welcome': job({ payload: z.object({ subscriptionId: z.uuid() }), lane: 'fast', attempts: 10 }),
  /** Refunds custom requests that weren’t delivered in time. */
  'custom-requests.refund': job({
    payload: nothing,
    lane: 'gateway',
    attempts: 1,
    cron: '*/5 * * * *',
    single: true,
  }),
  /** Has the forum revoke grants that are no longer needed. */
  'forum.revoke': job({ payload: nothing, lane: 'forum', attempts: 3, cron: '*/10 * * * *', single: true }),
  /** Reads subreddits from the forum again, the longest due first. */
  'forum.refresh': job({ payload: nothing, lane: 'forum', attempts: 3, cron: '*/5 * * * *', single: true }),
  /** Publishes the posts that are due on creators' timelines. */
  'posts.submit': job({ payload: nothing, lane: 'posting', attempts: 1, cron: '* * * * *', single: true }),
  /** Looks up unconfirmed posts, and posts that their owners make manually. */
  'posts.look-up': job({ payload: nothing, lane: 'posting', attempts: 1, cron: '* * * * *', single: true }),
  /** Calculates expected earnings, for queues ordered by them. */
  'posts.expect': job({ payload: nothing, lane: 'bulk', attempts: 1, cron: '17 * * * *', single: true }),
  /** Schedules posts for the recurring slots of the next days. */
  'slots.fill': job({ payload: nothing, lane: 'bulk', attempts: 1, cron: '*/15 * * * *', single: true }),
  /** Makes posts that did well available again once enough time has passed. */
  'posts.recycle': job({ payload: nothing, lane: 'bulk', attempts: 1, cron: '23 * * * *', single: true }),
  /** Deletes posts on the forum whose score stayed below the minimum that their owner set. */
  'posts.take-down': job({
    payload: nothing,
    lane: 'forum',
    attempts: 1,
    cron: '*/10 * * * *',
    single: true,
  }),
  /** Makes a copy of a video with the name of a forum account on it. */
  'posts.copy': job({
    payload: z.object({ versionId: z.uuid(), name: z.string() }),
    lane: 'copies',
    attempts: 4,
  }),
  /** Checks posts again: score, comments, and whether they were removed. */
  'posts.follow': job({ payload: nothing, lane: 'forum', attempts: 1, cron: '*/2 * * * *', single: true }),
  /** Reads the inboxes of forum accounts while their owner looks at them, and looks up unconfirmed replies. */
  'inbox.sync': job({ payload: nothing, lane: 'forum', attempts: 1, cron: '* * * * *', single: true }),
  /** Reminds creators of verifications due today. */
  'verification.remind': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '*/15 * * * *',
    single: true,
  }),
  /** Deletes old visits from posts. */
  'visits.forget': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '19 4 * * *', single: true }),
  /** Validates and prepares one upload. */
  'media.process': job({ payload: z.object({ uploadId: z.uuid() }), lane: 'media', attempts: 6 }),
  /** Takes another frame of a video as its poster; `label` marks the new files' names. */
  'media.poster': job({
    payload: z.object({ mediaId: z.uuid(), seconds: z.number(), label: z.string() }),
    lane: 'posters',
    attempts: 4,
  }),
  /** Removes files that an item no longer has: all below an old prefix (`names` null), or those of its own prefix by name. */
  'media.remove-files': job({
    payload: z.object({
      mediaId: z.uuid(),
      storageId: z.uuid(),
      names: z.array(z.string()).nullable(),
    }),
    lane: 'store',
    attempts: 10,
  }),
  /** Removes uploads that were never finished, and their bytes. */
  'media.sweep': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '17 * * * *', single: true }),
  /** Purges items that were deleted long ago and that nobody owns. */
  'media.purge': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '13 4 * * *', single: true }),
  /** Counts how many items of discover carry each tag. */
  'tags.count': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '*/10 * * * *', single: true }),
  /** Counts how many fans each creator has, and how popular that makes their items. */
  'popularity.count': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '47 * * * *',
    single: true,
  }),
  /** Counts the words that search knows, and deletes those that no item has anymore. */
  'search.count': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '11 4 * * *', single: true }),
  /** Deletes the lines of old files for the bank. */
  'payouts.forget': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '29 4 * * *', single: true }),
  /** Resolves purchases that a crash or a time-out left undecided. */
  'purchases.recover': job({
    payload: nothing,
    lane: 'gateway',
    attempts: 1,
    cron: '* * * * *',
    single: true,
  }),
  /** Looks up one transaction that the gateway sent a webhook about. */
  'gateway.look-up': job({
    payload: z.object({ transactionId: z.string() }),
    lane: 'gateway',
    attempts: 10,
    inTurn: true,
  }),
  /** Deletes old webhooks. */
  'gateway.forget-notices': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '31 4 * * *',
    single: true,
  }),
  /** Resolves refunds that a crash or a time-out left undecided. */
  'refunds.recover': job({
    payload: nothing,
    lane: 'gateway',
    attempts: 1,
    cron: '* * * * *',
    single: true,
  }),
  /** Compares payments with what the gateway charged. */
  'payments.compare': job({
    payload: nothing,
    lane: 'gateway',
    attempts: 3,
    cron: '37 5 * * *',
    single: true,
  }),
  /** Resolves cards whose storing a crash or a time-out left undecided, and asks when stored cards expire. */
  'cards.recover': job({ payload: nothing, lane: 'gateway', attempts: 1, cron: '* * * * *', single: true }),
  /** Deletes removed cards at the gateway, and the customers of erased accounts. */
  'cards.forget': job({ payload: nothing, lane: 'gateway', attempts: 1, cron: '* * * * *', single: true }),
  /** Ends canceled subscriptions whose paid period is over. */
  'subscriptions.expire': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '*/5 * * * *',
    single: true,
  }),
  /** Confirms a cancellation to the fan, unless they undid it meanwhile. */
  'subscriptions.confirm': job({
    payload: z.object({ fanId: z.uuid(), subscriptionId: z.uuid(), canceledAt: z.iso.datetime() }),
    lane: 'fast',
    attempts: 10,
  }),
  /** Charges the next period of subscriptions, and ends those that stay unpaid. */
  'renewals.charge': job({
    payload: nothing,
    lane: 'renewals',
    attempts: 1,
    cron: '* * * * *',
    single: true,
  }),
  /** Tells subscribers what a plan's new price means for them: a lower price, or an increase that they are asked to accept. */
  'prices.tell': job({
    payload: z.object({
      changeId: z.uuid().nullable(),
      editedAt: z.iso.datetime(),
      each: z.array(z.object({ subscriptionId: z.uuid(), before: z.number().int() })),
    }),
    lane: 'bulk',
    attempts: 25,
  }),
  /** Announces the renewals of the next days to fans, and the end of what stays unpaid. */
  'renewals.remind': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '*/10 * * * *',
    single: true,
  }),
  /** Makes pending shares available once their time has come. */
  'ledger.release': job({ payload: nothing, lane: 'fast', attempts: 1, cron: '*/10 * * * *', single: true }),
  /** Adds new records of money, payouts, and the audit log to their hash chains. */
  'records.seal': job({ payload: nothing, lane: 'fast', attempts: 1, cron: '* * * * *', single: true }),
  /** Deletes expired sessions, confirmations, and idempotency keys. */
  'identity.sweep': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '23 * * * *', single: true }),
  /** Deletes age checks whose result has expired. */
  'age.sweep': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '29 4 * * *', single: true }),
  /** Erases accounts whose deletion is due, with their stored files. */
  'account.erase': job({ payload: nothing, lane: 'store', attempts: 10, cron: '41 3 * * *', single: true }),
  /** Tells everybody who bought from a creator that the account will be erased. */
  'account.tell-buyers': job({ payload: z.object({ creatorId: z.uuid() }), lane: 'bulk', attempts: 10 }),
  /** Makes one export of a person's data. */
  'account.export': job({ payload: z.object({ exportId: z.uuid() }), lane: 'exports', attempts: 5 }),
  /** Removes expired exports. */
  'account.sweep': job({ payload: nothing, lane: 'store', attempts: 10, cron: '37 * * * *', single: true }),
} as const satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type JobPayload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>
export type JobHandlers = {
  [N in JobName]: (payload: JobPayload<N>, run: { attempt: number; lastAttempt: boolean }) => Promise<void>
}

/** Every job by name, with its optional parts readable for any of them. */
export const definitions = Object.entries(jobs) as [JobName, JobDefinition][]
