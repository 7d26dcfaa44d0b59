import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchFile } from './files.ts'
import { routes } from './routes.ts'
import { callTexts } from './texts.ts'
import { endedToken, writeToken } from './token.ts'

/** The server's answer, as the browser's `fetch` shows it. */
let serve: (init: RequestInit) => Promise<Response>
let token: string

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => serve(init))
  token = crypto.randomUUID()
  writeToken(token)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  writeToken(null)
})

const fetchStatement = () => fetchFile(routes.statementFile, { params: { month: '2026-10' } })
const slow = { status: 0, code: 'too_slow', message: callTexts.slow }

test('a file has the name that the server gives it', async () => {
  serve = async () =>
    new Response('a,b', {
      headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="october.csv"' },
    })
  const { name, blob } = await fetchStatement()
  expect([name, blob.type, await blob.text()]).toEqual(['october.csv', 'text/csv', 'a,b'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a file that nobody answers with fails after 30 seconds', async () => {
  serve = ({ signal }) =>
    new Promise((_answer, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const failed = expect(fetchStatement()).rejects.toMatchObject(slow)
  await vi.advanceTimersByTimeAsync(30_000)
  await failed
})

test('a file may take as long as it comes, and fails 30 seconds after it stopped', async () => {
  let more = () => {}
  serve = async ({ signal }) =>
    new Response(
      new ReadableStream({
        start: (to) => {
          more = () => to.enqueue(new TextEncoder().encode('row\n'))
          signal?.addEventListener('abort', () => to.error(signal.reason))
        },
      }),
    )
  const ended = vi.fn()
  const failed = expect(fetchStatement().finally(ended)).rejects.toMatchObject(slow)
  for (let row = 0; row < 3; row += 1) {
    await vi.advanceTimersByTimeAsync(29_000)
    more()
  }
  await vi.advanceTimersByTimeAsync(29_000)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  await failed
})

test('a session that ended elsewhere is told by a file as well, with a sentence', async () => {
  serve = async () => Response.json({ error: 'Log in.', code: 'not_authenticated' }, { status: 401 })
  await expect(fetchStatement()).rejects.toMatchObject({ status: 401, message: callTexts.sessionEnded })
  expect(endedToken()).toBe(token)
})
