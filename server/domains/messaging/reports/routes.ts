import { toPage } from '../../../db/cursor.ts'
import type { EarlierText } from '../../../db/tables/messaging.ts'
import type { Handlers } from '../../../handler.ts'
import { listReportedMedia } from '../../media/viewing/sent/data.ts'
import { closeReport, noteReading } from './actions.ts'
import { listAround, listReports, type ReportRow } from './data.ts'

export const messageReportHandlers = {
  async messageReports({ db, viewer, query }) {
    return toPage(await listReports(db, { ...query, viewerId: viewer.id }), query, presentReport)
  },

  async readReported({ context, db, viewer, companion, body, now }) {
    await noteReading(db, { ...body, operatorId: viewer.id, now })
    const rows = await listAround(db, body.reportId)
    const attached = await listReportedMedia(db, {
      messageIds: rows.map(({ id }) => id),
      signer: context.signer,
      companion,
      now,
    })
    return {
      messages: rows.map((row) => ({
        _id: row.id,
        senderId: row.sender_id,
        content: row.content,
        earlier: row.earlier.map(presentEarlier),
        attachments: attached.filter(({ messageId }) => messageId === row.id).map(({ item }) => item),
        createdAt: row.created_at.toISOString(),
        reported: row.reported,
        deleted: row.deleted,
      })),
    }
  },

  async closeReport({ db, viewer, body, now }) {
    await closeReport(db, { ...body, operatorId: viewer.id, now })
    return { success: true }
  },
} satisfies Partial<Handlers>

const presentEarlier = ({ content, until }: EarlierText) => ({
  content,
  until: new Date(until).toISOString(),
})

const named = (_id: string | null, username: string | null) => (_id && username ? { _id, username } : null)

function presentReport(row: ReportRow) {
  return {
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    reason: row.reason,
    content: row.content,
    earlier: row.earlier.map(presentEarlier),
    reporter: named(row.reporter_id, row.reporterName),
    sender: named(row.sender_id, row.senderName),
    readable: row.message_id !== null,
    closedAt: row.closed_at?.toISOString() ?? null,
    closedBy: named(row.closed_by, row.closerName),
    decision: row.decision,
  }
}
