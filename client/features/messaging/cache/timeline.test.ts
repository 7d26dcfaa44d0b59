import { expect, test } from 'vitest'
import { answer, conversation, ME, message, OTHER } from './sample.ts'
import {
  asRead,
  type Chat,
  caughtUp,
  firstUnreadOf,
  newest,
  opened,
  withEvent,
  withMessage,
  withNewer,
  withOlder,
} from './timeline.ts'

const positions = ({ messages }: Chat) => messages.map(({ position }) => position)

test('an event that follows what is known is appended once, and the same event again changes nothing', () => {
  const chat = opened(answer([1, 2], { revision: 2 }))
  const first = withEvent(chat, message(3), conversation({ revision: 3 }))
  expect(first.missed).toBe(false)
  expect(positions(first.chat)).toEqual([1, 2, 3])
  expect(first.chat.revision).toBe(3)
  const second = withEvent(first.chat, message(3), conversation({ revision: 3 }))
  expect(positions(second.chat)).toEqual([1, 2, 3])
  expect(second.missed).toBe(false)
})

test('an event after a gap is shown, says that others are missing, and leaves the known revision', () => {
  const chat = opened(answer([1, 2], { revision: 2 }))
  const { chat: after, missed } = withEvent(chat, message(5), conversation({ revision: 5 }))
  expect(missed).toBe(true)
  expect(positions(after)).toEqual([1, 2, 5])
  expect(after.revision).toBe(2)
  const whole = caughtUp(after, answer([3, 4, 5], { revision: 5 }))
  expect(positions(whole)).toEqual([1, 2, 3, 4, 5])
  expect(whole.revision).toBe(5)
})

test('an older state of a message never takes the place of a newer one', () => {
  const chat = opened(answer([1], { revision: 1 }))
  const edited = withMessage(chat, { ...message(1), revision: 4, content: 'new' })
  expect(withMessage(edited, { ...message(1), revision: 2, content: 'old' }).messages[0]?.content).toBe('new')
})

test('a change that names no client message keeps the name that is known', () => {
  const chat = opened({ ...answer([]), messages: [{ ...message(1), clientMessageId: 'mine' }] })
  const after = withMessage(chat, { ...message(1), revision: 2, isRead: true })
  expect(after.messages[0]).toMatchObject({ clientMessageId: 'mine', isRead: true })
})

test('an answer quotes what the answered message says now, after an event and after catching up', () => {
  const place = { _id: 'message 1', senderId: OTHER, position: 1 }
  const quote = { ...place, content: 'text 1', deleted: false, tip: null }
  const answering = message(6, { replyTo: quote })
  const unrelated = message(7, { replyTo: { ...quote, _id: 'message 2', content: 'text 2', position: 2 } })
  const loaded = { ...answer([1], { revision: 7 }), messages: [message(1), answering, unrelated] }
  const edited = message(1, { revision: 8, content: 'edited' })
  const { chat } = withEvent(opened(loaded), edited, conversation({ revision: 8 }))
  expect(chat.messages.map(({ replyTo }) => replyTo?.content)).toEqual([undefined, 'edited', 'text 2'])
  expect(chat.messages[2]).toBe(unrelated)
  const late = withMessage(chat, message(1, { revision: 7, content: 'late' }))
  expect(late.messages[1]?.replyTo?.content).toBe('edited')

  // The answered message itself lies further up than what is loaded.
  const deleted = message(1, { revision: 9, content: '', deletedAt: '2026-11-21T13:00:00.000Z' })
  const part = opened({ ...loaded, messages: [answering], hasMore: true })
  const after = caughtUp(part, { ...answer([], { revision: 9 }), messages: [deleted] })
  expect(positions(after)).toEqual([6])
  expect(after.messages[0]?.replyTo).toEqual({ ...quote, content: '', deleted: true })
})

test('older messages come before the others, keep the place of the list, and come once', () => {
  const chat = opened(answer([5, 6], { hasMore: true }))
  const after = withOlder(chat, answer([3, 4, 5], { hasMore: false }))
  expect(positions(after)).toEqual([3, 4, 5, 6])
  expect(after.firstIndex).toBe(chat.firstIndex - 2)
  expect(after.hasOlder).toBe(false)
})

