import { type AddressParts, addressOf } from '../../contract/address.ts'
import { BUILD_HEADER } from '../../contract/constants.ts'
import type { ErrorBody, ErrorCode } from '../../contract/errors.ts'
import type { Input, Output, Route } from '../../contract/route.ts'
import { takeFirstAnswer } from './initial-data.ts'
import { type ClientRoute, routes } from './routes.ts'
import { hearTime } from './server-clock.ts'
import { callTexts } from './texts.ts'
import { TIME_LIMIT_MS, timeLimit } from './time-limit.ts'
import { endSession, readToken, writeToken } from './token.ts'

/**
 * A failed call: `message` is the sentence for people, `details` maps fields to their own sentences. Status 0 means no
 * answer: `unreachable`, or `too_slow` after its time limit.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'unreachable' | 'too_slow'
  readonly details: Record<string, string>
  /** Seconds to wait before a retry, if the server sent them. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    body: Omit<ErrorBody, 'code'> & { code: ApiError['code'] },
    retryAfter: number | null = null,
  ) {
    super(body.error)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code
    this.details = body.details ?? {}
    this.retryAfter = retryAfter
  }
}

export type CallOptions = {
  /** Sent as `Idempotency-Key`: the same key and body never acts twice (docs/product.md, Calls). */
  idempotencyKey?: string
  signal?: AbortSignal
  /** Sends it another way, such as `carryFiles`. */
  carry?: Carrier
  /** Continues after the page is left; the body must be under 64 kB. */
  keepalive?: boolean
}

/** A call to send; bodies that aren't text become JSON. */
export type Carried = {
  address: string
  method: string
  headers: Headers
  body: unknown
  keepalive: boolean
  signal: AbortSignal
}
/** A transport to the server. */
export type Carrier = {
  /** Returns the answer, and calls `onMoved` whenever bytes moved. Throws without an answer. */
  send: (carried: Carried, onMoved: () => void) => Promise<Response>
  /** How long it may take, or stall, in milliseconds, and the message after that. */
  limitMs: number
  slow: string
}

type Parts = AddressParts & { body?: unknown }
type Arguments<R extends Route> =
  object extends Input<R>
    ? [input?: Input<R>, options?: CallOptions]
    : [input: Input<R>, options?: CallOptions]

let hearBuild: ((build: string | null) => void) | undefined

/** Calls back with the server's client build on every answer; null when the answer doesn't name one. */
export function onBuild(listener: typeof hearBuild): void {
  hearBuild = listener
}

/** The pending log-out. */
let loggingOut: Promise<void> | null = null

/** Ends the session on the server and drops its token. Other calls wait until it is known whether that worked. */
export function logOut(): Promise<void> {
  loggingOut = call(routes.logout)
    .catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error
    })
    .then(() => writeToken(null))
    .finally(() => {
      loggingOut = null
    })
  return loggingOut
}

/** Calls the server as the logged-in person. Throws an `ApiError`, also when the server can't be reached. */
export async function call<R extends Route>(
  route: ClientRoute<R>,
  ...[input, options]: Arguments<R>
): Promise<Output<R>> {
  const parts: Parts = input ?? {}
  // Initial data was made for a visitor.
  const isVisitors = route.method === 'GET' && !readToken()
  const first = isVisitors ? takeFirstAnswer(addressOf(route.path, parts)) : undefined
  if (first !== undefined) return first as Output<R>
  return (await send(route, parts, jsonOf, options)) as Output<R>
}

/**
 * Sends a call as the logged-in person. `read` gets the answer, and reports each further piece of it. Throws an `ApiError`,
 * also when the server can't be reached or takes too long.
 */
export async function send<Answer>(
  route: ClientRoute<Route>,
  parts: Parts,
  read: (response: Response, onMoved: () => void) => Promise<Answer>,
  { idempotencyKey, signal, keepalive = false, carry = byFetch }: CallOptions = {},
): Promise<Answer> {
  const token = readToken()
  if (loggingOut) {
    await loggingOut.catch(() => undefined)
    // A session that just ended is asked for nothing: the server would refuse.
    if (readToken() !== token)
      throw new ApiError(401, { error: callTexts.loggedOut, code: 'not_authenticated' })
  }
  const headers = new Headers({ accept: 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)

  const limit = timeLimit(carry.limitMs, signal)
  const address = addressOf(route.path, parts)
  const carried = {
    address,
    method: route.method,
    headers,
    body: parts.body,
    keepalive,
    signal: limit.signal,
  }
  try {
    const response = await carry.send(carried, limit.renew)
    hearTime(response)
    const answer = await (response.ok ? read : jsonOf)(response, limit.renew)
    hearBuild?.(response.headers.get(BUILD_HEADER))
    if (response.ok) return answer as Answer
    const refusal = errorFrom(response, answer)
    if (refusal.code !== 'not_authenticated' || token === null) throw refusal
    if (token === readToken()) endSession(token)
    // It still stands on the page once the person has logged in over it.
    throw new ApiError(refusal.status, { error: callTexts.sessionEnded, code: refusal.code })
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error
    throw new ApiError(
      0,
      limit.isOver()
        ? { error: carry.slow, code: 'too_slow' }
        : { error: callTexts.unreachable, code: 'unreachable' },
    )
  } finally {
    limit.end()
  }
}

const byFetch: Carrier = {
  limitMs: TIME_LIMIT_MS,
  slow: callTexts.slow,
  send: ({ address, body, ...init }) => {
    if (body !== undefined) init.headers.set('content-type', 'application/json')
    return fetch(address, { ...init, body: JSON.stringify(body) ?? null, credentials: 'same-origin' })
  },
}

/** The answer's JSON; null if it isn't JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The error in an answer. */
function errorFrom(response: Response, answer: unknown): ApiError {
  const retryAfter = Number(response.headers.get('retry-after')) || null
  if (answer !== null && typeof answer === 'object' && 'error' in answer && 'code' in answer) {
    return new ApiError(response.status, answer as ErrorBody, retryAfter)
  }
  return new ApiError(response.status, { error: callTexts.unexpected, code: 'internal' }, retryAfter)
}

/** The sentence of any failure, for display. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : callTexts.failed
}
