import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../lib/api.ts'
import { requestsTo, type ServedRequest } from '../../../served-requests.ts'
import { type Replacement, sendReplacement } from './send-replacement.ts'

/** How long a busy machine may take, in milliseconds. */
const PATIENCE = { timeout: 150_000 }

const file = new File(['0123456789'], 'new.mp4')
let states: Replacement[]
let puts: ServedRequest[]
let asked: string[]
/** How many bytes the server has, and what it says of the file once it is there. */
let arrived: number
let outcome: { status: 'ready' | 'failed'; error: string | null }
let browser: EventTarget
let leaving: AbortController

beforeEach(() => {
  ;[states, puts, asked, arrived] = [[], [], [], 0]
  outcome = { status: 'ready', error: null }
  browser = new EventTarget()
  leaving = new AbortController()
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  vi.stubGlobal(
    'XMLHttpRequest',
    requestsTo((request) => puts.push(request)),
  )
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: HeadersInit }) => {
    const range = new Headers(headers).get('content-range')
    if (range) return new Response(null, { status: 308, headers: { range: `bytes=0-${arrived - 1}` } })
    asked.push(path.replace('/api/media/', ''))
    if (path.endsWith('/editfile')) return Response.json({ signedUrl: '/put/1', destFileNames: ['u1'] })
    if (path.endsWith('/address')) return Response.json({ signedUrl: '/put/2' })
    return Response.json({ items: [{ uploadId: 'u1', progress: 0, ...outcome }] })
  })
})
afterEach(() => {
  leaving.abort()
  vi.unstubAllGlobals()
})

/** Sends the file in place of an item's. */
function sends() {
  const logIn = { call, signal: leaving.signal }
  const report = (state: Replacement) => states.push(state)
  void sendReplacement({ client: new QueryClient(), mediaId: 'm1', file, why: undefined, logIn, report })
}
const put = (count: number) =>
  vi.waitUntil(() => puts.length === count && (puts[count - 1] as ServedRequest), PATIENCE)
const last = () => states.at(-1)

test('another file goes on where its connection broke, by itself', async () => {
  sends()
  const first = await put(1)
  first.progress(6)
  expect(last()).toEqual({ phase: 'sending', file, percent: 60 })
  first.fail()
  arrived = 4
  await vi.waitUntil(() => last()?.phase === 'sending' && 'interrupted' in (last() as object), PATIENCE)
  browser.dispatchEvent(new Event('online'))
  const second = await put(2)
  expect([second.address, second.headers.get('content-range')]).toEqual(['/put/2', 'bytes 4-9/10'])
  expect(last()).toEqual({ phase: 'sending', file, percent: 40 })
  second.answer(200, {})
  await vi.waitUntil(() => last()?.phase === 'done', PATIENCE)
  // One upload, of which the rest was sent.
  expect(asked).toEqual(['editfile', 'upload/u1/address', 'makepublic', 'uploads?uploadIds=u1'])
})

test('a file that the server could not prepare is another upload when it is tried again', async () => {
  outcome = { status: 'failed', error: 'This file is damaged.' }
  sends()
  ;(await put(1)).answer(200, {})
  await vi.waitUntil(() => last()?.phase === 'failed', PATIENCE)
  expect(last()).toMatchObject({ reason: 'This file is damaged.' })
  asked = []
  const { again } = last() as Extract<Replacement, { phase: 'failed' }>
  // Twice in a row is once.
  again()
  again()
  expect(last()).toEqual({ phase: 'sending', file, percent: 0 })
  await put(2)
  expect(asked).toEqual(['upload/cancel', 'editfile'])
})

test('who leaves the page while it is on its way has its upload canceled', async () => {
  sends()
  await put(1)
  leaving.abort()
  await vi.waitUntil(() => asked.includes('upload/cancel'), PATIENCE)
  expect(puts[0]?.isAborted()).toBe(true)
})