test('after a jump into the past a new message waits until the newest ones are reached', () => {
  const past = { ...opened(answer([3, 4], { revision: 9, hasMore: true })), hasNewer: true }
  const { chat } = withEvent(past, message(10), conversation({ revision: 10 }))
  expect(positions(chat)).toEqual([3, 4])
  expect(positions(withNewer(chat, answer([5, 10])))).toEqual([3, 4, 5, 10])
})

test('a message from before what is loaded is left to be loaded with its neighbors', () => {
  const chat = opened(answer([5, 6], { hasMore: true }))
  expect(positions(withMessage(chat, { ...message(2), revision: 7 }))).toEqual([5, 6])
})

test('of two states of a conversation the later revision wins, and nobody’s reading is taken back', () => {
  const read = conversation({ revision: 4, readPosition: 4, otherReadPosition: 1, unread: 0 })
  const late = conversation({ revision: 5, readPosition: 2, otherReadPosition: 5, unread: 3 })
  expect(newest(read, late)).toMatchObject({ revision: 5, readPosition: 4, otherReadPosition: 5, unread: 0 })
  expect(newest(late, read)).toMatchObject({ revision: 5, readPosition: 4, otherReadPosition: 5, unread: 0 })
})

test('reading on leaves what comes after as unread, also what is not loaded yet', () => {
  const unread = conversation({ revision: 9, readPosition: 2, unread: 7 })
  const part = { ...opened(answer([1, 2, 3, 4, 5], { hasNewer: true })), conversation: unread }
  expect(firstUnreadOf(part, ME)).toBe(3)
  expect(asRead(part, ME, 2)).toBe(unread)
  expect(asRead(part, ME, 4)).toMatchObject({ readPosition: 4, unread: 5 })
  const mine = message(8, { senderId: ME })
  const gone = message(9, { deletedAt: '2026-11-21T13:00:00.000Z' })
  const whole = { ...part, hasNewer: false, messages: [...part.messages, mine, gone] }
  expect(asRead(whole, ME, 4)).toMatchObject({ readPosition: 4, unread: 1 })
  expect(firstUnreadOf({ ...whole, messages: [mine, gone] }, ME)).toBeNull()
})

test('what arrived after a page was made is asked for with the next page', () => {
  const part = { ...opened(answer([1, 2], { revision: 4, hasNewer: true })) }
  const { chat } = withEvent(part, message(5), conversation({ revision: 5 }))
  const after = withNewer(chat, answer([3, 4], { revision: 4 }))
  expect(positions(after)).toEqual([1, 2, 3, 4])
  expect(after.hasNewer).toBe(true)
  const reached = withNewer(caughtUp(after, answer([5])), answer([5]))
  expect(positions(reached)).toEqual([1, 2, 3, 4, 5])
  expect(reached.hasNewer).toBe(false)
})

test('the first message that catching up brought is known, also where a later one was heard before', () => {
  const chat = { ...opened(answer([1, 2])), conversation: conversation({ unread: 4, readPosition: 1 }) }
  expect(chat.missed).toBeNull()
  const mine = message(3, { senderId: ME })
  const heard = withEvent(chat, message(5), conversation({ revision: 5, unread: 4, readPosition: 1 })).chat
  const missed = caughtUp(heard, {
    ...answer([4, 5]),
    messages: [message(1, { revision: 6 }), mine, message(4), message(5)],
  })
  expect(positions(missed)).toEqual([1, 2, 3, 4, 5])
  expect(missed.missed).toBe(3)
  const unread = { ...missed, conversation: chat.conversation }
  expect([firstUnreadOf(unread, ME), firstUnreadOf(unread, ME, 3)]).toEqual([2, 4])
  expect(caughtUp(missed, answer([5])).missed).toBe(3)
})

test('a message of another conversation, as of who was logged in before, is put nowhere', () => {
  const chat = opened(answer([1, 2]))
  expect(withMessage(chat, message(3, { conversationId: 'another' }))).toBe(chat)
})
