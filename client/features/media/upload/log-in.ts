import { call } from '../../../lib/api.ts'
import { readToken, subscribeToken } from '../../../lib/token.ts'

/** The calls of one log-in; `signal` aborts as soon as this browser has another one, or none. */
export type LogIn = { call: typeof call; signal: AbortSignal }

let latest: { token: string | null; logIn: LogIn } | undefined

/**
 * Background work calls the server through this, so that nothing is sent as the next person of this browser:
 * once the token is another one a call throws an `AbortError` and sends nothing.
 */
export function logInOf(token: string | null): LogIn {
  if (latest?.token !== token) latest = { token, logIn: begin(token) }
  return latest.logIn
}

function begin(token: string | null): LogIn {
  const controller = new AbortController()
  const { signal } = controller
  const check = () => {
    if (readToken() === token) return
    unsubscribe()
    controller.abort()
  }
  const unsubscribe = subscribeToken(check)
  return {
    signal,
    call: async (route, ...input) => {
      // Word of a log-out in another tab comes later than the log-out itself.
      check()
      signal.throwIfAborted()
      return call(route, ...input)
    },
  }
}
