import { sql } from 'kysely'
import {
  type EmailFrequency,
  type NotificationEvent,
  type NotificationTopic,
  topicOf,
} from '../../../../contract/notifications.ts'
import type { Db } from '../../../db/client.ts'
import { channelsOf, DEFAULT_TIME_ZONE, type LocalDay } from './rules.ts'

/** An account's notification channels and schedule. */
export type Wanted = {
  email: EmailFrequency
  push: boolean
  day: LocalDay
  showMessageText: boolean
  nextDigestAt: Date | null
  /** Whether a browser of theirs listens: a commit that tells nobody is cheaper. */
  online: boolean
}

/** The account's setting for the topic of this kind. */
export async function findWanted(
  db: Db,
  { person, kind }: Pick<NotificationEvent, 'person' | 'kind'>,
): Promise<Wanted> {
  const wanted = (await findEachWanted(db, [person], kind)).get(person)
  if (!wanted) throw new Error('no settings for an account')
  return wanted
}

/** The settings of these accounts for the topic of this kind. */
export async function findEachWanted(
  db: Db,
  people: string[],
  kind: NotificationEvent['kind'],
): Promise<Map<string, Wanted>> {
  const topic = topicOf[kind]
  type Row = SettingsRow & { id: string; email: EmailFrequency | null; push: boolean | null; online: boolean }
  const { rows } = await sql<Row>`
    select account.id, time_zone, quiet_from, quiet_to, show_message_text, next_digest_at, email, push,
      exists (select from online_people where online_people.user_id = account.id) as online
    from unnest(${people}::uuid[]) as account (id)
      left join notification_settings as settings on settings.user_id = account.id
      left join notification_preferences as chosen on chosen.user_id = account.id and chosen.topic = ${topic}`.execute(
    db,
  )
  return new Map(
    rows.map(({ id, email, push, online, ...row }) => [
      id,
      {
        ...channelsOf(topic, email === null || push === null ? undefined : { email, push }),
        day: dayOf(row),
        showMessageText: row.show_message_text ?? false,
        nextDigestAt: row.next_digest_at,
        online,
      },
    ]),
  )
}

type SettingsRow = {
  time_zone: string | null
  quiet_from: number | null
  quiet_to: number | null
  show_message_text: boolean | null
  next_digest_at: Date | null
}

/** The day of an account by its settings, if there are any. */
export function dayOf(row: Pick<SettingsRow, 'time_zone' | 'quiet_from' | 'quiet_to'> | undefined): LocalDay {
  const { time_zone = null, quiet_from = null, quiet_to = null } = row ?? {}
  return {
    timeZone: time_zone ?? DEFAULT_TIME_ZONE,
    quiet: quiet_from === null || quiet_to === null ? null : { from: quiet_from, to: quiet_to },
  }
}

/** An account's own settings by topic; topics without one are missing. */
export async function findChosen(
  db: Db,
  userId: string,
): Promise<Map<NotificationTopic, { email: EmailFrequency; push: boolean }>> {
  const rows = await db
    .selectFrom('notification_preferences')
    .select(['topic', 'email', 'push'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ topic, email, push }) => [topic, { email, push }]))
}

/** An account's settings; undefined as long as it has none. */
export function findSettings(db: Db, userId: string) {
  return db.selectFrom('notification_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()
}
