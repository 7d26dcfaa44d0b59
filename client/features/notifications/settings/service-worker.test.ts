import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'

type Listener = (event: object) => void

/** Runs the worker with this of a browser around it; answers how to have something happen in it until it is done. */
async function startWorker(around: object) {
  const source = await readFile(new URL('../../../public/service-worker.js', import.meta.url), 'utf8')
  const listeners = new Map<string, Listener>()
  const self = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    clients: { matchAll: async () => [] },
    ...around,
  }
  runInNewContext(source, { self, URL })
  return async (name: string, event: object) => {
    let work: Promise<void> | undefined
    listeners.get(name)?.({ ...event, waitUntil: (given: Promise<void>) => (work = given) })
    await work
  }
}

/** What the worker has the browser show of a push message while no page is open. */
async function shownOf(payload: object): Promise<object[]> {
  const shown: object[] = []
  const showNotification = async (_title: string, options: object) => shown.push(options)
  const happens = await startWorker({ registration: { showNotification } })
  await happens('push', { data: { json: () => payload } })
  return shown
}

test.each([
  ['what replaces another one is heard', { tag: 'sales', renotify: true }, true],
  ['what is worth no sound isn’t', { tag: 'followers', renotify: false }, false],
  ['what has no tag replaces nothing', { renotify: true }, false],
])('%s', async (_, payload, renotify) => {
  expect(await shownOf({ title: 'News', ...payload })).toMatchObject([{ renotify }])
})

describe('an address that the push service gave up', () => {
  const before = { endpoint: 'https://push.test/before', options: { applicationServerKey: 'key' } }

  async function lost(event: object, permission = 'granted') {
    const sent: unknown[] = []
    const told: unknown[] = []
    const happens = await startWorker({
      Notification: { permission },
      registration: {
        pushManager: {
          subscribe: async (options: object) => ({ endpoint: 'https://push.test/after', options }),
        },
      },
      clients: { matchAll: async () => [{ postMessage: (data: object) => told.push(data) }] },
      fetch: async (path: string, { body }: { body: string }) => sent.push([path, JSON.parse(body)]),
    })
    await happens('pushsubscriptionchange', event)
    return { sent, told }
  }

  test('is replaced by one with the same key, or by what the browser has already, and the server told', async () => {
    const path = '/api/notifications/push/replace'
    const subscription = { ...before, endpoint: 'https://push.test/after' }
    expect(await lost({ oldSubscription: before })).toEqual({
      sent: [[path, { before, subscription }]],
      told: [],
    })
    const newSubscription = { ...before, endpoint: 'https://push.test/new' }
    expect(await lost({ oldSubscription: before, newSubscription })).toEqual({
      sent: [[path, { before, subscription: newSubscription }]],
      told: [],
    })
  })

  test('is left to a page where the browser doesn’t say which, and given up without permission', async () => {
    expect(await lost({})).toEqual({ sent: [], told: [{ type: 'push lost' }] })
    for (const event of [{}, { oldSubscription: before }])
      expect(await lost(event, 'default')).toEqual({ sent: [], told: [] })
  })
})

describe('a click on a notification', () => {
  /** What a click on one of this path does where tabs show these addresses; a tab with null doesn’t say. */
  async function clicked(path: string, addresses: (string | null)[]) {
    const done: string[] = []
    const pages = addresses.map((address, at) => ({
      url: 'https://fanfare.test/dashboard/chats',
      focus: async () => done.push(`focuses ${at}`),
      navigate: async () => done.push(`leads ${at}`),
      postMessage: (_data: object, [port]: MessagePort[]) => address && port?.postMessage(address),
    }))
    const happens = await startWorker({
      ...{ MessageChannel, setTimeout, location: { origin: 'https://fanfare.test' } },
      clients: {
        matchAll: async () => pages,
        openWindow: async (url: string) => done.push(`opens ${url}`),
      },
    })
    await happens('notificationclick', { notification: { close() {}, data: { path } } })
    return done
  }

  test.each([
    ['shows the tab that has it open', '/dashboard/chats', ['/dashboard', '/dashboard/chats'], 'focuses 1'],
    ['leads no tab elsewhere', '/dashboard', ['/dashboard/chats'], 'opens https://fanfare.test/dashboard'],
    [
      'believes no tab that says nothing',
      '/dashboard/chats',
      [null],
      'opens https://fanfare.test/dashboard/chats',
    ],
    ['opens a tab where there is none', '/dashboard', [], 'opens https://fanfare.test/dashboard'],
  ])('%s', async (_, path, addresses, done) => {
    expect(await clicked(path, addresses)).toEqual([done])
  })

  test('leads to no other site', async () => {
    expect(await clicked('https://elsewhere.example/', [])).toEqual([])
  })
})
