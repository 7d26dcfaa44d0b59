import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, invalidate, resetPersonal } from '../../lib/query.ts'
import { chatQuery, loadAround, loadNewer, loadNewest, loadOlder, loadUnread, rereadMessage } from './api.ts'
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

/** An open conversation whose server answers each question once the test does. */
function opensWaiting(chat: Chat) {
  const answers = new Map<string, PromiseWithResolvers<Answer>>()
  const at = (place: string) => {
    const known = answers.get(place) ?? Promise.withResolvers<Answer>()
    answers.set(place, known)
    return known
  }
  const shown = opens(chat, () => answer([]))
  vi.stubGlobal('fetch', async (address: string) => {
    const query = new URL(address, 'http://localhost').searchParams
    const place = ['before', 'after', 'since'].find((one) => query.has(one))
    return Response.json(await at(place ? `${place} ${query.get(place)}` : 'newest').promise)
  })
  return { ...shown, answers: (place: string, given: Answer) => at(place).resolve(given) }
}

test.each([
  ['older', loadOlder, 'before 41', answer([39, 40], { revision: 99, hasMore: true })],
  ['newer', loadNewer, 'after 42', answer([43, 44], { revision: 99, hasMore: true })],
])('%s messages that come after a jump leave no gap where it led', async (_which, load, place, late) => {
  const past = opened(answer([41, 42], { revision: 99, hasMore: true, hasNewer: true }))
  const { client, shown, answers, close } = opensWaiting(past)
  const loading = load(client, OTHER)
  const jumping = load === loadOlder ? loadNewest(client, OTHER) : loadAround(client, OTHER, 8)
  answers('newest', answer([98, 99], { hasMore: true }))
  answers('before 9', answer([7, 8], { revision: 99, hasMore: true }))
  answers('after 8', answer([9, 10], { revision: 99, hasMore: true }))
  await jumping
  const there = positions(shown())
  answers(place, late)
  await loading
  expect(positions(shown())).toEqual(there)
  close()
})

test('of two places that are jumped to the later one is shown, whichever is answered first', async () => {
  const { client, shown, answers, close } = opensWaiting(opened(answer([98, 99], { hasMore: true })))
  const [first, second] = [loadAround(client, OTHER, 41), loadAround(client, OTHER, 8)]
  answers('before 9', answer([7, 8], { revision: 99, hasMore: true }))
  answers('after 8', answer([9, 10], { revision: 99, hasMore: true }))
  await second
  answers('before 42', answer([40, 41], { revision: 99, hasMore: true }))
  answers('after 41', answer([42, 43], { revision: 99, hasMore: true }))
  await first
  expect(positions(shown())).toEqual([7, 8, 9, 10])
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

test('messages that were asked for come to nobody who logged in since', async () => {
  const client = createQueryClient()
  const { queryKey } = chatQuery(OTHER)
  vi.stubGlobal('fetch', async () => Response.json(answer([1, 2, 3])))
  client.setQueryData(queryKey, opened(answer([1])))
  const toNobody = loadNewest(client, OTHER)
  resetPersonal(client)
  await toNobody
  expect(client.getQueryData(queryKey)).toBeUndefined()
  client.setQueryData(queryKey, opened(answer([1])))
  const toAnother = loadNewest(client, OTHER)
  resetPersonal(client)
  const theirs = opened({ ...answer([]), conversation: conversation({ _id: 'theirs' }) })
  client.setQueryData(queryKey, theirs)
  await toAnother
  expect(client.getQueryData(queryKey)).toBe(theirs)
  client.clear()
})
