import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page, Reason, Success } from '../../schemas.ts'
import { FeedMedia } from '../media/viewing.ts'

/** Somebody of a report; null once their account is gone. */
const Somebody = z.object({ _id: Id, username: z.string() }).nullable()

/** The text of a message before an edit, and the time of the edit. */
const Earlier = z.object({ content: z.string(), until: Moment })

/** A message that somebody reported, with what it said then. */
const MessageReport = z.object({
  _id: Id,
  createdAt: Moment,
  /** The reporter's complaint. */
  reason: z.string(),
  content: z.string(),
  /** Its earlier texts, oldest first. */
  earlier: z.array(Earlier),
  reporter: Somebody,
  sender: Somebody,
  /** Whether the message and what stands around it can still be read. */
  readable: z.boolean(),
  closedAt: Moment.nullable(),
  /** The operator who closed it. */
  closedBy: Somebody,
  /** The operator's decision. */
  decision: z.string().nullable(),
})

/** One line of the conversation that a reported message stands in. */
const ReportedLine = z.object({
  _id: Id,
  senderId: Id,
  /** Of a deleted message what it said, as long as that is kept. */
  content: z.string(),
  /** The texts before its edits, oldest first, for as long as they are kept. */
  earlier: z.array(Earlier),
  /** In the versions that were sent; locked are those that were taken down. */
  attachments: z.array(FeedMedia),
  createdAt: Moment,
  reported: z.boolean(),
  deleted: z.boolean(),
})

export const messageReportRoutes = {
  messageReports: route({
    method: 'GET',
    path: '/admin/messagereports',
    summary: 'Reported messages that are open, or those that are closed, newest first.',
    access: { permission: 'reports.review' },
    query: Page.omit({ skip: true }).extend({ showing: z.enum(['open', 'closed']).default('open') }),
    output: listOf(MessageReport),
  }),
  readReported: route({
    method: 'POST',
    path: '/admin/messagereport/read',
    summary:
      'A reported message with the ten before and after it, and their media; that it was read goes into the audit log.',
    access: { permission: 'reports.review' },
    body: z.object({ reportId: Id }),
    output: z.object({ messages: z.array(ReportedLine) }),
  }),
  closeReport: route({
    method: 'POST',
    path: '/admin/messagereport/close',
    summary: 'Closes a report with what was decided.',
    access: { permission: 'reports.review' },
    body: z.object({ reportId: Id, reason: Reason }),
    output: Success,
  }),
}
