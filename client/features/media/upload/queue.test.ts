import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CHUNK_BYTES } from '../../../../contract/constants.ts'
import { store } from '../../../lib/storage.ts'
import { renewToken, writeToken } from '../../../lib/token.ts'
import { requestsTo } from '../../../served-requests.ts'
import { forLibrary } from './purpose.ts'
import { type UploadQueue, uploadQueueOf } from './queue.ts'
import { rememberedBy } from './remembered.ts'
import { view } from './view.ts'

/** What the browser sent: where to, and as whom. The answer to a chunk comes when the test gives it. */
type Sent = {
  path: string
  as: string | null
  answer: (body: object, status?: number) => void
  /** So many bytes of it are sent. */
  progress?: (bytes: number) => void
}
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
    const answer = (body: object, status = 200) => resolve(Response.json(body, { status }))
    sent.push({ path, as: headers.get('authorization'), answer })
    if (path.endsWith('/duplicates')) answer({ items: [] })
    return promise
  })
  vi.stubGlobal(
    'XMLHttpRequest',
    requestsTo(({ address, headers, answer, progress }) =>
      sent.push({
        path: address,
        as: headers.get('authorization'),
        answer: (body, status = 200) => answer(status, body),
        progress,
      }),
    ),
  )
})
afterEach(() => {
  writeToken(null)
  vi.unstubAllGlobals()
})

/** How long a busy machine may take, in milliseconds. */
const PATIENCE = { timeout: 150_000 }

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

test('a chunk shows how far it is while it is sent, and is whole once it is answered', async () => {
  const { queue, chunk } = await adaUploads()
  const bytes = () => queue.snapshot()[0]?.sentBytes ?? 0
  chunk.progress?.(CHUNK_BYTES / 2)
  expect(bytes()).toBe(CHUNK_BYTES / 2 - 1)
  expect(queue.snapshot().map((upload) => view(upload).status)[0]).toBe('Uploading...')
  chunk.progress?.(CHUNK_BYTES + 300)
  expect(bytes()).toBe(CHUNK_BYTES - 1)
  chunk.answer({ uploadId: 'u1' })
  await vi.waitUntil(() => chunks().length === 2, PATIENCE)
  expect(bytes()).toBe(CHUNK_BYTES)
  chunks()[1]?.progress?.(300)
  expect(bytes()).toBe(CHUNK_BYTES)
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

test('nothing is sent as the next person either before this tab hears of a login in another one', async () => {
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

test('word of a login in another tab stops everything', async () => {
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

test('logged in again over the page, the same person’s files go on where they were, each chunk sent once', async () => {
  const { queue, chunk } = await adaUploads()
  chunk.answer({ uploadId: 'u1' })
  const second = await vi.waitUntil(() => chunks()[1], PATIENCE)
  second.answer({ error: 'Log in first.', code: 'not_authenticated' }, 401)
  await settled()
  expect(queue.snapshot().map(({ phase }) => phase)).toEqual(['sending', 'waiting', 'waiting'])
  expect([chunks().length, rememberedBy('ada').map(({ uploadId }) => uploadId)]).toEqual([2, ['u1']])
  const next = crypto.randomUUID()
  renewToken(adasToken, next)
  expect(uploadQueueOf(forLibrary, 'many', { personId: 'ada', token: next }, () => undefined)).toBe(queue)
  await vi.waitUntil(() => chunks().length === 3, PATIENCE)
  expect(chunks().map(({ as }) => as)).toEqual([...Array(2).fill(`Bearer ${adasToken}`), `Bearer ${next}`])
  chunks()[2]?.answer({ uploadId: 'u1' })
  await vi.waitUntil(() => queue.snapshot()[1]?.phase === 'sending' || chunks().length === 4, PATIENCE)
  writeToken('bea-1')
  expect(queue.snapshot()).toEqual([])
})

test('logged in again over the page of another tab, the same person’s files go on here; somebody else’s login stops them', async () => {
  const { queue, chunk } = await adaUploads()
  chunk.answer({ error: 'Log in first.', code: 'not_authenticated' }, 401)
  await settled()
  vi.resetModules()
  const otherTab = await import('../../../lib/token.ts')
  const tells = () => browser.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
  const next = crypto.randomUUID()
  otherTab.renewToken(adasToken, next)
  tells()
  expect(uploadQueueOf(forLibrary, 'many', { personId: 'ada', token: next }, () => undefined)).toBe(queue)
  await vi.waitUntil(() => chunks().length === 2, PATIENCE)
  expect(chunks().map(({ as }) => as)).toEqual([`Bearer ${adasToken}`, `Bearer ${next}`])
  expect(queue.snapshot()).toHaveLength(3)
  otherTab.writeToken('bea-1')
  tells()
  expect(queue.snapshot()).toEqual([])
})

test('a file that is canceled while the login is waited for is not sent after it', async () => {
  const { queue, chunk } = await adaUploads()
  chunk.answer({ error: 'Log in first.', code: 'not_authenticated' }, 401)
  await settled()
  for (const { key } of queue.snapshot()) queue.cancel(key)
  renewToken(adasToken, crypto.randomUUID())
  await settled()
  expect(chunks()).toHaveLength(1)
  expect(warns()).toBe(false)
})
