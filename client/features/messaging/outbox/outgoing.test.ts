import { expect, test } from 'vitest'
import { nextTime, nextToSend, type Outgoing, reduce } from './outgoing.ts'

const outgoing = (clientMessageId: string, changes: Partial<Outgoing> = {}): Outgoing => ({
  clientMessageId,
  recipientId: 'them',
  conversationId: 'conversation',
  content: clientMessageId,
  replyTo: null,
  uploadKeys: [],
  mediaIds: [],
  price: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  state: 'waiting',
  error: null,
  notBefore: null,
  ...changes,
})
const ids = (messages: readonly Outgoing[]) => messages.map(({ clientMessageId }) => clientMessageId)
const ready = () => 'ready' as const

test('of each conversation the oldest message is sent, and none while another is under way', () => {
  const messages = [outgoing('a'), outgoing('b'), outgoing('c', { conversationId: 'other' })]
  expect(ids(nextToSend(messages, ready, 0))).toEqual(['a', 'c'])
  const started = reduce(messages, { type: 'started', id: 'a' })
  expect(ids(nextToSend(started, ready, 0))).toEqual(['c'])
})

test('a message whose files are uploading holds up no other, and one that failed neither', () => {
  const messages = [
    outgoing('files', { uploadKeys: ['1'] }),
    outgoing('b', { state: 'failed' }),
    outgoing('c'),
  ]
  const filesOf = ({ uploadKeys }: Outgoing) => (uploadKeys.length > 0 ? 'uploading' : 'ready')
  expect(ids(nextToSend(messages, filesOf, 0))).toEqual(['c'])
})

test('a message without an answer waits again at its place under its own name', () => {
  const sent = reduce([outgoing('a'), outgoing('b')], { type: 'started', id: 'a' })
  const again = reduce(sent, { type: 'unanswered', id: 'a', notBefore: 0, error: null })
  expect(again.map(({ clientMessageId, state }) => [clientMessageId, state])).toEqual([
    ['a', 'waiting'],
    ['b', 'waiting'],
  ])
  expect(ids(nextToSend(again, ready, 0))).toEqual(['a'])
})

test('a failed message is sent again only when the person says so, and an acknowledged one never', () => {
  const failed = reduce([outgoing('a', { state: 'sending' })], {
    type: 'failed',
    id: 'a',
    error: 'No.',
    refused: true,
  })
  expect(failed[0]).toMatchObject({ state: 'failed', error: 'No.' })
  expect(nextToSend(failed, ready, 0)).toEqual([])
  expect(nextToSend(reduce(failed, { type: 'retried', id: 'a' }), ready, 0)).toHaveLength(1)
  const sent = reduce(failed, { type: 'sent', id: 'a' })
  expect(reduce(sent, { type: 'retried', id: 'a' })[0]?.state).toBe('sent')
  expect(reduce(sent, { type: 'unanswered', id: 'a', notBefore: 0, error: null })[0]?.state).toBe('sent')
  expect(reduce(sent, { type: 'removed', id: 'a' })).toEqual([])
})

test('a message waits for its time, but not for that of a clock that was set back since', () => {
  const waiting = (notBefore: number) => [outgoing('a', { notBefore })]
  expect(nextToSend(waiting(600_000), ready, 0)).toEqual([])
  expect(nextTime(waiting(600_000), 0)).toBe(600_000)
  expect(ids(nextToSend(waiting(86_400_000), ready, 0))).toEqual(['a'])
  expect(nextTime(waiting(86_400_000), 0)).toBeNull()
})
