import { sql } from 'kysely'
import type { EmailFrequency, NotificationTopic } from '../../../../contract/notifications.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { mailNothingOf } from '../digests/actions.ts'
import type { Scope } from '../rules.ts'
import { dayOf, findChosen, findSettings } from './data.ts'
import { channelsOf, movedDigestAt, unsubscribed } from './rules.ts'

type Choice = { topic: NotificationTopic; email?: EmailFrequency | undefined; push?: boolean | undefined }

/**
 * Sets the channels of a topic for an account; channels that aren't named stay as they are. What it was told before emails
 * of it are turned off is never emailed.
 */
export async function setTopic(tx: Tx, userId: string, { topic, email, push }: Choice): Promise<void> {
  if (email === undefined && push === undefined) return
  const before = channelsOf(topic, (await findChosen(tx, userId)).get(topic))
  const set = { email: email ?? before.email, push: push ?? before.push }
  await tx
    .insertInto('notification_preferences')
    .values({ user_id: userId, topic, ...set })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'topic']).doUpdateSet({
        ...(email === undefined ? {} : { email }),
        ...(push === undefined ? {} : { push }),
      }),
    )
    .execute()
  if (email === 'off') await mailNothingOf(tx, userId, topic)
}

/** Ends the emails that a link is about; nothing where the account is gone. */
export async function unsubscribe(
  tx: Tx,
  { userId, scope }: { userId: string; scope: Scope },
): Promise<void> {
  const account = await tx.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
  if (!account) return
  const chosen = await findChosen(tx, userId)
  const ended = unsubscribed(scope, (topic) => channelsOf(topic, chosen.get(topic)).email)
  for (const topic of ended) await setTopic(tx, userId, { topic, email: 'off' })
}

type Settings = {
  quietHours?: { from: number; to: number } | null | undefined
  quietFrom?: number | undefined
  quietTo?: number | undefined
  timeZone?: string | undefined
  showMessageText?: boolean | undefined
}

/** Keeps in which time zone a person's browser is, if none is kept yet. */
export async function noteTimeZone(
  db: Db,
  { userId, timeZone, now }: { userId: string; timeZone: string; now: Date },
): Promise<void> {
  if ((await findSettings(db, userId))?.time_zone) return
  await db.transaction().execute((tx) => setSettings(tx, userId, { timeZone }, now))
}

/**
 * Sets an account's quiet hours, time zone, and what push shows; what isn't named stays. Throws `quiet_hours_changed` where
 * one end of them is moved to the other, or they are off by now.
 */
export async function setSettings(
  tx: Tx,
  userId: string,
  { quietHours, quietFrom, quietTo, timeZone, showMessageText }: Settings,
  now: Date,
): Promise<void> {
  const quiet = { quiet_from: quietHours?.from ?? null, quiet_to: quietHours?.to ?? null }
  const set = {
    ...(quietHours === undefined ? {} : quiet),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(showMessageText === undefined ? {} : { show_message_text: showMessageText }),
  }
  if (Object.keys(set).length > 0)
    await tx
      .insertInto('notification_settings')
      .values({
        user_id: userId,
        time_zone: null,
        quiet_from: null,
        quiet_to: null,
        next_digest_at: null,
        ...set,
      })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(set))
      .execute()
  await moveQuietHours(tx, userId, { quietFrom, quietTo })
  if (timeZone !== undefined) await moveDigest(tx, userId, now)
}

/** Moves the ends of the quiet hours that are named, so that another tab's move of the other end stays. */
async function moveQuietHours(
  tx: Tx,
  userId: string,
  { quietFrom, quietTo }: Pick<Settings, 'quietFrom' | 'quietTo'>,
): Promise<void> {
  if (quietFrom === undefined && quietTo === undefined) return
  const from = quietFrom === undefined ? sql.ref<number>('quiet_from') : sql.val(quietFrom)
  const to = quietTo === undefined ? sql.ref<number>('quiet_to') : sql.val(quietTo)
  const moved = await tx
    .updateTable('notification_settings')
    .set({ quiet_from: from, quiet_to: to })
    .where('user_id', '=', userId)
    .where('quiet_from', 'is not', null)
    .where(sql<boolean>`${from} <> ${to}`)
    .returning('user_id')
    .executeTakeFirst()
  if (!moved) throw new AppError('quiet_hours_changed')
}

/** Waiting digests are sent at the next nine o'clock of the new time zone. */
async function moveDigest(tx: Tx, userId: string, now: Date): Promise<void> {
  const settings = await findSettings(tx, userId)
  if (!settings?.next_digest_at || settings.next_digest_at <= now) return
  await tx
    .updateTable('notification_settings')
    .set({ next_digest_at: movedDigestAt({ due: settings.next_digest_at, now }, dayOf(settings)) })
    .where('user_id', '=', userId)
    .execute()
}
