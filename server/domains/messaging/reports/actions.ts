import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'

type Review = { reportId: string; operatorId: string; now: Date }

/** Notes that an operator read what people wrote to each other. Throws `not_found`; nobody reviews their own. */
export async function noteReading(tx: Tx, { reportId, operatorId, now }: Review): Promise<void> {
  const report = await tx
    .selectFrom('message_reports')
    .select(['reason', 'sender_id'])
    .where('id', '=', reportId)
    .executeTakeFirst()
  if (!report) throw new AppError('not_found')
  if (report.sender_id === operatorId) throw new AppError('forbidden')
  const what = { actorId: operatorId, targetKind: 'message-report', targetId: reportId, detail: {}, now }
  await writeAudit(tx, { ...what, action: 'message-report.read', reason: report.reason })
}

/** Closes a report with what was decided. Throws `not_found` and `report_closed`. */
export async function closeReport(
  tx: Tx,
  { reportId, operatorId, reason, now }: Review & { reason: string },
): Promise<void> {
  const report = await tx
    .selectFrom('message_reports')
    .select(['closed_at', 'sender_id'])
    .where('id', '=', reportId)
    .forUpdate()
    .executeTakeFirst()
  if (!report) throw new AppError('not_found')
  if (report.sender_id === operatorId) throw new AppError('forbidden')
  if (report.closed_at) throw new AppError('report_closed')
  await tx
    .updateTable('message_reports')
    .set({ closed_at: now, closed_by: operatorId, decision: reason })
    .where('id', '=', reportId)
    .execute()
  const what = { actorId: operatorId, targetKind: 'message-report', targetId: reportId, detail: {}, now }
  await writeAudit(tx, { ...what, action: 'message-report.closed', reason })
}
