import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan, buildMedia, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { buildPair, conversation, messageOf } from '../../../testing/chat.ts'
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
    closedBy: null,
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
  expect(closed.items[0]).toMatchObject({
    _id: reportId,
    decision: 'The sender was warned',
    closedAt: expect.any(String),
    closedBy: { username: reviewer.username },
  })
  const open = await api.call(routes.messageReports, { query: {} })
  expect(open.items.map(({ _id }) => _id)).not.toContain(reportId)
  await expect(
    api.call(routes.closeReport, { body: { ...body, reportId: crypto.randomUUID() } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

describe('who sent what was reported', () => {
  const post = (by: Person, path: string, body: object) => harness.api.as(by).send('POST', path, { body })
  const answers = async (by: Person, reportId: string) => {
    const api = harness.api.as(by)
    const { items } = await api.call(routes.messageReports, { query: {} })
    const { items: waiting } = await api.call(routes.waiting, {})
    return {
      listed: items.some(({ _id }) => _id === reportId),
      waiting: waiting.find(({ kind }) => kind === 'report')?.count ?? 0,
      read: (await post(by, '/admin/messagereport/read', { reportId })).status,
      closed: (await post(by, '/admin/messagereport/close', { reportId, reason: 'I was right' })).status,
    }
  }
  const promote = (person: Person, role: 'reviewer' | null) =>
    harness.context.db.updateTable('users').set({ role }).where('id', '=', person.id).execute()

  test('neither sees that and by whom, nor closes it, while somebody else could', async () => {
    const { sender, reportId } = await reported()
    await promote(sender, 'reviewer')
    const open = (await answers(reviewer, crypto.randomUUID())).waiting
    expect(await answers(sender, reportId)).toEqual({
      listed: false,
      waiting: open - 1,
      read: 403,
      closed: 403,
    })
    await post(reviewer, '/admin/messagereport/close', { reportId, reason: 'It is a threat' })
    const closed = await harness.api.as(sender).call(routes.messageReports, { query: { showing: 'closed' } })
    expect(closed.items.map(({ _id }) => _id)).not.toContain(reportId)
    await promote(sender, null)
  })

  test('decides where nobody else could', async () => {
    const { sender, reportId } = await reported()
    await promote(sender, 'reviewer')
    await promote(reviewer, null)
    const alone = await answers(sender, reportId)
    await promote(reviewer, 'reviewer')
    await promote(sender, null)
    expect(alone).toMatchObject({ listed: true, read: 200, closed: 200 })
  })
})

test('open reports are counted by age for whoever watches the server', async () => {
  const counts = async () => {
    const figures = await (await fetch(`${harness.origin}/metrics`)).text()
    const [day, older] = ['day', 'older'].map((age) =>
      Number(new RegExp(`^message_reports_open\\{age="${age}"\\} (\\d+)$`, 'm').exec(figures)?.[1]),
    )
    return { day: day ?? 0, older: older ?? 0 }
  }
  const before = await counts()
  const { reportId } = await reported()
  expect(await counts()).toEqual({ ...before, day: before.day + 1 })
  harness.clock.advance(25 * 3600 * 1000)
  const open = before.day + before.older
  expect(await counts()).toEqual({ day: 0, older: open + 1 })
  const api = harness.api.as({ token: await buildSession(harness, reviewer.id) })
  await api.call(routes.closeReport, { body: { reportId, reason: 'The sender was warned' } })
  expect(await counts()).toEqual({ day: 0, older: open })
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

/** A message with a photo from a creator to a fan, who may report it. */
async function sentPhoto() {
  const { creator, fan } = await buildPair(harness)
  const mediaId = await buildMedia(harness, creator)
  const socket = await harness.api.as(creator).socket()
  const attachments = [{ url: `/media/${mediaId}` }]
  const sent = await socket.emit('chat message', messageOf(creator, fan, { content: 'Look', attachments }))
  socket.close()
  const messageId = (sent.ok && sent.message?._id) || ''
  const report = () =>
    harness.api.as(fan).call(routes.reportMessage, { body: { messageId, reason: 'Not what I want' } })
  return { creator, fan, mediaId, messageId, report }
}

const forget = () => harness.server.jobs['messages.forget']({}, { attempt: 1, lastAttempt: false })
const pass = (days: number) => harness.clock.advance(days * 24 * 3600 * 1000)

/** The reported message of the newest report, as a reviewer reads it now. */
async function review() {
  const reviewing = { ...reviewer, token: await buildSession(harness, reviewer.id) }
  const api = harness.api.as(reviewing)
  const { items } = await api.call(routes.messageReports, { query: {} })
  const reportId = items[0]?._id ?? ''
  const { messages } = await api.call(routes.readReported, { body: { reportId } })
  return { api, reportId, line: messages.find(({ reported }) => reported) }
}

test('reviewers see a reported photo though its sender deletes message and photo, and can take it down', async () => {
  const { creator, fan, mediaId, messageId, report } = await sentPhoto()
  await report()
  await harness.api.as(creator).call(routes.deleteMessage, { body: { messageId } })
  await harness.api.as(creator).call(routes.deleteMedia, { body: { mediaId } })
  const { messages } = await conversation(harness, fan, creator)
  expect(messages).toMatchObject([{ content: '', attachments: [] }])
  pass(60)
  await forget()
  await harness.server.jobs['media.purge']({}, { attempt: 1, lastAttempt: false })
  const { api, reportId, line } = await review()
  expect(line).toMatchObject({ content: 'Look', deleted: true, attachments: [{ _id: mediaId }] })
  const address = line?.attachments[0]?.url ?? ''
  expect((await api.fetch(address)).status).toBe(200)
  await api.call(routes.quarantineMedia, { body: { mediaId, reason: 'Not lawful' } })
  expect((await api.fetch(address)).status).not.toBe(200)
  expect((await review()).line?.attachments).toMatchObject([{ _id: mediaId, locked: true }])
  await api.call(routes.closeReport, { body: { reportId, reason: 'Taken down' } })
  pass(8)
  await forget()
  const left = await harness.context.db
    .selectFrom('message_attachments')
    .selectAll()
    .where('message_id', '=', messageId)
    .execute()
  expect(left).toEqual([])
})

test('a deleted message can be reported by its recipient for seven days, and is forgotten then', async () => {
  const { creator, messageId, report } = await sentPhoto()
  await harness.api.as(creator).call(routes.deleteMessage, { body: { messageId } })
  pass(6)
  await forget()
  const late = await sentPhoto()
  await harness.api.as(late.creator).call(routes.deleteMessage, { body: { messageId: late.messageId } })
  const { fan } = late
  await expect(
    harness.api.as(fan).call(routes.reportMessage, { body: { messageId, reason: 'Not mine' } }),
  ).rejects.toMatchObject({ code: 'message_not_found' })
  await late.report()
  expect((await review()).line).toMatchObject({ content: 'Look', deleted: true, attachments: [{}] })
  pass(2)
  await forget()
  await expect(report()).rejects.toMatchObject({ code: 'message_not_found' })
  const { kept_content } = await harness.context.db
    .selectFrom('messages')
    .select('kept_content')
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow()
  expect(kept_content).toBeNull()
})

/**
 * A creator's threat to a fan that was edited, with every event the fan got and everything the fan can read of it
 * since.
 */
async function sentThreat() {
  const { creator, fan } = await buildPair(harness)
  const [own, theirs] = [await harness.api.as(creator).socket(), await harness.api.as(fan).socket()]
  const sent = await own.emit('chat message', messageOf(creator, fan, { content: 'I know where you live' }))
  const messageId = (sent.ok && sent.message?._id) || ''
  const api = harness.api.as(creator)
  const edit = (content: string) => api.call(routes.editMessage, { body: { messageId, content } })
  const answer = await edit('Hi')
  await expect.poll(() => theirs.all('message changed').length).toBe(1)
  const seen = {
    answer,
    changed: theirs.all('message changed'),
    theirs: await conversation(harness, fan, creator),
    own: await conversation(harness, creator, fan),
  }
  own.close()
  theirs.close()
  const report = () =>
    harness.api.as(fan).call(routes.reportMessage, { body: { messageId, reason: 'This is a threat' } })
  const kept = () =>
    harness.context.db
      .selectFrom('message_versions')
      .select('content')
      .where('message_id', '=', messageId)
      .orderBy('revision')
      .execute()
  return { creator, fan, messageId, edit, seen, report, kept }
}

const threat = { content: 'I know where you live', until: expect.any(String) }

test('reviewers see what a message said before its edits, and nobody else does', async () => {
  const { creator, fan, messageId, edit, seen, report } = await sentThreat()
  expect(seen.theirs.messages).toMatchObject([{ content: 'Hi', editedAt: expect.any(String) }])
  expect(JSON.stringify(seen)).not.toContain(threat.content)
  await report()
  await edit('Hello')
  await harness.api.as(creator).call(routes.deleteMessage, { body: { messageId } })
  const { api, reportId, line } = await review()
  expect(line).toMatchObject({ content: 'Hello', deleted: true, earlier: [threat, { content: 'Hi' }] })
  const reportShown = async () =>
    (await api.call(routes.messageReports, { query: {} })).items.find(({ _id }) => _id === reportId)
  expect(await reportShown()).toMatchObject({ content: 'Hi', earlier: [threat] })
  await harness.context.db.deleteFrom('users').where('id', 'in', [creator.id, fan.id]).execute()
  expect(await reportShown()).toMatchObject({ content: 'Hi', earlier: [threat], readable: false })
})

test('a message is edited twenty times at most, however many edits come at once, and its first text stays', async () => {
  const { seen, edit, kept, report } = await sentThreat()
  harness.clock.advance(60_000)
  expect(await edit('Hi')).toEqual(seen.answer)
  expect(await kept()).toHaveLength(1)
  await Promise.all(Array.from({ length: 5 }, () => edit('Hello')))
  expect(await kept()).toEqual([{ content: threat.content }, { content: 'Hi' }])
  const edits = await Promise.allSettled(Array.from({ length: 25 }, (_, at) => edit(`Text ${at}`)))
  const refused = edits.flatMap((made) => (made.status === 'rejected' ? [made.reason] : []))
  expect(refused).toHaveLength(7)
  for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: 'message_edited_often' })
  await expect(edit('Once more')).rejects.toMatchObject({ code: 'message_edited_often' })
  await report()
  const { earlier } = (await review()).line ?? {}
  expect(earlier).toHaveLength(20)
  expect(earlier?.[0]).toEqual(threat)
})

test('what a message said before an edit is forgotten after seven days, unless it is reported', async () => {
  const [alone, open, closed, deleted] = [
    await sentThreat(),
    await sentThreat(),
    await sentThreat(),
    await sentThreat(),
  ]
  await open.report()
  await closed.report()
  const { api, reportId } = await review()
  await api.call(routes.closeReport, { body: { reportId, reason: 'Warned' } })
  harness.clock.advance(20 * 3600 * 1000)
  const later = { token: await buildSession(harness, deleted.creator.id) }
  await harness.api.as(later).call(routes.deleteMessage, { body: { messageId: deleted.messageId } })
  const left = async () => {
    await forget()
    const kept = await Promise.all([alone, open, closed, deleted].map((sent) => sent.kept()))
    return kept.map(({ length }) => length)
  }
  pass(6)
  expect(await left()).toEqual([1, 1, 1, 1])
  harness.clock.advance(5 * 3600 * 1000)
  expect(await left()).toEqual([0, 1, 0, 1])
  pass(1)
  expect(await left()).toEqual([0, 1, 0, 0])
})
