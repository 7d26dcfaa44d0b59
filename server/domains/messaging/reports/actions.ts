import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { DELETED_MESSAGE_KEPT_DAYS } from '../../../../contract/constants.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { reviewableBy } from './data.ts'

type Review = { reportId: string; operatorId: string; now: Date }

/** Records that an operator read a reported conversation. Throws `not_found`, and `forbidden` where `reviewableBy` says so. */
export async function noteReading(tx: Tx, { reportId, operatorId, now }: Review): Promise<void> {
  const report = await tx
    .selectFrom('message_reports')
    .select(['reason', reviewableBy(tx, operatorId, 'message_reports').as('reviewable')])
    .where('id', '=', reportId)
    .executeTakeFirst()
  if (!report) throw new AppError('not_found')
  if (!report.reviewable) throw new AppError('forbidden')
  const what = {
    actorId: operatorId,
    targetKind: 'message-report' as const,
    targetId: reportId,
    detail: {},
    now,
  }
  await writeAudit(tx, { ...what, action: 'message-report.read', reason: report.reason })
}

/** Closes a report with the decision. Throws `not_found`, `report_closed`, and `forbidden` as above. */
export async function closeReport(
  tx: Tx,
  { reportId, operatorId, reason, now }: Review & { reason: string },
): Promise<void> {
  const report = await tx
    .selectFrom('message_reports')
    .select(['closed_at', reviewableBy(tx, operatorId, 'message_reports').as('reviewable')])
    .where('id', '=', reportId)
    .forUpdate()
    .executeTakeFirst()
  if (!report) throw new AppError('not_found')
  if (!report.reviewable) throw new AppError('forbidden')
  if (report.closed_at) throw new AppError('report_closed')
  await tx
    .updateTable('message_reports')
    .set({ closed_at: now, closed_by: operatorId, decision: reason })
    .where('id', '=', reportId)
    .execute()
  const what = {
    actorId: operatorId,
    targetKind: 'message-report' as const,
    targetId: reportId,
    detail: {},
    now,
  }
  await writeAudit(tx, { ...what, action: 'message-report.closed', reason })
}

const DAY_MS = 24 * 3600 * 1000
const keptSince = (now: Date) => new Date(now.getTime() - DELETED_MESSAGE_KEPT_DAYS * DAY_MS)

/** Whether a report of this message is open, or was closed after that. */
const isReported = (messageId: RawBuilder<string>, since: Date): RawBuilder<SqlBool> => sql`exists (
  select from message_reports
  where message_id = ${messageId} and (closed_at is null or closed_at >= ${since}) offset 0
)`

/** How many messages are erased in one transaction. */
const FORGOTTEN_AT_ONCE = 1000

/**
 * Erases the text of deleted messages that can't be reported anymore; a reported one stays until its report has been closed
 * for as long. Returns whether more may be left.
 */
export async function forgetDeleted(tx: Tx, now: Date): Promise<boolean> {
  const before = keptSince(now)
  const { rows } = await sql`
    with gone as materialized (
      select id from messages
      where kept_content is not null and deleted_at < ${before} and not ${isReported(sql.ref('messages.id'), before)}
      limit ${sql.lit(FORGOTTEN_AT_ONCE)} for update skip locked
    ), without as (
      delete from message_attachments using gone where message_id = gone.id
    )
    update messages set kept_content = null from gone where messages.id = gone.id returning gone.id`.execute(
    tx,
  )
  return rows.length === FORGOTTEN_AT_ONCE
}

/**
 * Forgets what some messages said before edits that are as long ago, by the same rule; of a message that was deleted
 * since no earlier than the rest of it. Returns whether more may be left.
 */
export async function forgetEdited(tx: Tx, now: Date): Promise<boolean> {
  const before = keptSince(now)
  const { rows } = await sql`
    with gone as materialized (
      select message_id, revision from message_versions
      where until < ${before} and not ${isReported(sql.ref('message_versions.message_id'), before)} and not exists (
        select from messages where id = message_id and deleted_at >= ${before} offset 0
      )
      limit ${sql.lit(FORGOTTEN_AT_ONCE)} for update skip locked
    )
    delete from message_versions as version using gone
    where version.message_id = gone.message_id and version.revision = gone.revision returning 1`.execute(tx)
  return rows.length === FORGOTTEN_AT_ONCE
}
