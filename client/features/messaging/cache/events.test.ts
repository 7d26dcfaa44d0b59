import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../../lib/query.ts'
import { chatQuery, conversationsQuery } from '../api.ts'
import { unreadQuery } from '../parts/badge/UnreadBadge.tsx'
import { listed, onMessage, onPresence, onRead, readLocally } from './events.ts'
import { answer, conversation, ME, message, OTHER } from './sample.ts'
import { type Conversation, type Message, opened } from './timeline.ts'

const last = (position: number) => ({
  ...message(position),
  attachments: 0,
  request: null,
})
const named = (id: string, position: number, changes: Partial<Conversation> = {}) => ({
  ...conversation({ _id: id, lastMessage: last(position), revision: position, ...changes }),
  spent: '$4' as string | null,
})
const pages = (...lists: ReturnType<typeof named>[][]) => ({
  pages: lists.map((items) => ({
    conversations: items,
    items,
    hasMore: false,
    nextCursor: null as string | null,
  })),
  pageParams: lists.map(() => undefined),
})
const ids = (list: { pages: readonly { items: readonly Conversation[] }[] }) =>
  list.pages.map(({ items }) => items.map(({ _id }) => _id))

test('a new message puts its conversation first, wherever it stood', () => {
  const list = pages([named('a', 9), named('b', 8)], [named('c', 1)])
  const at = { showing: 'all', sent: true }
  expect(ids(listed(list, named('c', 10), at))).toEqual([['c', 'a', 'b'], []])
  expect(ids(listed(list, named('new', 1), at))).toEqual([['new', 'a', 'b'], ['c']])
})

test('reading moves no conversation, and the list of unread ones keeps it under the finger', () => {
  const list = pages([named('a', 9), named('b', 8, { unread: 1 })])
  const after = listed(list, named('b', 8, { unread: 0, readPosition: 8 }), {
    showing: 'unread',
    sent: false,
  })
  expect(ids(after)).toEqual([['a', 'b']])
  expect(after.pages[0]?.items[1]?.unread).toBe(0)
})

test('who spent most stays first whatever is written, with what they spent', () => {
  const list = pages([named('most', 2), named('less', 3)])
  const written = conversation({ _id: 'less', lastMessage: last(9), revision: 9, unread: 1 })
  const after = listed(list, written, { showing: 'spenders', sent: true })
  expect(ids(after)).toEqual([['most', 'less']])
  expect(after.pages[0]?.items[1]).toMatchObject({ unread: 1, spent: '$4', lastMessage: { position: 9 } })
  expect(ids(listed(list, named('nobody', 9), { showing: 'spenders', sent: true }))).toEqual([
    ['most', 'less'],
  ])
})

test('a conversation without unread messages is not listed among the unread', () => {
  const at = { showing: 'unread', sent: true }
  expect(ids(listed(pages([]), named('read', 3), at))).toEqual([[]])
  expect(ids(listed(pages([]), named('unread', 3, { unread: 1 }), at))).toEqual([['unread']])
})

