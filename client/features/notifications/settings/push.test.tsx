import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logOut } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query.ts'
import { SessionProvider } from '../../../lib/session.tsx'
import { store } from '../../../lib/storage.ts'
import { endSession, renewToken, writeToken } from '../../../lib/token.ts'
import { notificationsQuery } from '../api.ts'
import { Bell } from '../parts/bell/Bell.tsx'
import { unreadNotificationsQuery } from '../parts/bell/unread.ts'
import { pushSupport, renewPush, turnOffPush, turnOnPush } from './push.ts'

/** Keys of 65 bytes that an installation subscribes browsers with, as text. */
const [KEY, OTHER_KEY] = ['B', 'C'].map((first) => first.padEnd(87, 'A')) as [string, string]

type Subscribed = { endpoint: string; key: string }

/** What the browser holds, and what was asked of it and of the server. */
let subscribed: Subscribed | null
let permission: NotificationPermission
let registered: string[]
let sent: { path: string; body: unknown }[]
/** The token of each of those. */
let tokens: (string | undefined)[]
/** What the server answers to each call. */
let status: number

const pushManager = {
  getSubscription: async () => subscribed && subscriptionOf(subscribed),
  // Browsers refuse a second one of another key.
  async subscribe({ applicationServerKey: key }: { applicationServerKey: string }) {
    if (subscribed && subscribed.key !== key) throw new DOMException('another key', 'InvalidStateError')
    subscribed ??= { endpoint: `https://push.test/${crypto.randomUUID()}`, key }
    return subscriptionOf(subscribed)
  },
}

const subscriptionOf = ({ endpoint, key }: Subscribed) => ({
  options: { applicationServerKey: Uint8Array.from(Buffer.from(key, 'base64url')).buffer },
  toJSON: () => ({ endpoint, keys: { p256dh: `p256dh of ${endpoint}`, auth: `auth of ${endpoint}` } }),
  unsubscribe: async () => {
    subscribed = null
    return true
  },
})

const worker = { pushManager }
// One for all tests, as the module listens to it once.
const serviceWorker = Object.assign(new EventTarget(), {
  register: async (path: string) => registered.push(path) && worker,
  ready: Promise.resolve(worker),
  getRegistration: async () => (registered.length > 0 ? worker : undefined),
})

beforeEach(() => {
  subscribed = null
  permission = 'default'
  registered = []
  sent = []
  tokens = []
  status = 200
  writeToken('token')
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    get permission() {
      return permission
    },
    requestPermission: async () => {
      if (permission === 'default') permission = 'granted'
      return permission
    },
  })
  vi.stubGlobal('fetch', async (address: string, { method, headers, body }: RequestInit) => {
    const path = new URL(address, 'https://fanfare.test').pathname.replace(/^\/api/, '')
    const token = new Headers(headers).get('authorization')?.split(' ')[1]
    if (method === 'GET') return Response.json({ ...personOf(token), push: { publicKey: KEY } })
    tokens.push(token)
    sent.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null })
    return Response.json(status === 200 ? { success: true } : { error: 'No.', code: 'internal' }, { status })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  localStorage.clear()
  queryClient.clear()
  writeToken(null)
})

/** The person of a token such as `ada-2`. */
const personOf = (token = '') => ({ _id: token.split('-')[0], verifiedEmail: 'verified', permissions: [] })

/** That this browser was handed to the server as it is now. */
const handed = (endpoint = subscribed?.endpoint) => ({
  path: '/users/notifications/push',
  body: { endpoint, keys: { p256dh: `p256dh of ${endpoint}`, auth: `auth of ${endpoint}` } },
})

test('who turned it on is sent notifications again after a login, and nobody else', async () => {
  expect(await turnOnPush(KEY, 'ada')).toBe(true)
  expect([registered, sent]).toEqual([['/service-worker.js'], [handed()]])
  await logOut()
  writeToken('another token')
  sent = []
  await renewPush('bert')
  expect(sent).toEqual([])
  await renewPush('ada')
  expect(sent).toEqual([handed()])
})

test('whoever logs in over an open page is who push comes to: the same person again, and nobody else', async () => {
  await turnOnPush(KEY, 'ada')
  const before = subscribed?.endpoint
  ;[sent, tokens] = [[], []]
  writeToken('ada-1')
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Bell opens="panel" />
      </SessionProvider>
    </QueryClientProvider>,
  )
  await waitFor(() => expect(tokens).toEqual(['ada-1']))
  act(() => {
    endSession('ada-1')
    renewToken('ada-1', 'ada-2')
  })
  await waitFor(() => expect(tokens).toEqual(['ada-1', 'ada-2']))
  expect([subscribed?.endpoint, sent]).toEqual([before, [handed(), handed()]])
  act(() => writeToken('bert-1'))
  await waitFor(() => expect(subscribed).toBeNull())
  expect(tokens).toEqual(['ada-1', 'ada-2'])
  act(() => writeToken('ada-3'))
  await waitFor(() => expect(tokens).toEqual(['ada-1', 'ada-2', 'ada-3']))
  expect(subscribed?.endpoint).not.toBe(before)
  expect(sent.at(-1)).toEqual(handed())
})

