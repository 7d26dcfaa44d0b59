import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CHUNK_BYTES } from '../../../../contract/constants.ts'
import { store } from '../../../lib/storage.ts'
import { writeToken } from '../../../lib/token.ts'
import { requestsTo } from '../../../served-requests.ts'
import { forLibrary } from './purpose.ts'
import { type UploadQueue, uploadQueueOf } from './queue.ts'
import { rememberedBy } from './remembered.ts'

/** What the browser sent: where to, and as whom. The answer to a chunk comes when the test gives it. */
type Sent = { path: string; as: string | null; answer: (body: object) => void }
let sent: Sent[]
let browser: EventTarget
let adasToken: string

beforeEach(() => {
  sent = []
  adasToken = crypto.randomUUID()
  browser = new EventTarget()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  vi.stubGlobal('fetch', (path: string, { headers, signal }: { headers: Headers; signal?: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => reject(signal.reason))
    const answer = (body: object) => resolve(Response.json(body))
    sent.push({ path, as: headers.get('authorization'), answer })
    if (path.endsWith('/duplicates')) answer({ items: [] })
    return promise
  })
  vi.stubGlobal(
    'XMLHttpRequest',
    requestsTo(({ address, headers, answer }) =>
      sent.push({
        path: address,
        as: headers.get('authorization'),
        answer: (body) => answer(200, body),
      }),
    ),
  )
})
afterEach(() => {
  writeToken(null)
  vi.unstubAllGlobals()
})

/** How long a busy machine may take, in milliseconds. */
const PATIENCE = { timeout: 20_000 }

const chunks = () => sent.filter(({ path }) => path.endsWith('/uploadsingle'))
const others = () => sent.filter(({ as }) => as !== `Bearer ${adasToken}`)

/** Ada's queue with three files of two chunks each, the first chunk of the first one on its way. */
async function adaUploads(): Promise<{ queue: UploadQueue; chunk: Sent }> {
  writeToken(adasToken)
  const queue = uploadQueueOf(forLibrary, 'many', { personId: 'ada', token: adasToken }, () => undefined)
  const files = [1, 2, 3].map((number) => new File([new Uint8Array(CHUNK_BYTES + number)], `${number}.mp4`))
  queue.choose(files, { maxBytes: 2 * CHUNK_BYTES, mode: 'chunked' })
  return { queue, chunk: await vi.waitUntil(() => chunks()[0], PATIENCE) }
}

/** Long enough for everything that was going to be sent: all of it is promises that are settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Whether closing the tab would be asked about. */
const warns = () => !browser.dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('the next chunk goes to who began, while they are logged in', async () => {
  const { queue, chunk } = await adaUploads()
  expect(warns()).toBe(true)
  chunk.answer({ uploadId: 'u1' })
  await vi.waitUntil(() => chunks().length === 2, PATIENCE)
  expect(others()).toEqual([])
  expect(queue.snapshot().map(({ phase }) => phase)).toEqual(['sending', 'waiting', 'waiting'])
  expect(rememberedBy('ada').map(({ uploadId }) => uploadId)).toEqual(['u1'])
})

test('a log-out stops and forgets everything; the next person’s queue is another one and empty', async () => {
  const { queue, chunk } = await adaUploads()
  const told = vi.fn()
  queue.subscribe(told)
  const before = sent.length
  writeToken(null)
  expect([queue.snapshot(), told.mock.calls.length, warns()]).toEqual([[], 1, false])
  chunk.answer({ uploadId: 'u1' })
  writeToken('bea-1')
  queue.choose([new File(['a'], 'late.mp4')], { maxBytes: 100, mode: 'chunked' })
  const next = uploadQueueOf(forLibrary, 'many', { personId: 'bea', token: 'bea-1' }, () => undefined)
  await settled()
  expect(next).not.toBe(queue)
  expect([next.snapshot(), queue.snapshot(), sent.slice(before)]).toEqual([[], [], []])
})

test('nothing is sent as the next person either before this tab hears of a log-in in another one', async () => {
  const { queue, chunk } = await adaUploads()
  const before = sent.length
  store.setItem('token', JSON.stringify('bea-1'))
  chunk.answer({ uploadId: 'u1' })
  await vi.waitUntil(() => queue.snapshot().length === 0, PATIENCE)
  await settled()
  expect(sent.slice(before)).toEqual([])
  // What arrived is still Ada's to go on with.
  expect(rememberedBy('ada').map(({ uploadId }) => uploadId)).toEqual(['u1'])
})

test('word of a log-in in another tab stops everything', async () => {
  const { queue } = await adaUploads()
  const before = sent.length
  store.setItem('token', JSON.stringify('bea-1'))
  browser.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
  expect(queue.snapshot()).toEqual([])
  await settled()
  expect(sent.slice(before)).toEqual([])
})

test('logged in again, the same person begins with an empty list', async () => {
  const { queue } = await adaUploads()
  writeToken(null)
  writeToken('ada-2')
  const again = uploadQueueOf(forLibrary, 'many', { personId: 'ada', token: 'ada-2' }, () => undefined)
  expect([again === queue, again.snapshot()]).toEqual([false, []])
})
