import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

type Listener = (event: object) => void

/** What the worker has the browser show of a push message while no page is open. */
async function shownOf(payload: object): Promise<object[]> {
  const source = await readFile(new URL('../../../public/service-worker.js', import.meta.url), 'utf8')
  const listeners = new Map<string, Listener>()
  const shown: object[] = []
  const self = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    clients: { matchAll: async () => [] },
    registration: { showNotification: async (_title: string, options: object) => shown.push(options) },
  }
  runInNewContext(source, { self })
  let shows: Promise<void> | undefined
  const event = { data: { json: () => payload }, waitUntil: (work: Promise<void>) => (shows = work) }
  listeners.get('push')?.(event)
  await shows
  return shown
}

test.each([
  ['what replaces another one is heard', { tag: 'sales', renotify: true }, true],
  ['what is worth no sound isn’t', { tag: 'followers', renotify: false }, false],
  ['what has no tag replaces nothing', { renotify: true }, false],
])('%s', async (_, payload, renotify) => {
  expect(await shownOf({ title: 'News', ...payload })).toMatchObject([{ renotify }])
})
