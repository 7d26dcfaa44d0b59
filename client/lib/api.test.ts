import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, call, logOut } from './api.ts'
import { routes } from './routes.ts'
import { callTexts } from './texts.ts'
import { endedToken, readToken, writeToken } from './token.ts'

/** The server's behavior, as the browser's `fetch` shows it. */
let serve: (init: RequestInit) => Promise<Response>

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => serve(init))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  writeToken(null)
})

/** A server that never answers until the request is aborted. */
const silent = ({ signal }: RequestInit) =>
  new Promise<Response>((_answer, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

test('a call that is not answered fails after 30 seconds, and says that it took too long', async () => {
  serve = silent
  const failed = expect(call(routes.config)).rejects.toMatchObject({ status: 0, code: 'too_slow' })
  await vi.advanceTimersByTimeAsync(29_999)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  await failed
})

test('an answer whose body never ends fails as well', async () => {
  serve = async ({ signal }) => {
    const body = new ReadableStream({
      start: (to) => signal?.addEventListener('abort', () => to.error(signal.reason)),
    })
    return new Response(body)
  }
  const failed = expect(call(routes.config)).rejects.toBeInstanceOf(ApiError)
  await vi.advanceTimersByTimeAsync(30_000)
  await failed
})

test('a call that the page gave up is no failure of the service', async () => {
  serve = silent
  const page = new AbortController()
  const failed = expect(call(routes.config, {}, { signal: page.signal })).rejects.not.toBeInstanceOf(ApiError)
  page.abort()
  await failed
})

test('a session that ended elsewhere is told, and the token stays until the page drops it', async () => {
  writeToken('old')
  serve = async () => Response.json({ error: 'Log in.', code: 'not_authenticated' }, { status: 401 })
  await expect(call(routes.me)).rejects.toMatchObject({ code: 'not_authenticated' })
  expect([endedToken(), readToken()]).toEqual(['old', 'old'])
})

test('what a session that ended refused says so, as that stands on the page after the login over it; a visitor is told to log in', async () => {
  serve = async () => Response.json({ error: 'Log in.', code: 'not_authenticated' }, { status: 401 })
  await expect(call(routes.me)).rejects.toMatchObject({ message: 'Log in.' })
  writeToken('over')
  await expect(call(routes.me)).rejects.toMatchObject({ message: callTexts.sessionEnded })
})

test('what a page asks for while its person logs out is not sent once the session has ended', async () => {
  writeToken('mine')
  let answer = (_: Response) => {}
  const sent = vi.fn()
  serve = () => {
    sent()
    return new Promise((resolve) => (answer = resolve))
  }
  const out = logOut()
  const late = expect(call(routes.me)).rejects.toMatchObject({ status: 401, code: 'not_authenticated' })
  answer(Response.json({ success: true }))
  await Promise.all([out, late])
  expect(sent).toHaveBeenCalledTimes(1)
  expect([readToken(), endedToken()]).not.toContain('mine')
})

test('a log-out that fails leaves the session, and what was asked for meanwhile is sent', async () => {
  writeToken('mine')
  const answers = [new Response('', { status: 503 }), Response.json({ _id: 'me' })]
  serve = async () => answers.shift() as Response
  const out = expect(logOut()).rejects.toMatchObject({ status: 503 })
  const late = call(routes.me)
  await out
  expect(await late).toEqual({ _id: 'me' })
  expect(readToken()).toBe('mine')
})
