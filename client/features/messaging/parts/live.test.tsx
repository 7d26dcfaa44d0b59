import { afterEach, beforeEach, expect, test } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { chatQuery, conversationsQuery } from '../api.ts'
import { readLocally } from '../cache/events.ts'
import { answer, conversation, ME, message, OTHER } from '../cache/sample.ts'
import { type Conversation, opened } from '../cache/timeline.ts'
import { messageEvents } from './live.ts'

const { queryKey } = conversationsQuery({ filter: '', showing: 'all' })
let client: ReturnType<typeof createQueryClient>
beforeEach(() => {
  client = createQueryClient()
})
afterEach(() => client.clear())

const at = (id: string, position: number): Conversation =>
  conversation({
    _id: id,
    revision: position,
    lastMessage: { ...message(position), attachments: 0, request: null },
  })

/** The list's pages, with these conversations. */
function loads(...pages: Conversation[][]) {
  client.setQueryData(queryKey, {
    pages: pages.map((conversations) => {
      const items = conversations.map((one) => ({ ...one, spent: null }))
      return { conversations: items, items, hasMore: true, nextCursor: 'more' }
    }),
    pageParams: pages.map(() => undefined),
  })
}

const listed = () =>
  client.getQueryData(queryKey)?.pages.map(({ items }) => items.map(({ _id }) => _id)) ?? []

/** What is no new message: the other person reads, one of its messages changes, and it is read here. */
function changes(to: Conversation) {
  const events = messageEvents(client, ME)
  events.markAsRead({ message: message(1, { isRead: true }), conversation: to })
  events['message changed']({ message: message(1), conversation: to })
  client.setQueryData(chatQuery(OTHER).queryKey, { ...opened(answer([1, 2])), conversation: to })
  readLocally(client, { me: ME, recipientId: OTHER, position: 2 })
}

test('what is read or changed in a conversation that isn’t loaded puts it nowhere', () => {
  loads([at('a', 9), at('b', 8)])
  changes(at('not loaded', 10))
  expect(listed()).toEqual([['a', 'b']])
})

test('what is read or changed after a message that its sender heard nothing of shows it where it stood', () => {
  loads([at('a', 9), at('b', 8)], [at('c', 1)])
  changes({ ...at('c', 10), otherReadPosition: 10 })
  expect(listed()).toEqual([['a', 'b'], ['c']])
  const known = client.getQueryData(queryKey)?.pages[1]?.items[0]
  expect(known).toMatchObject({ lastMessage: { position: 10 }, otherReadPosition: 10 })
})

test('a new message puts its conversation first, also after it was read', () => {
  loads([at('a', 9), at('b', 8)], [at('c', 1)])
  const now = at('c', 11)
  changes(now)
  messageEvents(client, ME)['chat message']({ message: message(11), conversation: now })
  expect(listed()).toEqual([['c', 'a', 'b'], []])
})

test('a sale has what people spent asked for again, and other news nothing', () => {
  loads([at('a', 9)])
  const tell = (kind: string) =>
    messageEvents(client, ME).notification({ notification: { event: { kind } } } as never)
  const isStale = () => client.getQueryState(queryKey)?.isInvalidated
  for (const kind of ['follower.added', 'message.received', 'purchase.receipt']) tell(kind)
  expect(isStale()).toBe(false)
  for (const kind of ['sale.made', 'sale.refunded', 'subscriber.added']) {
    loads([at('a', 9)])
    expect(isStale()).toBe(false)
    tell(kind)
    expect(isStale(), kind).toBe(true)
  }
})
