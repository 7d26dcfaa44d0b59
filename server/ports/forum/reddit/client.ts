import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Answer, Failure, Priority, SubredditUnreadable } from '../port.ts'
import type { Budget } from './budget.ts'

/** The account of our product at the forum, and how it is spoken to. */
export type RedditClient = {
  /** Where people are asked, where tokens are made, and where every other call goes; without a slash at the end. */
  consentUrl: string
  wwwUrl: string
  apiUrl: string
  clientId: string
  clientSecret: string
  userAgent: string
  timeoutMs: number
  /** How long the waits before another try are, of what may be asked twice. */
  retryWaitsMs: readonly number[]
  budget: Budget
  now: () => Date
  log: Logger
}

/** An answer as it came: `json` is undefined for what is none. */
export type Received = { status: number; headers: Headers; json: unknown }

const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** One call with our own credentials: tokens are made and revoked so. Never sent twice by itself. */
export async function callAsClient(
  client: RedditClient,
  path: string,
  form: Record<string, string>,
): Promise<Received | Failure> {
  const credentials = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
  const received = await send(client, `${client.wwwUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams(form),
  })
  if ('kind' in received) return received
  if (received.status === 401) {
    client.log.error('the forum does not know the client id and secret: check the REDDIT_* settings')
    return { kind: 'misconfigured', detail: 'The forum does not know the client id and secret.' }
  }
  return temporary(received) ?? received
}

/**
 * Reads something with an access token, within the budget; what is temporary is tried again after growing waits.
 * @returns the answer parsed by `schema`, why the subreddit can't be read, or why there is no answer
 */
export async function read<T extends z.ZodType>(
  client: RedditClient,
  asked: { path: string; accessToken: string; priority: Priority; schema: T },
): Promise<Answer<z.output<T>, SubredditUnreadable>> {
  const { path, accessToken, priority, schema } = asked
  for (const delay of [...client.retryWaitsMs, null]) {
    const retryAfterSeconds = await client.budget.take(priority, client.now())
    if (retryAfterSeconds !== null) return { kind: 'busy', retryAfterSeconds }
    const separator = path.includes('?') ? '&' : '?'
    const received = await send(client, `${client.apiUrl}${path}${separator}raw_json=1`, {
      headers: { authorization: `bearer ${accessToken}` },
    })
    if (!('kind' in received)) await noteLimits(client, received.headers)
    const failure = 'kind' in received ? received : temporary(received)
    // A waiting page gets the failure after one time-out: three would be longer than a page waits for us.
    const isTooLong = priority === 'interactive' && failure?.kind === 'down' && failure.detail === TIMED_OUT
    if (failure?.kind === 'down' && delay !== null && !isTooLong) {
      await wait(delay)
      continue
    }
    if (failure) return failure
    return understood(client, path, received as Received, schema)
  }
  return { kind: 'down', detail: 'no try was made' }
}

/** How a call fails that took longer than it may. */
const TIMED_OUT = 'TimeoutError'
/** How a call that never reached the forum fails. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
const UNSENT_WAIT_SECONDS = 30

/** Sends what changes something, once and within the budget. `doubt` is whatever leaves open whether the forum took it up. */
export async function write(
  client: RedditClient,
  asked: { path: string; accessToken: string; form: Record<string, string>; priority: Priority },
): Promise<
  | Received
  | { kind: 'unsent'; retryAfterSeconds: number }
  | { kind: 'doubt'; detail: string }
  | { kind: 'unauthorized' }
> {
  const { path, accessToken, form, priority } = asked
  const wait = await client.budget.take(priority, client.now())
  if (wait !== null) return { kind: 'unsent', retryAfterSeconds: wait }
  const received = await send(client, `${client.apiUrl}${path}?raw_json=1`, {
    method: 'POST',
    headers: { authorization: `bearer ${accessToken}` },
    body: new URLSearchParams({ ...form, api_type: 'json' }),
  })
  if ('kind' in received) {
    const detail = received.kind === 'down' ? received.detail : received.kind
    return NEVER_SENT.has(detail)
      ? { kind: 'unsent', retryAfterSeconds: UNSENT_WAIT_SECONDS }
      : { kind: 'doubt', detail }
  }
  await noteLimits(client, received.headers)
  if (received.status === 401 || isUserRequired(received.json)) return { kind: 'unauthorized' }
  const failure = temporary(received)
  if (failure?.kind === 'busy') return { kind: 'unsent', retryAfterSeconds: failure.retryAfterSeconds }
  return failure ? { kind: 'doubt', detail: `status ${received.status}` } : received
}

/** Deletes what has this name; the forum answers the same for what is deleted already, so a doubt is no harm. */
export async function deleteThing(
  client: RedditClient,
  { id, ...asked }: { path: string; id: string; accessToken: string; priority: Priority },
): Promise<Answer<null>> {
  const { path } = asked
  const received = await write(client, { ...asked, form: { id } })
  if (!('kind' in received))
    return received.status === 200
      ? { kind: 'answered', value: null }
      : malformed(client, path, received.status)
  if (received.kind === 'unsent') return { kind: 'busy', retryAfterSeconds: received.retryAfterSeconds }
  return received.kind === 'doubt' ? { kind: 'down', detail: received.detail } : received
}

/** Of a name that no subreddit can have the forum has no JSON to answer with. */
const IMPOSSIBLE_NAME = /^\/r\/(?!\w{2,21}\/)/

/** The outcome of an answer, by its status first: an error's body may be anything. */
function understood<T extends z.ZodType>(
  client: RedditClient,
  path: string,
  { status, headers, json }: Received,
  schema: T,
): Answer<z.output<T>, SubredditUnreadable> {
  const reason = (json as { reason?: unknown } | null | undefined)?.reason
  if (status === 401) return { kind: 'unauthorized' }
  if (status >= 300 && status < 400) {
    // A name that never existed redirects to the search; any other redirect is no answer.
    return /\/subreddits\/search/.test(headers.get('location') ?? '')
      ? { kind: 'gone' }
      : { kind: 'down', detail: `led away with ${status}` }
  }
  // A page in place of JSON is somebody’s between the forum and us, and says nothing of what was asked for.
  if (json === undefined && !(status === 404 && IMPOSSIBLE_NAME.test(path)))
    return malformed(client, path, status)
  if (status === 403) {
    if (reason === 'private' || reason === 'SUBREDDIT_NO_ACCESS') return { kind: 'private' }
    return reason === 'quarantined' || reason === 'quarantine'
      ? { kind: 'quarantined' }
      : { kind: 'forbidden' }
  }
  if (status === 404) return { kind: reason === 'banned' ? 'banned' : 'gone' }
  if (isUserRequired(json)) return { kind: 'unauthorized' }
  const parsed = status === 200 ? schema.safeParse(json) : undefined
  if (parsed?.success) return { kind: 'answered', value: parsed.data }
  return malformed(client, path, status, parsed?.error)
}

/** Logs an answer that we can't read, without what it said, and tells so. */
export function malformed(client: RedditClient, path: string, status: number, error?: z.ZodError): Failure {
  const at = error?.issues[0]?.path.join('.') ?? ''
  const call = path.replace(/\?.*/, '')
  client.log.warn({ call, status, at }, 'the forum sent an answer that can’t be read')
  return { kind: 'malformed', detail: `${status} ${at}`.trim() }
}

/** Nobody is behind the token, which is said with a status of success. */
function isUserRequired(json: unknown): boolean {
  const errors = (json as { json?: { errors?: unknown } } | null | undefined)?.json?.errors
  return Array.isArray(errors) && errors.some((error) => Array.isArray(error) && error[0] === 'USER_REQUIRED')
}

/** The failure that an answer's status alone stands for, if it is one that passes. */
function temporary({ status, headers }: Received): Failure | null {
  if (status === 429)
    return {
      kind: 'busy',
      retryAfterSeconds: seconds(headers.get('retry-after') ?? headers.get('x-ratelimit-reset')),
    }
  return status >= 500 || status === 408 ? { kind: 'down', detail: `status ${status}` } : null
}

const DEFAULT_WAIT_SECONDS = 60
const MAX_WAIT_SECONDS = 3600

function seconds(header: string | null): number {
  const number = Number(header ?? Number.NaN)
  return Number.isFinite(number) && number > 0
    ? Math.min(Math.ceil(number), MAX_WAIT_SECONDS)
    : DEFAULT_WAIT_SECONDS
}

const MAX_CALLS = 1_000_000
const callsOf = (text: string) => Math.min(Math.floor(Number(text)), MAX_CALLS)

/** Headers that aren't numbers say nothing. */
async function noteLimits(client: RedditClient, headers: Headers): Promise<void> {
  const [left, reset] = [headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-reset')]
  if (left === null || reset === null || !/^\d+(\.\d+)?$/.test(left) || !/^\d{1,5}$/.test(reset)) return
  const resetSeconds = Math.min(Math.max(Number(reset), 1), MAX_WAIT_SECONDS)
  const used = headers.get('x-ratelimit-used')
  await client.budget.note(
    {
      used: used !== null && /^\d+$/.test(used) ? callsOf(used) : null,
      remaining: callsOf(left),
      resetSeconds,
    },
    client.now(),
  )
}

async function send(client: RedditClient, url: string, init: RequestInit): Promise<Received | Failure> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { ...init.headers, 'user-agent': client.userAgent, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(client.timeoutMs),
    })
    const text = await boundedText(response)
    if (text === null) return malformed(client, new URL(url).pathname, response.status)
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return { status: response.status, headers: response.headers, json: isJson ? parsedJson(text) : undefined }
  } catch (error) {
    const cause = (error as { cause?: { code?: unknown } }).cause?.code
    return { kind: 'down', detail: typeof cause === 'string' ? cause : (error as Error).name }
  }
}

/** The body, or null of one that is longer than any answer. */
async function boundedText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
