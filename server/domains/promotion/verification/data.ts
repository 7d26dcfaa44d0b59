import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { PageRequest } from '../../../db/cursor.ts'
import { containing, nameIn } from '../subreddits/data.ts'

const records = (db: Db) =>
  db
    .selectFrom('verifications as record')
    .innerJoin('subreddits', 'subreddits.id', 'record.subreddit_id')
    .select(['subreddits.name', 'subreddits.verification_type'])
    .select(['record.notes', 'record.confirmed', 'record.status', 'record.checked'])
    .select(sql<string | null>`record.remind_on::text`.as('remind_on'))

/** Somebody’s verification in one subreddit. */
export function findRecord(db: Db, userId: string, subredditId: string) {
  return records(db)
    .where('record.user_id', '=', userId)
    .where('record.subreddit_id', '=', subredditId)
    .executeTakeFirst()
}
export type RecordRow = NonNullable<Awaited<ReturnType<typeof findRecord>>>

/** One row more than the page of somebody’s verifications, by name. */
export function listRecords(
  db: Db,
  userId: string,
  { page, status, search }: { page: PageRequest; status: RecordRow['status'] | undefined; search: string },
) {
  return records(db)
    .select('record.sort_name as position')
    .where('record.user_id', '=', userId)
    .$if(status !== undefined, (query) => query.where('record.status', '=', status ?? 'todo'))
    .$if(search !== '', (query) => query.where('record.sort_name', 'like', containing(search)))
    .$if(page.cursor !== undefined, (query) =>
      query.where('record.sort_name', '>', nameIn(page.cursor ?? '')),
    )
    .orderBy('record.sort_name')
    .limit(page.limit + 1)
    .offset(page.cursor === undefined ? (page.skip ?? 0) : 0)
    .execute()
}

/** How many verifications of each status somebody has. */
export async function countRecords(db: Db, userId: string) {
  const rows = await db
    .selectFrom('verifications')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('status')
    .execute()
  const of = (status: RecordRow['status']) => rows.find((row) => row.status === status)?.count ?? 0
  return { todo: of('todo'), pending: of('pending'), done: of('done') }
}

/** People to remind now and of which subreddit: on its day, from 9 AM in their time zone. */
export async function findReminders(db: Db, now: Date, limit: number) {
  const local = sql`(${now}::timestamptz at time zone coalesce(settings.time_zone, 'UTC'))`
  return (
    db
      .selectFrom('verifications as record')
      .innerJoin('subreddits', 'subreddits.id', 'record.subreddit_id')
      .leftJoin('notification_settings as settings', 'settings.user_id', 'record.user_id')
      .select(['record.user_id', 'record.subreddit_id', 'subreddits.name'])
      .where('record.remind_on', 'is not', null)
      // A day that began somewhere.
      .where(
        'record.remind_on',
        '<=',
        sql<Date>`(${now}::timestamptz at time zone 'UTC' + interval '14 hours')::date`,
      )
      .where(sql<boolean>`record.remind_on + time '09:00' <= ${local}`)
      .orderBy('record.remind_on')
      .limit(limit)
      .execute()
  )
}

/** Whether there is somebody of this id. */
export async function isPerson(db: Db, userId: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined
}
