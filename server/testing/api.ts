import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type ErrorBody, errors } from '../../contract/errors.ts'
import type { Input, Output, Route } from '../../contract/route.ts'
import { type ApiSocket, openSocket } from './socket.ts'

/** A refusal as a caller sees it. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(`${status} ${body.code}: ${body.error}`)
    this.status = status
    this.code = body.code
    this.body = body
  }
}

export type CallOptions = { idempotencyKey?: string; headers?: Record<string, string> }

/** A caller of the running server with a cookie jar of its own, as one browser has it. */
export type Api = {
  readonly cookies: Map<string, string>
  /** Calls, and parses the answer by the contract; throws `Refused` when the server says no. */
  call<R extends Route>(route: R, input: Input<R>, options?: CallOptions): Promise<Output<R>>
  /** Calls and returns the answer unchecked; a file as its bytes. */
  send(
    method: string,
    path: string,
    options?: { query?: unknown; body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Headers; body: unknown }>
  /** Fetches any path of the server with this caller's cookies, as a picture tag would: without the token. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A socket of this caller, connected; refused when the server says no. The test that opens it closes it. */
  socket(handshake?: { conversationId?: string; participantIds?: string[] }): Promise<ApiSocket>
}

const agent = new Agent({ keepAlive: true })

/** Sends with Node's own client: tests make thousands of calls, and `fetch`, or its blobs for a body, take far more CPU. */
export async function exchange(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | undefined } = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const sent = request(url, { agent, method, headers: { ...headers, ...length } })
  // A server that refuses may answer and hang up before it has read everything.
  sent.on('error', () => {})
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  answer.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(answer, 'end')
  const received = new Headers()
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    received.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '')
  return { status: answer.statusCode ?? 0, headers: received, bytes: Buffer.concat(chunks) }
}

export function createApi(origin: string, token: string | null): Api {
  const cookies = new Map<string, string>()
  const remember = <Answer extends { headers: Headers }>(answer: Answer) => {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
  const cookieHeader = (): Record<string, string> =>
    cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}

  const api: Api = {
    cookies,
    async send(method, path, options = {}) {
      const answer = remember(
        await exchange(`${origin}/api${path}${queryText(options.query)}`, {
          method,
          headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(options.body !== undefined ? { 'content-type': 'application/json' } : {}),
            ...cookieHeader(),
            ...options.headers,
          },
          body: options.body === undefined ? undefined : JSON.stringify(options.body),
        }),
      )
      const { status, headers, bytes } = answer
      const isFile = headers.has('content-disposition')
      const body = isFile ? bytes : bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined
      return { status, headers, body }
    },
    async call(route, input, options = {}) {
      const {
        params = {},
        query,
        body,
      } = input as { params?: Record<string, string>; query?: unknown; body?: unknown }
      const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(String(params[name])),
      )
      const headers = {
        ...options.headers,
        ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      }
      const answer = await api.send(route.method, path, {
        query,
        ...(route.method === 'GET' ? {} : { body: body ?? {} }),
        headers,
      })
      if (answer.status >= 400) {
        const refusal = answer.body as ErrorBody
        if (!(refusal.code in errors)) throw new Error(`not an error of ours: ${JSON.stringify(answer)}`)
        throw new Refused(answer.status, refusal)
      }
      return route.output.parse(answer.body) as Output<typeof route>
    },
    async fetch(path, init = {}) {
      const url = path.startsWith('http') ? path : `${origin}${path}`
      return remember(
        await fetch(url, {
          ...init,
          headers: { ...cookieHeader(), ...(init.headers as Record<string, string>) },
        }),
      )
    },
    socket: (handshake = {}) => openSocket(origin, { token: token ?? '', ...handshake }),
  }
  return api
}

function queryText(query: unknown): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(key, String(one))
  }
  const text = search.toString()
  return text ? `?${text}` : ''
}
