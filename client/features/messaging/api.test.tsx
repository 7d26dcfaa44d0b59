import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, invalidate } from '../../lib/query.ts'
import { chatQuery, loadAround, loadNewest, loadOlder, loadUnread, rereadMessage } from './api.ts'
import { readLocally } from './cache/events.ts'
import { answer, conversation, ME, message, OTHER } from './cache/sample.ts'
import { type Chat, opened } from './cache/timeline.ts'
import { messageEvents } from './parts/live.ts'

afterEach(() => vi.unstubAllGlobals())

type Answer = ReturnType<typeof answer>

/** An open conversation whose server answers with these; `since` is asked from a revision on. */
function opens(chat: Chat, serve: (query: URLSearchParams) => Answer) {
  const client = createQueryClient()
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(serve(new URL(address, 'http://localhost').searchParams)),
  )
  const query = chatQuery(OTHER)
  client.setQueryData(query.queryKey, chat)
  const hide = new QueryObserver(client, query).subscribe(() => {})
  return {
    client,
    shown: () => client.getQueryData(query.queryKey)?.messages ?? [],
    close() {
      hide()
      client.clear()
    },
  }
}

const positions = (messages: Chat['messages']) => messages.map(({ position }) => position)

test.each([
  ['jumping to the latest', loadNewest],
  ['jumping to the unread ones', loadUnread],
  ['jumping into the past', (...[client, id]: Parameters<typeof loadNewest>) => loadAround(client, id, 3)],
])('a message that arrives before an answer that lacks it is shown, %s', async (_how, load) => {
  const past = opened(answer([1, 2], { revision: 4, hasNewer: true }))
  const { client, shown, close } = opens(past, (query) => {
    if (query.has('since')) return answer([5])
    messageEvents(client, ME)['chat message']({
      message: message(5),
      conversation: conversation({ revision: 5 }),
    })
    if (query.has('before')) return answer([3], { revision: 4 })
    return answer(query.has('after') ? [4] : [3, 4], { revision: 4 })
  })
  await load(client, OTHER)
  await expect.poll(() => positions(shown())).toEqual([3, 4, 5])
  close()
})

test('a text that is deleted before an answer that still has it is not shown', async () => {
  const gone = message(3, { revision: 7, content: '', deletedAt: '2026-11-21T13:00:00.000Z' })
  const part = opened(answer([5, 6], { hasMore: true }))
  const { client, shown, close } = opens(part, (query) => {
    if (query.has('since')) return { ...answer([], { revision: 7 }), messages: [gone] }
    messageEvents(client, ME)['message changed']({
      message: gone,
      conversation: conversation({ revision: 7 }),
    })
    return answer([3, 4], { revision: 6 })
  })
  await loadOlder(client, OTHER)
  await expect.poll(() => shown()[0]?.deletedAt).toBe(gone.deletedAt)
  expect(positions(shown())).toEqual([3, 4, 5, 6])
  close()
})

test('a conversation that is opened afresh keeps what was loaded since its answer was made', async () => {
  const { client, shown, close } = opens(opened(answer([1])), (query) => {
    if (query.has('since')) return answer([2], { revision: 8, hasMore: true })
    client.setQueryData(chatQuery(OTHER).queryKey, opened(answer([7, 8, 9])))
    return answer([6, 7, 8])
  })
  await client.refetchQueries({ queryKey: chatQuery(OTHER).queryKey })
  expect(positions(shown())).toEqual([7, 8, 9])
  close()
})

test.each([
  ['older messages come', (client: QueryClient) => loadOlder(client, OTHER)],
  ['a message is read again', (client: QueryClient) => rereadMessage(client, OTHER, 'message 5')],
  [
    'it is read',
    async (client: QueryClient) => readLocally(client, { me: ME, recipientId: OTHER, position: 6 }),
  ],
])(
  'a conversation that is to be asked for when it is next used still is after %s',
  async (_what, happens) => {
    const { client, close } = opens(opened(answer([5, 6], { hasMore: true })), () =>
      answer([3, 4, 5], { revision: 6 }),
    )
    const { queryKey } = chatQuery(OTHER)
    invalidate(client, [queryKey], { refetchType: 'none' })
    await happens(client)
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
    close()
  },
)
