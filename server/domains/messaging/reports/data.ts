import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf } from '../../../db/cursor.ts'
import type { EarlierText } from '../../../db/tables/messaging.ts'
import { others } from '../../identity/roles/data.ts'
import { earlierJson } from '../messages/data.ts'

export type ReportRow = Awaited<ReturnType<typeof listReports>>[number]

/** Whether the row of `report` may be reviewed by this person: who sent what it is about may not, while somebody else could. */
export const reviewableBy = (db: Db, viewerId: string, report: string) => sql<boolean>`(
  ${sql.ref(`${report}.sender_id`)} is distinct from ${viewerId}::uuid
  or not exists (${others(db, 'reports.review', sql`array[${viewerId}::uuid]`)})
)`

type Asked = PageRequest & { showing: 'open' | 'closed'; viewerId: string }

/** One row more than the page of the open or the closed reports that this viewer may review, newest first. */
export function listReports(db: Db, { showing, viewerId, limit, cursor }: Asked) {
  const [at, id] = [sql.ref<Date>('report.created_at'), sql.ref<string>('report.id')]
  return db
    .selectFrom('message_reports as report')
    .leftJoin('users as reporter', 'reporter.id', 'report.reporter_id')
    .leftJoin('users as sender', 'sender.id', 'report.sender_id')
    .leftJoin('users as closer', 'closer.id', 'report.closed_by')
    .select([
      'report.id',
      'report.created_at',
      'reason',
      'content',
      'earlier',
      'message_id',
      'closed_at',
      'decision',
    ])
    .select([
      'reporter_id',
      'reporter.username as reporterName',
      'sender_id',
      'sender.username as senderName',
      'closed_by',
      'closer.username as closerName',
    ])
    .select(positionOf(at, id).as('position'))
    .where('closed_at', showing === 'open' ? 'is' : 'is not', null)
    .where(reviewableBy(db, viewerId, 'report'))
    .$if(cursor !== undefined, (rows) => rows.where(after(cursor ?? '', at, id)))
    .orderBy('report.created_at', 'desc')
    .orderBy('report.id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** How many reports are open, from the last day and older. */
export async function countOpen(db: Db, now: Date): Promise<{ day: number; older: number }> {
  const isNew = sql<boolean>`created_at > ${now}::timestamptz - interval '24 hours'`
  return db
    .selectFrom('message_reports')
    .select([
      sql<number>`(count(*) filter (where ${isNew}))::integer`.as('day'),
      sql<number>`(count(*) filter (where not ${isNew}))::integer`.as('older'),
    ])
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
}

/** How many messages are shown before and after the reported one. */
const AROUND = 10

/** The reported message and the ones around it, oldest first; none once it is gone. */
export async function listAround(db: Db, reportId: string) {
  const { rows } = await sql<{
    id: string
    sender_id: string
    content: string
    earlier: EarlierText[]
    created_at: Date
    deleted: boolean
    reported: boolean
  }>`
    with reported as (
      select messages.id, conversation_id, position from message_reports
      join messages on messages.id = message_reports.message_id where message_reports.id = ${reportId}
    ), around as (
      (select messages.* from messages join reported using (conversation_id)
        where messages.position <= reported.position order by messages.position desc limit ${sql.lit(AROUND + 1)})
      union all
      (select messages.* from messages join reported using (conversation_id)
        where messages.position > reported.position order by messages.position limit ${sql.lit(AROUND)})
    )
    select around.id, sender_id, coalesce(kept_content, content) as content, around.created_at,
      ${earlierJson(sql.ref('around.id'))} as earlier, deleted_at is not null as deleted, around.id = (select id from reported) as reported
    from around order by around.position`.execute(db)
  return rows
}
