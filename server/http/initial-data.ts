import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AddressParts, addressOf } from '../../contract/address.ts'
import { routes } from '../../contract/index.ts'
import type { Output, Route } from '../../contract/route.ts'
import type { FirstScreen } from './first-look.ts'
import type { FirstContent } from './first-pictures.ts'

/** Calls a route as the document's visitor and keeps the answer; null if it was refused. */
type Ask = <R extends Route>(route: R, parts?: AddressParts) => Promise<Output<R> | null>

/**
 * The first requests of each page's script, with exactly the client's addresses. Returns what the document can show of
 * them.
 */
const asksOf: Record<
  string,
  (ask: Ask, params: Record<string, string>) => Promise<FirstContent | null | undefined>
> = {
  async '/'(ask) {
    await Promise.all([ask(routes.discover, { query: { limit: 4 } }), ask(routes.creators)])
    return null
  },
  async '/discover'(ask) {
    const [feed, creators, tags] = await Promise.all([
      ask(routes.discover),
      ask(routes.creators),
      ask(routes.tags, { query: { limit: 50 } }),
    ])
    if (!feed?.items.length) return null
    return {
      kind: 'wall',
      items: feed.items,
      creators: (creators?.creators.length ?? 0) > 0,
      tags: (tags?.suggested.length ?? 0) > 0,
    }
  },
  async '/media/:mediaId'(ask, params) {
    const view = await ask(routes.viewMedia, { params })
    return view && { kind: 'item', item: view.media }
  },
  async '/users/:username'(ask, params) {
    const profile = await ask(routes.profileByUsername, { params })
    if (!profile) return null
    const { _id, isCreator } = profile
    if (isCreator)
      await Promise.all([
        ask(routes.profileMedia, { query: { creatorId: _id } }),
        ask(routes.subscriptions, { query: { userId: _id } }),
      ])
    return { kind: 'profile', profile }
  },
}

/** Headers of a document's request that don't apply to a call without a body by a visitor. */
const NOT_OF_CALLS = new Set([
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'transfer-encoding',
])

/**
 * The answers that this page's script would request first, as JSON text by address, so that a visitor on a slow network
 * doesn't wait for one after another; and what the visitor may see. Each is a real call with the document's own cookies
 * and address, so all checks apply; the cookies that it sets go to the document's answer.
 */
export async function initialData(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  page: { pattern: string; params: Record<string, string> },
): Promise<{ json: string; seen: FirstScreen['seen']; content: FirstContent | null }> {
  const answers: string[] = []
  const cookies = [request.headers.cookie ?? '']
  const ask: Ask = async (route, parts = {}) => {
    const url = addressOf(route.path, parts)
    const headers = { ...headersOf(request), cookie: cookies.join('; ') }
    const answer = await app.inject({ method: 'GET', url, headers, remoteAddress: addressOfVisitor(request) })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      reply.header('set-cookie', line)
      // The first cookie of a name counts, and the one that the browser sent may be invalid.
      cookies.unshift(line.split(';')[0] ?? '')
    }
    if (answer.statusCode !== 200) return null
    answers.push(`${JSON.stringify(url)}:${answer.body}`)
    return answer.json()
  }
  await ask(routes.config)
  const age = await ask(routes.ageVerified)
  const json = () => `{${answers.join(',')}}`
  if (age?.ageVerified) {
    const content = (await asksOf[page.pattern]?.(ask, page.params)) ?? null
    return { json: json(), seen: 'page', content }
  }
  const place = await ask(routes.location)
  return { json: json(), seen: place?.restricted ? 'withheld' : 'gate', content: null }
}

/** Confirms the age by a form of the document: the same call, whose cookies go to this answer. */
export async function confirmAge(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const answer = await app.inject({
    method: routes.confirmAge.method,
    url: addressOf(routes.confirmAge.path, {}),
    headers: {
      ...headersOf(request),
      cookie: request.headers.cookie ?? '',
      'content-type': 'application/json',
    },
    payload: '{}',
    remoteAddress: addressOfVisitor(request),
  })
  for (const line of [answer.headers['set-cookie'] ?? []].flat()) reply.header('set-cookie', line)
}

const addressOfVisitor = (request: FastifyRequest) => request.socket.remoteAddress ?? ''

/** The document's headers that also apply to a call. */
function headersOf(request: FastifyRequest) {
  return Object.fromEntries(Object.entries(request.headers).filter(([name]) => !NOT_OF_CALLS.has(name)))
}
