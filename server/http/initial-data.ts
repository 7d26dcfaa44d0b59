import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AddressParts, addressOf } from '../../contract/address.ts'
import { routes } from '../../contract/index.ts'
import type { Output, Route } from '../../contract/route.ts'
import type { FirstScreen } from './first-look.ts'
import type { FirstContent } from './first-pictures.ts'

/** Calls as the document's visitor and keeps the answer; null when it was refused. */
type Ask = <R extends Route>(route: R, parts?: AddressParts) => Promise<Output<R> | null>

/**
 * What a page asks for as soon as its script runs: the addresses are those of the client, word by word. Answers what the
 * document can show of it.
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

/** What a document's request may say of itself that means nothing to a call without a body by nobody in particular. */
const NOT_OF_CALLS = new Set([
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'transfer-encoding',
])

/**
 * The answers that this page's script would ask for first, as a JSON text of address and answer, so that a visitor on a
 * slow network does not wait for one after another; and what the visitor may be shown. Each is the call
 * itself, made with the document's own cookies and address, so that it says and withholds what it would have; the
 * cookies that it sets are the document's.
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
      // The first of a name counts, and what the browser holds may be void.
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

/** The visitor says to be of age by the form of a document: the call itself, whose cookies are the answer's. */
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

/** The document's own headers, as far as they say something of a call. */
function headersOf(request: FastifyRequest) {
  return Object.fromEntries(Object.entries(request.headers).filter(([name]) => !NOT_OF_CALLS.has(name)))
}
