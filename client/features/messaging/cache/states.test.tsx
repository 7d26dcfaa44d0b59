import { InfiniteQueryObserver, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, invalidate, roots } from '../../../lib/query.ts'
import { catchUpNotifications, notificationEvents, notificationsQuery } from '../../notifications/api.ts'
import { unreadNotificationsQuery } from '../../notifications/parts/bell/unread.ts'
import { chatQuery, conversationsQuery } from '../api.ts'
import { customsQuery } from '../custom-requests/api.ts'
import { unreadQuery } from '../parts/badge/UnreadBadge.tsx'
import { messageEvents } from '../parts/live.ts'
import { answer, conversation, ME, message, OTHER } from './sample.ts'
import type { Chat } from './timeline.ts'

// Each event in each state of what it concerns: once all answers are there, it must say what a page says that loads then.

afterEach(() => vi.unstubAllGlobals())

/** What the server knows, and answers from; an answer says what was so when it was asked for. */
function start() {
  const known = {
    newest: 1,
    online: false,
    otherRead: 0,
    muted: false,
    requests: 1,
    told: 1,
    read: false,
    spent: '',
  }
  const own = () =>
    conversation({
      revision: known.newest,
      unread: known.newest,
      otherReadPosition: known.otherRead,
      muted: known.muted,
      lastMessage: { ...message(known.newest), attachments: 0, request: null },
    })
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  const notification = (at: number) => ({
    _id: `told ${at}`,
    createdAt: `2026-06-02T12:0${at}:00`,
    read: known.read,
    event: { kind: 'export.ready' as const, data: {} },
  })
  const unread = () => ({ unread: known.read ? 0 : known.told, newestId: `told ${known.told}` })
  const page = (items: unknown[]) => ({ items, conversations: items, hasMore: false, nextCursor: null })
  const answers: Record<string, (query: URLSearchParams) => unknown> = {
    '/users/messages2': (query) => {
      const since = Number(query.get('since') ?? 0)
      const positions = upTo(known.newest).filter((position) => position > since)
      return { ...answer(positions, { revision: known.newest }), conversation: own(), online: known.online }
    },
    '/users/conversations': () => page([{ ...own(), spent: known.spent || null }]),
    '/users/unread': () => ({ items: known.muted ? [] : [{ _id: 'conversation' }] }),
    '/users/customs': () => page(upTo(known.requests).map((at) => ({ _id: `request ${at}` }))),
    '/users/notifications': () => page(upTo(known.told).toReversed().map(notification)),
    '/users/notifications/unread': unread,
  }
  return { known, own, notification, unread, answers }
}

type Server = ReturnType<typeof start>
type Events = ReturnType<typeof messageEvents> & ReturnType<typeof notificationEvents>

const queries = {
  chat: chatQuery(OTHER),
  list: conversationsQuery({ filter: '', showing: 'all' }),
  unreadList: conversationsQuery({ filter: '', showing: 'unread' }),
  found: conversationsQuery({ filter: 'oth', showing: 'all' }),
  badge: unreadQuery,
  customs: customsQuery('received'),
  notifications: notificationsQuery,
  bell: unreadNotificationsQuery,
}
type Name = keyof typeof queries
type Pages = { pages: { items: unknown[] }[] }

/** What of a query's data must be right; the rest is about how it is shown. */
function shownOf(data: Partial<Chat> | Pages | undefined): unknown {
  if (data && 'pages' in data) return data.pages.map(({ items }) => items)
  if (data && 'messages' in data) return [data.messages, data.online, data.conversation]
  return data
}

const messaging: Name[] = ['chat', 'list', 'unreadList', 'found', 'badge']

/** Each event: what it says changed at the server, and which queries it is about. */
const events: Record<string, { about: Name[]; happens: (server: Server, events: Events) => void }> = {
  'chat message': {
    about: messaging,
    happens({ known, own }, on) {
      known.newest++
      on['chat message']({ message: message(known.newest), conversation: own() })
    },
  },
  'message changed, with a request': {
    about: [...messaging, 'customs'],
    happens({ known, own }, on) {
      known.newest++
      known.requests++
      const request = { customRequest: { _id: 'request 2' } as never }
      on['message changed']({ message: message(known.newest), conversation: own() })
      on['message changed']({ message: message(known.newest, request), conversation: own() })
      // The answers here say nothing of requests.
      on['message changed']({ message: message(known.newest), conversation: own() })
    },
  },
  'a message after one that was lost': {
    about: ['chat', 'list', 'unreadList', 'found'],
    happens({ known, own }, on) {
      known.newest += 2
      on['chat message']({ message: message(known.newest), conversation: own() })
    },
  },
  markAsRead: {
    about: messaging,
    happens({ known, own }, on) {
      known.otherRead = 1
      on.markAsRead({ message: message(1, { isRead: true }), conversation: own() })
    },
  },
  presence: {
    about: ['chat'],
    happens({ known }, on) {
      known.online = true
      on.presence({ conversationId: 'conversation', userId: OTHER, online: true })
    },
  },
  'conversations changed': {
    about: messaging,
    happens({ known }, on) {
      known.muted = true
      on['conversations changed']({})
    },
  },
  notification: {
    about: ['notifications', 'bell'],
    happens({ known, notification, unread }, on) {
      known.told++
      on.notification({ notification: notification(known.told), ...unread() })
    },
  },
  'a sale': {
    about: ['list', 'unreadList', 'found'],
    happens({ known, notification, unread }, on) {
      known.told++
      known.spent = `$${known.told}`
      const sale = { kind: 'sale.made' as const, data: {} as never }
      on.notification({ notification: { ...notification(known.told), event: sale }, ...unread() })
    },
  },
  'notifications read': {
    about: ['notifications', 'bell'],
    happens({ known, unread }, on) {
      known.read = true
      on['notifications read'](unread())
    },
  },
  'connected again': {
    about: Object.keys(queries) as Name[],
    happens({ known }, on) {
      Object.assign(known, { newest: 3, online: true, otherRead: 1, requests: 2, told: 2 })
      on.connected()
    },
  },
}

