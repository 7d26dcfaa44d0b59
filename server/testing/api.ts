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
  /** Calls and returns whatever came back, without judging it. */
  send(
    method: string,
    path: string,
    options?: { query?: unknown; body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Headers; body: unknown }>
  /** Fetches any path of the server with this caller's cookies, as a picture tag would: without the token. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A socket of this caller, connected; refused when the server says no. Whoever opens it closes it. */
  socket(handshake?: { conversationId?: string; participantIds?: string[] }): Promise<ApiSocket>
}

export function createApi(origin: string, token: string | null): Api {
  const cookies = new Map<string, string>()
  const remember = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  const cookieHeader = (): Record<string, string> =>
    cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}

  const api: Api = {
    cookies,
    async send(method, path, options = {}) {
      const response = remember(
        await fetch(`${origin}/api${path}${queryText(options.query)}`, {
          method,
          headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(options.body !== undefined ? { 'content-type': 'application/json' } : {}),
            ...cookieHeader(),
            ...options.headers,
          },
          ...(options.body !== undefined ? { body: JSON.stringify(options.body) } : {}),
        }),
      )
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
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
