import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestsTo, type ServedRequest } from '../served-requests.ts'
import { call } from './api.ts'
import { routes } from './routes.ts'
import { endedToken, writeToken } from './token.ts'
import { uploadTexts } from './upload-texts.ts'
import { askArrived, carryFiles, putFile } from './uploads.ts'

/** The last request. */
let sent: ServedRequest

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'XMLHttpRequest',
    requestsTo((request) => {
      sent = request
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  writeToken(null)
})

const MINUTE = 60_000
const nobody = () => new AbortController().signal
const file = new Blob(['0123456789'])

/** Uploads the file from its fourth byte on; `told` gets the progress. */
function put(signal = nobody()) {
  const told = vi.fn()
  return { told, done: putFile('/files/one', file, { onProgress: told, signal, from: 4 }) }
}

test('a file that is on the move may take as long as it takes, and stalls after a minute without a byte', async () => {
  const { told, done } = put()
  const failed = expect(done).rejects.toMatchObject({ status: 0, reason: uploadTexts.stalled })
  expect(sent.headers.get('content-range')).toBe('bytes 4-9/10')
  for (const bytes of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(MINUTE - 1)
    sent.progress(bytes)
  }
  expect(told.mock.calls).toEqual([[5], [6], [7]])
  expect(sent.isAborted()).toBe(false)
  await vi.advanceTimersByTimeAsync(MINUTE)
  await failed
  expect(sent.isAborted()).toBe(true)
})

test('a file that arrived leaves nothing waiting', async () => {
  const { done } = put()
  sent.answer(200, {})
  await done
  expect(vi.getTimerCount()).toBe(0)
})

test('a refusal of bytes says why, a broken line and a page that gave up say nothing for people', async () => {
  const refused = put()
  sent.answer(410, { error: 'The link has expired.', code: 'link_expired' })
  await expect(refused.done).rejects.toMatchObject({ status: 410, code: 'link_expired' })

  const broken = put()
  sent.fail()
  await expect(broken.done).rejects.toMatchObject({ status: 0, reason: null })

  const page = new AbortController()
  const left = put(page.signal)
  page.abort()
  await expect(left.done).rejects.toMatchObject({ name: 'AbortError' })
})

test('how much of a file has arrived is asked for 30 seconds', async () => {
  vi.stubGlobal(
    'fetch',
    (_address: string, { signal }: RequestInit) =>
      new Promise((_answer, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  )
  const failed = expect(askArrived('/files/one', file, nobody())).rejects.toMatchObject({ status: 0 })
  await vi.advanceTimersByTimeAsync(30_000)
  await failed
})

/** Sends the fields of a chunk with ten bytes. */
const sendChunk = (onProgress?: (part: number) => void) =>
  call(
    routes.uploadChunk,
    { body: { name: 'a.mp4', chunk_number: 0, total_chunks: 1, uploadId: undefined } },
    { carry: carryFiles({ file }, onProgress) },
  )

test('a call with files sends one form and tells which part of it is sent', async () => {
  const token = crypto.randomUUID()
  writeToken(token)
  const told = vi.fn()
  const answered = sendChunk(told)
  expect(Object.fromEntries(sent.body as FormData)).toMatchObject({ name: 'a.mp4', total_chunks: '1' })
  expect(sent.headers.get('authorization')).toBe(`Bearer ${token}`)
  expect(sent.headers.get('content-type')).toBe(null)
  sent.progress(5)
  // The form is longer than its files.
  sent.progress(300)
  sent.answer(200, { uploadId: 'one' })
  expect(await answered).toEqual({ uploadId: 'one' })
  expect(told.mock.calls).toEqual([[0.5], [1]])
  expect(vi.getTimerCount()).toBe(0)
})

test('a call with files stalls after a minute without a byte, and its 401 ends the session', async () => {
  const token = crypto.randomUUID()
  writeToken(token)
  const stalled = expect(sendChunk()).rejects.toMatchObject({ status: 0, message: uploadTexts.stalled })
  await vi.advanceTimersByTimeAsync(MINUTE - 1)
  sent.progress(1)
  await vi.advanceTimersByTimeAsync(MINUTE - 1)
  expect(sent.isAborted()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await stalled

  const refused = expect(sendChunk()).rejects.toMatchObject({ status: 401 })
  sent.answer(401, { error: 'Log in.', code: 'not_authenticated' })
  await refused
  expect(endedToken()).toBe(token)
})