test('an address that comes once somebody else is logged in is not handed over as theirs', async () => {
  await turnOnPush(KEY, 'ada')
  await (await pushManager.getSubscription())?.unsubscribe()
  sent = []
  const renewed = renewPush('ada')
  writeToken('bert-1')
  await renewPush('bert')
  await renewed
  expect([subscribed, sent]).toEqual([null, []])
})

test('what the browser lost comes back without a question, unless it isn’t allowed anymore', async () => {
  await turnOnPush(KEY, 'ada')
  await (await pushManager.getSubscription())?.unsubscribe()
  sent = []
  permission = 'default'
  await renewPush('ada')
  expect([subscribed, sent, permission]).toEqual([null, [], 'default'])
  permission = 'granted'
  await renewPush('ada')
  expect(subscribed?.key).toBe(KEY)
  expect(sent).toEqual([handed()])
})

test('what the worker couldn’t take anew the page does, for whoever is logged in by then', async () => {
  await turnOnPush(KEY, 'ada')
  const lose = async () => {
    await (await pushManager.getSubscription())?.unsubscribe()
    serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'push lost' } }))
  }
  sent = []
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  await lose()
  await waitFor(() => expect(sent).toEqual([handed()]))
  expect(subscribed?.key).toBe(KEY)
  expect(invalidated).not.toHaveBeenCalled()
  await renewPush('bert')
  await lose()
  await renewPush('bert')
  expect([subscribed, sent.length]).toEqual([null, 1])
})

test('where it is a page tells the worker, and asks for nothing', async () => {
  await turnOnPush(KEY, 'ada')
  sent = []
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  const ports = [{ postMessage: vi.fn() }]
  const asked = new MessageEvent('message', { data: { type: 'address' } })
  Object.defineProperty(asked, 'ports', { value: ports })
  serviceWorker.dispatchEvent(asked)
  expect(ports[0]?.postMessage.mock.calls).toEqual([[location.pathname + location.search]])
  expect(invalidated).not.toHaveBeenCalled()
  expect(sent).toEqual([])
})

test('who says no is asked for nothing more, and nothing is kept', async () => {
  permission = 'denied'
  expect(await turnOnPush(KEY, 'ada')).toBe(false)
  expect([pushSupport(), subscribed, registered, sent]).toEqual(['denied', null, [], []])
  permission = 'granted'
  await renewPush('ada')
  expect(sent).toEqual([])
})

test('a subscription of an installation with another key gives way, and one of the same stays', async () => {
  await turnOnPush(OTHER_KEY, 'ada')
  const before = subscribed?.endpoint
  await turnOnPush(KEY, 'ada')
  expect(subscribed?.key).toBe(KEY)
  expect(subscribed?.endpoint).not.toBe(before)
  const now = subscribed?.endpoint
  await turnOnPush(KEY, 'ada')
  expect(subscribed?.endpoint).toBe(now)
  expect(sent).toEqual([handed(before), handed(now), handed(now)])
})

test('turned off, the server is told, the browser forgets it, and no login brings it back', async () => {
  await turnOnPush(KEY, 'ada')
  sent = []
  await turnOffPush()
  expect(sent).toEqual([{ path: '/users/notifications/push/remove', body: { which: 'here' } }])
  expect([subscribed, store.getItem('pushFor')]).toEqual([null, null])
  await renewPush('ada')
  expect(sent).toHaveLength(1)
})

test('what the server refuses isn’t on, and a renewal that it refuses is tried the next time', async () => {
  status = 409
  await expect(turnOnPush(KEY, 'ada')).rejects.toThrow('No.')
  sent = []
  await renewPush('ada')
  expect(sent).toEqual([])
  status = 200
  await turnOnPush(KEY, 'ada')
  status = 409
  await renewPush('ada')
  status = 200
  sent = []
  await renewPush('ada')
  expect(sent).toEqual([handed()])
})

test('what the worker hands to a page in sight has its list and count asked for again, once', async () => {
  await turnOnPush(KEY, 'ada')
  await renewPush('ada')
  const keys = [unreadNotificationsQuery.queryKey, notificationsQuery.queryKey]
  for (const queryKey of keys) queryClient.setQueryData(queryKey as string[], {})
  const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
  serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'notification' } }))
  expect(keys.map((queryKey) => queryClient.getQueryState(queryKey as string[])?.isInvalidated)).toEqual([
    true,
    true,
  ])
  expect(invalidated).toHaveBeenCalledTimes(keys.length)
})

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, 'install-first'],
  ['an iPad', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'install-first'],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'no'],
  ['a screen for fingers elsewhere', 'Mozilla/5.0 (X11; Linux x86_64)', 10, 'no'],
])('without push %s says what can be done', (_what, userAgent, maxTouchPoints, support) => {
  vi.unstubAllGlobals()
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints })
  expect('PushManager' in window).toBe(false)
  expect(pushSupport()).toBe(support)
})
