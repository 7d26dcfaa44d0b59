import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { conversationIdOf } from '../data.ts'

let harness: Harness
let reviewer: Person

beforeAll(async () => {
  harness = await startHarness()
  reviewer = await buildUser(harness, { role: 'reviewer' })
})
afterAll(() => harness?.stop())

/** A conversation in which the ninth of twelve messages was reported. */
async function reported(): Promise<{ sender: Person; reporter: Person; reportId: string }> {
  const sender = await buildFan(harness)
  const reporter = await buildFan(harness, { discoverable: true })
  const socket = await harness.api.as(sender).socket()
  const conversationId = conversationIdOf(sender.id, reporter.id)
  const participants = [{ _id: sender.id }, { _id: reporter.id }]
  let ninth = ''
  for (let count = 1; count <= 12; count++) {
    const message = { senderId: sender.id, content: `Line ${count}`, conversationId }
    const answer = await socket.emit('chat message', {
      message,
      conversation: { _id: conversationId, participants },
    })
    if (count === 9 && answer.ok) ninth = answer.message?._id ?? ''
  }
  socket.close()
  const body = { messageId: ninth, reason: 'This is a threat' }
  await harness.api.as(reporter).call(routes.reportMessage, { body })
  const { items } = await harness.api.as(reviewer).call(routes.messageReports, { query: {} })
  return { sender, reporter, reportId: items[0]?._id ?? '' }
}

test('a report is read with what stands around it, and each reading is in the audit log', async () => {
  const { sender, reporter, reportId } = await reported()
  const api = harness.api.as(reviewer)
  const { items } = await api.call(routes.messageReports, { query: {} })
  expect(items[0]).toMatchObject({
    content: 'Line 9',
    reason: 'This is a threat',
    sender: { username: sender.username },
    reporter: { username: reporter.username },
    closedAt: null,
  })
  const { messages } = await api.call(routes.readReported, { body: { reportId } })
  expect(messages.map(({ content }) => content)).toEqual(
    Array.from({ length: 12 }, (_line, at) => `Line ${at + 1}`),
  )
  expect(messages.filter((line) => line.reported)).toMatchObject([{ content: 'Line 9' }])
  const audit = await harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action'])
    .where('target_id', '=', reportId)
    .execute()
  expect(audit).toEqual([{ actor_id: reviewer.id, action: 'message-report.read' }])
})

test('a report is closed once, with what was decided', async () => {
  const { reportId } = await reported()
  const api = harness.api.as(reviewer)
  const body = { reportId, reason: 'The sender was warned' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => api.send('POST', '/admin/messagereport/close', { body })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  const closed = await api.call(routes.messageReports, { query: { showing: 'closed' } })
  expect(closed.items[0]).toMatchObject({ _id: reportId, decision: 'The sender was warned' })
  const open = await api.call(routes.messageReports, { query: {} })
  expect(open.items.map(({ _id }) => _id)).not.toContain(reportId)
  await expect(
    api.call(routes.closeReport, { body: { ...body, reportId: crypto.randomUUID() } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('a report outlives the account of who wrote the message, and who reported it', async () => {
  const { sender, reporter, reportId } = await reported()
  await harness.context.db.deleteFrom('users').where('id', 'in', [sender.id, reporter.id]).execute()
  const api = harness.api.as(reviewer)
  const { items } = await api.call(routes.messageReports, { query: {} })
  expect(items.find(({ _id }) => _id === reportId)).toMatchObject({
    content: 'Line 9',
    sender: null,
    reporter: null,
    readable: false,
  })
  expect(await api.call(routes.readReported, { body: { reportId } })).toEqual({ messages: [] })
})
