import { type AddressParts, addressOf } from '../../contract/address.ts'
import { BUILD_HEADER } from '../../contract/constants.ts'
import type { ErrorBody, ErrorCode } from '../../contract/errors.ts'
import type { Input, Output, Route } from '../../contract/route.ts'
import { takeFirstAnswer } from './initial-data.ts'
import { type ClientRoute, routes } from './routes.ts'
import { callTexts } from './texts.ts'
import { endSession, readToken, writeToken } from './token.ts'

/** A call that failed: `message` is the sentence for people, `details` maps a field to its own sentence. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'unreachable'
  readonly details: Record<string, string>
  /** Seconds to wait before trying again, when the server said so. */
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
  /** Sent as a form together with the fields of the body, to calls that take one. */
  files?: Record<string, Blob>
  /** Continues after the page is left; for a body of less than 64 kB. */
  keepalive?: boolean
}

export type Parts = AddressParts & { body?: unknown }
type Arguments<R extends Route> =
  object extends Input<R>
    ? [input?: Input<R>, options?: CallOptions]
    : [input: Input<R>, options?: CallOptions]

let hearBuild: ((build: string | null) => void) | undefined

/** Calls back with the build of the client that the server serves, whenever an answer comes; null when it names none. */
export function onBuild(listener: typeof hearBuild): void {
  hearBuild = listener
}

/** The log-out under way. */
let loggingOut: Promise<void> | null = null

/** Ends the session on the server and forgets its token. Other calls wait until it is known whether that worked. */
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
  const token = readToken()
  if (loggingOut) {
    await loggingOut.catch(() => undefined)
    // Of a session that has just ended nothing is asked: it would be refused.
    if (readToken() !== token)
      throw new ApiError(401, { error: callTexts.loggedOut, code: 'not_authenticated' })
  }
  const address = addressOf(route.path, parts)
  // What came with the document was answered to a visitor.
  const first = route.method === 'GET' && !token ? takeFirstAnswer(address) : undefined
  if (first !== undefined) return first as Output<R>
  const headers = new Headers({ accept: 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (options?.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey)
  const form = options?.files ? formOf(parts.body, options.files) : null
  if (parts.body !== undefined && !form) headers.set('content-type', 'application/json')

  const { response, answer } = await send(address, {
    method: route.method,
    headers,
    credentials: 'same-origin',
    ...(parts.body === undefined ? {} : { body: form ?? JSON.stringify(parts.body) }),
    ...(options?.signal ? { signal: options.signal } : {}),
    ...(options?.keepalive ? { keepalive: true } : {}),
  })
  if (response.ok) return answer as Output<R>

  const error = errorFrom(response, answer)
  if (error.code === 'not_authenticated' && token !== null && token === readToken()) endSession(token)
  throw error
}

function formOf(body: unknown, files: Record<string, Blob>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {}))
    if (value !== undefined) form.append(name, String(value))
  for (const [name, file] of Object.entries(files)) form.append(name, file)
  return form
}

/** How long a call may take, in milliseconds. A call with files takes as long as its bytes. */
const TIME_LIMIT_MS = 30_000

/** Sends it and reads the whole answer; null for one that is no JSON. */
async function send(address: string, init: RequestInit): Promise<{ response: Response; answer: unknown }> {
  const limit = new AbortController()
  const timer = init.body instanceof FormData ? undefined : setTimeout(() => limit.abort(), TIME_LIMIT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal
  try {
    const response = await fetch(address, { ...init, signal })
    const text = await response.text()
    hearBuild?.(response.headers.get(BUILD_HEADER))
    return { response, answer: parsed(text) }
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, {
      error: limit.signal.aborted ? callTexts.slow : callTexts.unreachable,
      code: 'unreachable',
    })
  } finally {
    clearTimeout(timer)
  }
}

/** What an answer says; null where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The error that an answer is. */
export function errorFrom(response: Response, answer: unknown): ApiError {
  const retryAfter = Number(response.headers.get('retry-after')) || null
  if (answer !== null && typeof answer === 'object' && 'error' in answer && 'code' in answer) {
    return new ApiError(response.status, answer as ErrorBody, retryAfter)
  }
  return new ApiError(response.status, { error: callTexts.unexpected, code: 'internal' }, retryAfter)
}

/** The sentence of any failure, for showing it to the person. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : callTexts.failed
}
