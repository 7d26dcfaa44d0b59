import { z } from 'zod'
import { Delivery } from '../../contract/notifications.ts'
import { type JobDefinition, job } from './job.ts'

const nothing = z.object({})

/** Every background job. Handlers live in the domains' `jobs.ts`, and are put together in `server/main.ts`. */
export const jobs = {
  /** Tells an account something by email, or mails a link; text and link are made when it is sent. */
  'notifications.send': job({ payload: Delivery, lane: 'mail', attempts: 10 }),
  /** Hands one notification for one browser to its push service. */
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
  /** Sends one person in one email what was more than their address gets in an hour. */
  'notifications.summarize': job({ payload: z.object({ person: z.uuid() }), lane: 'fast', attempts: 10 }),
  /** Forgets which addresses were mailed lately, and old notifications. */
  'notifications.sweep': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '53 * * * *',
    single: true,
  }),
  /** Tells somebody of messages that they still haven’t read. */
  'messages.remind': job({
    payload: z.object({ conversationId: z.uuid(), userId: z.uuid() }),
    lane: 'fast',
    attempts: 10,
  }),
  /** Tells people of a mass message that they still haven’t read: of those of its messages between two ids. */
  'messages.remind-many': job({
    payload: z.object({ massMessageId: z.uuid(), from: z.uuid(), to: z.uuid() }),
    lane: 'bulk',
    attempts: 10,
  }),
  /** Forgets what was said in messages that their senders deleted a week ago. */
  'messages.forget': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '41 * * * *', single: true }),
  /** Sends a message to many people, or takes it back, a batch of them at a time. */
  'messages.mass': job({ payload: z.object({ massMessageId: z.uuid() }), lane: 'bulk', attempts: 25 }),
  /** Sends a new subscriber what their creator welcomes them with. */
  'messages.welcome': job({ payload: z.object({ subscriptionId: z.uuid() }), lane: 'fast', attempts: 10 }),
  /** Gives back what was paid for custom requests that weren’t delivered in time. */
  'custom-requests.refund': job({
    payload: nothing,
    lane: 'gateway',
    attempts: 1,
    cron: '*/5 * * * *',
    single: true,
  }),
  /** Has the forum revoke the grants that nobody needs anymore. */
  'forum.revoke': job({ payload: nothing, lane: 'forum', attempts: 3, cron: '*/10 * * * *', single: true }),
  /** Reads subreddits from the forum again, the longest due first. */
  'forum.refresh': job({ payload: nothing, lane: 'forum', attempts: 3, cron: '*/5 * * * *', single: true }),
  /** Posts what is due on creators' timelines. */
  'posts.submit': job({ payload: nothing, lane: 'posting', attempts: 1, cron: '* * * * *', single: true }),
  /** Looks up posts that are in doubt, and those that their person makes by hand. */
  'posts.look-up': job({ payload: nothing, lane: 'posting', attempts: 1, cron: '* * * * *', single: true }),
  /** Works out what posts are expected to earn, for queues that go by it. */
  'posts.expect': job({ payload: nothing, lane: 'bulk', attempts: 1, cron: '17 * * * *', single: true }),
  /** Schedules posts for the recurring slots of the days ahead. */
  'slots.fill': job({ payload: nothing, lane: 'bulk', attempts: 1, cron: '*/15 * * * *', single: true }),
  /** Lets posts be used again where they did well, long enough ago. */
  'posts.recycle': job({ payload: nothing, lane: 'bulk', attempts: 1, cron: '23 * * * *', single: true }),
  /** Deletes posts on the forum whose score stayed below what their person wants. */
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
  /** Looks at posts again: score, comments, and whether they were taken down. */
  'posts.follow': job({ payload: nothing, lane: 'forum', attempts: 1, cron: '*/2 * * * *', single: true }),
  /** Reads the inboxes of forum accounts whose person looks at them, and looks up replies in doubt. */
  'inbox.sync': job({ payload: nothing, lane: 'forum', attempts: 1, cron: '* * * * *', single: true }),
  /** Reminds creators of verifications whose day has come. */
  'verification.remind': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '*/15 * * * *',
    single: true,
  }),
  /** Forgets who came by posts long ago. */
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
  /** Gives up items that were deleted long ago and belong to nobody. */
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
  /** Counts the words that search knows, and forgets those that nothing has anymore. */
  'search.count': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '11 4 * * *', single: true }),
  /** Looks up purchases that a crash or a time-out left undecided. */
  'purchases.recover': job({
    payload: nothing,
    lane: 'gateway',
    attempts: 1,
    cron: '* * * * *',
    single: true,
  }),
  /** Looks up one transaction that the gateway has sent a webhook of. */
  'gateway.look-up': job({
    payload: z.object({ transactionId: z.string() }),
    lane: 'gateway',
    attempts: 10,
    inTurn: true,
  }),
  /** Forgets webhooks of long ago. */
  'gateway.forget-notices': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '31 4 * * *',
    single: true,
  }),
  /** Looks up refunds that a crash or a time-out left undecided. */
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
  /** Looks up cards whose storing a crash or a time-out left undecided, and asks when stored cards expire. */
  'cards.recover': job({ payload: nothing, lane: 'gateway', attempts: 1, cron: '* * * * *', single: true }),
  /** Has the gateway forget removed cards, and the customers whose accounts were erased. */
  'cards.forget': job({ payload: nothing, lane: 'gateway', attempts: 1, cron: '* * * * *', single: true }),
  /** Ends canceled subscriptions whose paid time is over. */
  'subscriptions.expire': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '*/5 * * * *',
    single: true,
  }),
  /** Charges the next period of subscriptions, and ends those that nobody pays. */
  'renewals.charge': job({
    payload: nothing,
    lane: 'renewals',
    attempts: 1,
    cron: '* * * * *',
    single: true,
  }),
  /** Tells subscribers what new prices of their plan mean for them: lower ones, or those of a change that they are asked for. */
  'prices.tell': job({
    payload: z.object({
      changeId: z.uuid().nullable(),
      editedAt: z.iso.datetime(),
      each: z.array(z.object({ subscriptionId: z.uuid(), before: z.number().int() })),
    }),
    lane: 'bulk',
    attempts: 25,
  }),
  /** Tells fans of the renewals of the next days. */
  'renewals.remind': job({
    payload: nothing,
    lane: 'fast',
    attempts: 10,
    cron: '*/10 * * * *',
    single: true,
  }),
  /** Makes shares available whose time has come. */
  'ledger.release': job({ payload: nothing, lane: 'fast', attempts: 1, cron: '*/10 * * * *', single: true }),
  /** Puts new journals, payment events and entries of the audit log into their chains of hashes. */
  'records.seal': job({ payload: nothing, lane: 'fast', attempts: 1, cron: '* * * * *', single: true }),
  /** Forgets sessions, confirmations and idempotency keys that are past use. */
  'identity.sweep': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '23 * * * *', single: true }),
  /** Forgets age checks whose result no longer counts. */
  'age.sweep': job({ payload: nothing, lane: 'fast', attempts: 10, cron: '29 4 * * *', single: true }),
  /** Erases the accounts whose deletion is due, with their files in the store. */
  'account.erase': job({ payload: nothing, lane: 'store', attempts: 10, cron: '41 3 * * *', single: true }),
  /** Tells everybody who bought from a creator that the account will be erased. */
  'account.tell-buyers': job({ payload: z.object({ creatorId: z.uuid() }), lane: 'bulk', attempts: 10 }),
  /** Makes one own-data export. */
  'account.export': job({ payload: z.object({ exportId: z.uuid() }), lane: 'exports', attempts: 5 }),
  /** Removes exports whose time is over. */
  'account.sweep': job({ payload: nothing, lane: 'store', attempts: 10, cron: '37 * * * *', single: true }),
} as const satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type JobPayload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>
export type JobHandlers = {
  [N in JobName]: (payload: JobPayload<N>, run: { attempt: number; lastAttempt: boolean }) => Promise<void>
}

/** Every job with its name, its optional parts readable without knowing which one it is. */
export const definitions = Object.entries(jobs) as [JobName, JobDefinition][]