test('what the other person writes to somebody who may not write asks whether they may now', () => {
  const client = createQueryClient()
  const { queryKey } = chatQuery(OTHER)
  const refused = {
    ...answer([1], { revision: 1 }),
    refusal: { error: 'Wait for an answer.', code: 'unanswered' },
  }
  client.setQueryData(queryKey, opened(refused))
  const hear = (position: number, senderId: string) =>
    onMessage(client, ME, {
      message: message(position, { senderId }),
      conversation: conversation({ revision: position, lastMessage: last(position) }),
      change: 'sent',
    })
  hear(2, ME)
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false)
  hear(3, OTHER)
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

const paidRequest: NonNullable<Message['customRequest']> = {
  ...{ _id: 'request', userId: OTHER, creatorId: ME, state: 'paid', maxMinutes: 3, pricePerMinute: '$4' },
  ...{ price: '$9', deliveryDays: 7, deliverBy: null, late: false, reason: null },
}

test.each([
  { what: 'a tip', event: { tip: { amount: '$5', refunded: false } }, change: 'sent' as const },
  { what: 'a tip given back', event: { tip: { amount: '$5', refunded: true } }, change: 'changed' as const },
  {
    what: 'an unlocked message',
    event: { senderId: ME, price: '$9', purchased: true },
    change: 'changed' as const,
  },
  { what: 'a paid custom request', event: { customRequest: paidRequest }, change: 'changed' as const },
])('$what has the lists asked again what was spent', async ({ event, change }) => {
  const client = createQueryClient()
  const answers = ['$4', '$13']
  const filters = [
    { filter: '', showing: 'all' },
    { filter: '', showing: 'spenders' },
  ] as const
  const shown = await Promise.all(
    filters.map(async (filter) => {
      const { queryKey } = conversationsQuery(filter)
      let asked = 0
      const queryFn = async () => pages([{ ...named('conversation', 1), spent: answers[asked++] ?? '' }])
      new QueryObserver(client, { queryKey, queryFn, staleTime: 60_000 }).subscribe(() => {})
      return queryKey
    }),
  )
  const spent = () =>
    shown.map((key) => client.getQueryData<ReturnType<typeof pages>>(key)?.pages[0]?.items[0]?.spent)
  await expect.poll(spent).toEqual(['$4', '$4'])
  // Words alone cost nothing.
  const told = conversation({ revision: 2, lastMessage: last(2) })
  onMessage(client, ME, { message: message(2), conversation: told, change: 'sent' })
  expect(shown.map((key) => client.getQueryState(key)?.fetchStatus)).toEqual(['idle', 'idle'])
  onMessage(client, ME, { message: message(3, event), conversation: { ...told, revision: 3 }, change })
  await expect.poll(spent).toEqual(['$13', '$13'])
  client.clear()
})

test('who can be seen again where they couldn’t be written to is asked whether they can be now', () => {
  const client = createQueryClient()
  const { queryKey } = chatQuery(OTHER)
  const comes = (code: string) => {
    client.setQueryData(queryKey, opened({ ...answer([1]), refusal: { error: 'No.', code } }))
    onPresence(client, { conversationId: 'conversation', userId: OTHER, online: true })
    return client.getQueryState(queryKey)?.isInvalidated
  }
  expect([comes('recipient_unavailable'), comes('followers_only')]).toEqual([true, false])
  client.clear()
})

test('a message reaches the open conversation, the list and the badge; a muted one no badge', () => {
  const client = createQueryClient()
  client.setQueryData(chatQuery(OTHER).queryKey, opened(answer([1], { revision: 1 })))
  client.setQueryData(conversationsQuery({ filter: '', showing: 'all' }).queryKey, pages([named('a', 9)]))
  client.setQueryData(unreadQuery.queryKey, { items: [] })
  const unread = conversation({ revision: 2, unread: 1, lastMessage: last(2) })
  onMessage(client, ME, { message: message(2), conversation: unread, change: 'sent' })
  expect(client.getQueryData(chatQuery(OTHER).queryKey)?.messages).toHaveLength(2)
  expect(client.getQueryData(unreadQuery.queryKey)?.items).toEqual([{ _id: 'conversation' }])

  onRead(client, ME, {
    message: message(2, { isRead: true }),
    conversation: { ...unread, unread: 0, readPosition: 2 },
  })
  expect(client.getQueryData(unreadQuery.queryKey)?.items).toEqual([])
  expect(client.getQueryData(chatQuery(OTHER).queryKey)?.conversation.unread).toBe(0)

  const muted = conversation({ revision: 3, unread: 1, muted: true, lastMessage: last(3) })
  onMessage(client, ME, { message: message(3), conversation: muted, change: 'sent' })
  expect(client.getQueryData(unreadQuery.queryKey)?.items).toEqual([])
  client.clear()
})

test('what the person reads here leaves the badge at once', () => {
  const client = createQueryClient()
  const chat = opened(answer([1, 2], { revision: 2 }))
  const unread = conversation({ revision: 2, unread: 2, lastMessage: last(2) })
  client.setQueryData(chatQuery(OTHER).queryKey, { ...chat, conversation: unread })
  client.setQueryData(unreadQuery.queryKey, { items: [{ _id: 'conversation' }, { _id: 'else' }] })
  readLocally(client, { me: ME, recipientId: OTHER, position: 2 })
  expect(client.getQueryData(unreadQuery.queryKey)?.items).toEqual([{ _id: 'else' }])
  expect(client.getQueryData(chatQuery(OTHER).queryKey)?.conversation).toMatchObject({
    unread: 0,
    readPosition: 2,
  })
  client.clear()
})

test('what is told while the first answers are on their way has all of them asked for again', async () => {
  const client = createQueryClient()
  const queries = [chatQuery(OTHER), conversationsQuery({ filter: '', showing: 'all' }), unreadQuery]
  const asked = queries.map(({ queryKey }) => {
    const made: PromiseWithResolvers<unknown>[] = []
    const queryFn = () => {
      const answer = Promise.withResolvers<unknown>()
      made.push(answer)
      return answer.promise
    }
    new QueryObserver<unknown>(client, { queryKey, queryFn, staleTime: 60_000 }).subscribe(() => {})
    return made
  })
  const event = { message: message(1), conversation: conversation({ lastMessage: last(1) }) }
  onMessage(client, ME, { ...event, change: 'sent' })
  onPresence(client, { conversationId: 'conversation', userId: OTHER, online: true })
  const madeBefore = [opened(answer([])), pages([]), { items: [] }]
  for (const [at, [first]] of asked.entries()) first?.resolve(madeBefore[at])
  await expect.poll(() => asked.map(({ length }) => length)).toEqual([2, 2, 2])
  client.clear()
})
