import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  type EmailFrequency,
  type MailRequest,
  type NotificationKind,
  type NotificationTopic,
  topicOf,
} from '../../../../contract/notifications.ts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { enqueue, enqueueMany, LATER, SOON } from '../../../jobs/enqueue.ts'
import { dayOf, findChosen, findSettings, type Wanted } from '../settings/data.ts'
import { afterQuiet, channelsOf, isWeekly, nextDigestAt } from '../settings/rules.ts'
import { listDue } from './data.ts'

/** How many people's digests are claimed before the next are looked up. */
const BATCH = 100
/** How long before a digest is due it isn't left to that: it may be claimed before the telling commits. */
const CLOSE_MS = 60_000

/** Makes sure that digests come for what these people were just told. */
export async function scheduleDigests(
  tx: Tx,
  people: ReadonlyMap<string, { email: 'daily' | 'weekly'; wanted: Wanted }>,
  now: Date,
): Promise<void> {
  const due = [...people].flatMap(([userId, { email, wanted }]) => {
    const at = nextDigestAt(now, email, wanted.day)
    const known = wanted.nextDigestAt
    // Without this look, everybody who tells a popular account something would wait for the one before.
    return known && known <= at && known.getTime() > now.getTime() + CLOSE_MS ? [] : [{ userId, at }]
  })
  if (due.length === 0) return
  await tx
    .insertInto('notification_settings')
    .values(
      // In one order everywhere, so that statements wait for each other in turn.
      due
        .toSorted((one, other) => (one.userId < other.userId ? -1 : 1))
        .map(({ userId, at }) => ({
          user_id: userId,
          time_zone: null,
          quiet_from: null,
          quiet_to: null,
          next_digest_at: at,
        })),
    )
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        next_digest_at: sql<Date>`least(notification_settings.next_digest_at, excluded.next_digest_at)`,
      }),
    )
    .execute()
}

/** Sends everybody the digest that is due; one that can't be made is tried again by the next run. */
export async function sendDigests({ db, clock, log }: Context): Promise<void> {
  const now = clock.now()
  const failed = new Set<string>()
  const next = async () =>
    (await listDue(db, { now, limit: BATCH + failed.size })).filter((userId) => !failed.has(userId))
  for (let due = await next(); due.length > 0; due = await next())
    for (const userId of due)
      try {
        await db.transaction().execute((tx) => claimDigest(tx, { userId, now }))
      } catch (error) {
        // It must not keep all others waiting.
        failed.add(userId)
        log.error({ err: error, userId }, 'a digest could not be made')
      }
}

/**
 * Puts what waits into one email, which goes out after the commit; nothing where nothing waits. Of several processes one
 * gets the row, and the others find that nothing is due anymore.
 */
async function claimDigest(tx: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  const settings = await tx
    .selectFrom('notification_settings')
    .selectAll()
    .where('user_id', '=', userId)
    .where('next_digest_at', '<=', now)
    .forUpdate()
    .executeTakeFirst()
  if (!settings?.next_digest_at) return
  const day = dayOf(settings)
  const kinds = await listKinds(tx, userId)
  const weekToo = isWeekly({ due: settings.next_digest_at, now }, day)
  // What waited when emails at once were chosen is left to this one; what they leave to a summary may come by either.
  const due = [...kinds('daily'), ...kinds('now'), ...(weekToo ? kinds('weekly') : [])]
  // Most digests are due at the same moment, and nobody waits for one.
  const claimed = await mailWaiting(tx, { kind: 'notifications.digest', person: userId }, due, LATER)
  // After an email the next day is looked at again: something may have been told while this one was made.
  const next = claimed ? nextDigestAt(now, 'daily', day) : await nextWeekly()
  await tx
    .updateTable('notification_settings')
    .set({ next_digest_at: next })
    .where('user_id', '=', userId)
    .execute()

  async function nextWeekly(): Promise<Date | null> {
    const waiting = await tx
      .selectFrom('notifications')
      .select('id')
      .where('user_id', '=', userId)
      .where('read_at', 'is', null)
      .where('mailed_by', 'is', null)
      .where('kind', '=', sql<NotificationKind>`any(${kinds('weekly')}::text[])`)
      .limit(1)
      .executeTakeFirst()
    return waiting ? nextDigestAt(now, 'weekly', day) : null
  }
}

/** Leaves to one email of all that is left what was to be emailed by this one: as soon as a mail may go, after quiet hours. */
export async function leaveToSummary(
  tx: Tx,
  { id, person, at }: { id: string; person: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ mailed_by: null })
    .where('user_id', '=', person)
    .where('mailed_by', '=', id)
    .execute()
  const runAt = afterQuiet(at, dayOf(await findSettings(tx, person)))
  // One waits for each person, which keeps its time.
  const summary = { payload: { person }, key: `summary ${person}`, runAt }
  await enqueueMany(tx, 'notifications.summarize', [summary])
}

/** Sends an account what was left to one email and is still unread. */
export async function summarize({ db }: Context, { person }: { person: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const kinds = await listKinds(tx, person)
    await mailWaiting(tx, { kind: 'notifications.summary', person }, kinds('now'), SOON)
  })
}

type Collected = Extract<MailRequest, { kind: 'notifications.digest' | 'notifications.summary' }>

/** Puts what is unread of these kinds and waits for an email into this one; answers whether anything does. */
async function mailWaiting(
  tx: Tx,
  message: Collected,
  kinds: NotificationKind[],
  priority: typeof LATER | typeof SOON,
): Promise<boolean> {
  const id = randomUUID()
  const claimed = await tx
    .updateTable('notifications')
    .set({ mailed_by: id })
    .where('user_id', '=', message.person)
    .where('read_at', 'is', null)
    .where('mailed_by', 'is', null)
    .where('kind', '=', sql<NotificationKind>`any(${kinds}::text[])`)
    .returning('id')
    .execute()
  if (claimed.length > 0) await enqueue(tx, 'notifications.send', { id, message }, { priority })
  return claimed.length > 0
}

/** Leaves out of all digests and summaries, those that wait to be sent as well, what an account was told of a topic so far. */
export async function mailNothingOf(tx: Tx, userId: string, topic: NotificationTopic): Promise<void> {
  const kinds = (Object.keys(topicOf) as NotificationKind[]).filter((kind) => topicOf[kind] === topic)
  await tx
    .updateTable('notifications')
    .set({ mailed_by: sql<string>`id` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('mailed_by', 'is distinct from', sql<string>`id`)
    .where('kind', '=', sql<NotificationKind>`any(${kinds}::text[])`)
    .execute()
}

/** Which kinds this account is told how often by email. */
async function listKinds(tx: Tx, userId: string): Promise<(by: EmailFrequency) => NotificationKind[]> {
  const chosen = await findChosen(tx, userId)
  const all = Object.keys(topicOf) as NotificationKind[]
  return (by) => all.filter((kind) => channelsOf(topicOf[kind], chosen.get(topicOf[kind])).email === by)
}
