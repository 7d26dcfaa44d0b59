import { expect, test } from 'vitest'
import { ME, message } from '../cache/sample.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { rowsOf } from './rows.ts'

const at = (hour: number, minute: number, day = 21) => new Date(2026, 10, day, hour, minute).toISOString()
const mine = { senderId: ME }
const none = { outgoing: [], me: ME, firstUnread: null, hasOlder: false }

test('messages of one person within minutes stand together; another person, a pause and a new day part them', () => {
  const messages = [
    message(1, { createdAt: at(12, 0) }),
    message(2, { createdAt: at(12, 1) }),
    message(3, { createdAt: at(12, 2), ...mine }),
    message(4, { createdAt: at(12, 20), ...mine }),
    message(5, { createdAt: at(0, 1, 22), ...mine }),
  ]
  const rows = rowsOf({ ...none, messages })
  expect(rows.map(({ first, last }) => [first, last])).toEqual([
    [true, false],
    [false, true],
    [true, true],
    [true, true],
    [true, true],
  ])
  expect(rows.map(({ day }) => day)).toEqual(['2026-11-21', null, null, null, '2026-11-22'])
})

test('while older messages exist the first one begins no day', () => {
  const rows = rowsOf({ ...none, messages: [message(1)], hasOlder: true })
  expect(rows[0]?.day).toBeNull()
})

test('the message that was unread first is marked, and no other', () => {
  const messages = [message(1), message(2, mine), message(3), message(4)]
  const rows = rowsOf({ ...none, messages, firstUnread: 3 })
  expect(rows.map(({ firstUnread }) => firstUnread)).toEqual([false, false, true, false])
  expect(rowsOf({ ...none, messages }).some(({ firstUnread }) => firstUnread)).toBe(false)
})

test('a message on its way stands last, and once under the same key when it has arrived', () => {
  const outgoing: Outgoing = {
    clientMessageId: 'own name',
    recipientId: 'them',
    conversationId: 'conversation',
    content: 'hello',
    replyTo: null,
    uploadKeys: [],
    mediaIds: [],
    price: null,
    createdAt: at(13, 0),
    state: 'sending',
    error: null,
    notBefore: null,
  }
  const before = rowsOf({ ...none, messages: [message(1)], outgoing: [outgoing] })
  expect(before.map(({ kind, key }) => [kind, key])).toEqual([
    ['message', 'message 1'],
    ['outgoing', 'own name'],
  ])
  const arrived = message(2, { ...mine, clientMessageId: 'own name' })
  const after = rowsOf({ ...none, messages: [message(1), arrived], outgoing: [outgoing] })
  expect(after.map(({ kind, key }) => [kind, key])).toEqual([
    ['message', 'message 1'],
    ['message', 'own name'],
  ])
})

test('what was written after a limited message stands behind it', () => {
  const written = (clientMessageId: string, notBefore: number | null): Outgoing => ({
    ...{
      clientMessageId,
      recipientId: 'them',
      conversationId: 'conversation',
      content: 'hello',
      replyTo: null,
    },
    ...{ uploadKeys: [], mediaIds: [], price: null, createdAt: at(13, 0), state: 'waiting', notBefore },
    error: notBefore === null ? null : 'Too many.',
  })
  const outgoing = [written('one', null), written('two', 1), written('three', null)]
  const rows = rowsOf({ ...none, messages: [], outgoing })
  expect(rows.map((row) => row.kind === 'outgoing' && row.behind)).toEqual([false, false, true])
})