/** A page with this server: what it asks for is answered by `release`. */
function open(server: Server) {
  const client = createQueryClient()
  const held: (() => void)[] = []
  let asked = 0
  let failing = false
  vi.stubGlobal('fetch', (address: string, { signal }: RequestInit) => {
    const { pathname, searchParams } = new URL(address, 'http://localhost')
    const body = failing
      ? { error: 'Not now.', code: 'conflict' }
      : server.answers[pathname.replace(/^\/api/, '')]?.(searchParams)
    const response = Response.json(structuredClone(body), { status: failing ? 409 : 200 })
    asked++
    return new Promise<Response>((resolve, reject) => {
      held.push(() => resolve(response))
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  })
  const [messages, notifications] = [messageEvents(client, ME), notificationEvents(client)]
  const on: Events = {
    ...messages,
    ...notifications,
    notification: (event) => {
      notifications.notification(event)
      messages.notification(event)
    },
    connected: () => {
      messages.connected()
      void catchUpNotifications(client)
    },
  }
  const show = () => {
    const hides = Object.values(queries).map((query) => {
      const isList = 'getNextPageParam' in query
      const observer = isList
        ? new InfiniteQueryObserver(client, query as never)
        : new QueryObserver(client, query as never)
      return observer.subscribe(() => {})
    })
    return () => {
      for (const hide of hides) hide()
    }
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve))
  return {
    client,
    on,
    show,
    turn,
    asked: () => asked,
    fail: (now: boolean) => {
      failing = now
    },
    /** Answers until nothing is asked for anymore. */
    async settle() {
      do {
        for (const give of held.splice(0)) give()
        await turn()
        await turn()
      } while (held.length > 0 || client.isFetching() > 0)
    },
    shown: (name: Name) => shownOf(client.getQueryData(queries[name].queryKey as QueryKey)),
  }
}

type Page = ReturnType<typeof open>

/** The states of queries, each with what is done before the event and after it. */
const states: Record<string, (page: Page, event: () => void) => Promise<void>> = {
  'before anything was asked for': async ({ show }, event) => {
    event()
    show()
  },
  'while the first answers are on their way': async ({ show, turn }, event) => {
    show()
    await turn()
    event()
  },
  'once they are there': async ({ show, settle }, event) => {
    show()
    await settle()
    event()
  },
  'while they are asked for again': async ({ client, show, settle, turn }, event) => {
    show()
    await settle()
    invalidate(client, [roots.messaging, roots.notifications])
    await turn()
    event()
  },
  'once they could not be read again': async ({ client, show, settle, fail }, event) => {
    show()
    await settle()
    fail(true)
    invalidate(client, [roots.messaging, roots.notifications])
    await settle()
    fail(false)
    event()
  },
  'once they could not be read at all': async ({ show, settle, fail }, event) => {
    fail(true)
    show()
    await settle()
    fail(false)
    event()
  },
  'while nobody looks': async ({ show, settle }, event) => {
    const hide = show()
    await settle()
    hide()
    event()
    show()
  },
  'before the page is left while they are asked for again': async ({ client, show, settle, turn }, event) => {
    const hide = show()
    await settle()
    invalidate(client, [roots.messaging, roots.notifications])
    await turn()
    event()
    hide()
    await turn()
    show()
  },
}

const cells = Object.keys(events).flatMap((event) =>
  Object.keys(states).map((state) => [event, state] as const),
)

test.each(cells)('%s, %s', async (name, state) => {
  const server = start()
  const page = open(server)
  const event = events[name]
  await states[state]?.(page, () => event?.happens(server, page.on))
  await page.settle()
  const fresh = open(server)
  fresh.show()
  await fresh.settle()
  for (const about of event?.about ?? [])
    expect([about, page.shown(about)]).toEqual([about, fresh.shown(about)])
  for (const { client } of [page, fresh]) client.clear()
})

test.each(Object.keys(events).filter((name) => name !== 'connected again'))(
  '%s, many times during a slow answer, has each query asked for at most once more',
  async (name) => {
    const server = start()
    const page = open(server)
    page.show()
    await page.settle()
    invalidate(page.client, [roots.messaging, roots.notifications])
    await page.turn()
    const before = page.asked()
    for (let time = 0; time < 20; time++) {
      events[name]?.happens(server, page.on)
      await page.turn()
    }
    expect(page.asked()).toBe(before)
    await page.settle()
    expect(page.asked() - before).toBeLessThanOrEqual(Object.keys(queries).length)
    page.client.clear()
  },
)
