import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AddressParts, addressOf } from '../../contract/address.ts'
import { routes } from '../../contract/index.ts'
import type { Output, Route } from '../../contract/route.ts'

/** Calls as the document's visitor and keeps the answer; null when it was refused. */
type Ask = <R extends Route>(route: R, parts?: AddressParts) => Promise<Output<R> | null>

/** What a page asks for as soon as its script runs: the addresses are those of the client, word by word. */
const asksOf: Record<string, (ask: Ask, params: Record<string, string>) => Promise<unknown>> = {
  '/': (ask) => ask(routes.discover, { query: { limit: 4 } }),
  '/discover': (ask) => Promise.all([ask(routes.discover), ask(routes.tags, { query: { limit: 50 } })]),
  '/media/:mediaId': (ask, params) => ask(routes.viewMedia, { params }),
  async '/users/:username'(ask, params) {
    const profile = await ask(routes.profileByUsername, { params })
    if (!profile?.isCreator) return
    const { _id } = profile
    await Promise.all([
      ask(routes.profileMedia, { query: { creatorId: _id } }),
      ask(routes.subscriptions, { query: { userId: _id } }),
    ])
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
 * slow network does not wait for one after another; and whether the visitor may be shown content. Each is the call
 * itself, made with the document's own cookies and address, so that it says and withholds what it would have; the
 * cookies that it sets are the document's.
 */
export async function initialData(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  page: { pattern: string; params: Record<string, string> },
): Promise<{ json: string; ofAge: boolean }> {
  const answers: string[] = []
  const headers = Object.entries(request.headers).filter(([name]) => !NOT_OF_CALLS.has(name))
  const cookies = [request.headers.cookie ?? '']
  const ask: Ask = async (route, parts = {}) => {
    const url = addressOf(route.path, parts)
    const answer = await app.inject({
      method: 'GET',
      url,
      headers: { ...Object.fromEntries(headers), cookie: cookies.join('; ') },
      remoteAddress: request.socket.remoteAddress ?? '',
    })
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
  const ofAge = age?.ageVerified ?? false
  if (ofAge) await asksOf[page.pattern]?.(ask, page.params)
  else await ask(routes.location)
  return { json: `{${answers.join(',')}}`, ofAge }
}
