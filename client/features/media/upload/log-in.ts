import { ApiError, call } from '../../../lib/api.ts'
import { firstOf, readToken, subscribeToken } from '../../../lib/token.ts'

/** The calls of one login; `signal` aborts as soon as this browser has another person's, or none. */
export type LogIn = { call: typeof call; signal: AbortSignal }

let latest: { first: string | null; logIn: LogIn } | undefined

/**
 * Background work calls the server through this, so that nothing is sent as the next person of this browser: once the
 * token is somebody else's a call throws an `AbortError` and sends nothing. While the same person is asked to log in
 * again over the page, calls wait for it.
 */
export function logInOf(token: string | null): LogIn {
  const first = firstOf(token)
  if (latest?.first !== first) latest = { first, logIn: begin(first) }
  return latest.logIn
}

function begin(first: string | null): LogIn {
  const controller = new AbortController()
  const { signal } = controller
  const check = () => {
    if (firstOf(readToken()) === first) return
    unsubscribe()
    controller.abort()
  }
  const unsubscribe = subscribeToken(check)
  return {
    signal,
    call: async (route, ...input) => {
      for (;;) {
        // Word of a log-out in another tab comes later than the log-out itself.
        check()
        signal.throwIfAborted()
        const token = readToken()
        try {
          return await call(route, ...input)
        } catch (error) {
          // Refused before anything was done: it may be sent again.
          if (token === null || !(error instanceof ApiError && error.code === 'not_authenticated'))
            throw error
          await anotherThan(token)
        }
      }
    },
  }
}

/** Waits until this browser has another token than this one, or none. */
function anotherThan(token: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (readToken() === token) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = subscribeToken(look)
    look()
  })
}
