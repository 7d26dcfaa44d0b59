import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { mountAdmin } from './admin.ts'
import { consentPage, decideConsent } from './consent.ts'
import { type Fault, takeFault } from './faults.ts'
import { spendBudget } from './limits.ts'
import { mountModeratePage } from './page/moderate.ts'
import { mountPages } from './page/pages.ts'
import { mountSubmitPage, postPage, send } from './page/post.ts'
import { runRoute } from './routes.ts'
import { type Forum, inTransaction, openForum } from './store.ts'
import { accessToken, bearer, revokeToken } from './tokens.ts'
import { type Answer, asBrowserCommands, escapeStrings, failure, isTrue, refused } from './wire.ts'

/** How many of the latest calls are listed. */
const REQUESTS_KEPT = 10_000
/** Names that HTTP libraries give themselves; the forum turns those away. */
const LIBRARY =
  /^(python-requests|python-urllib|curl|wget|axios|got|node-fetch|undici|okhttp|go-http-client|java)\b/i

/**
 * A stand-in for Reddit on its own wire, both hosts below one prefix, with an admin endpoint below `admin/` and pages for
 * people at `/`. `store` is an SQLite file, which several processes may open, or ':memory:'; `now` is the forum's clock.
 */
export function redditSandbox(options: {
  store: string
  now: () => Date
  client: { id: string; secret: string; redirectUris: readonly string[] }
}): FastifyPluginAsync {
  return async (app) => {
    const forum = openForum(options)
    const style = await readFile(new URL('./page/forum.css', import.meta.url))
    const closing = new AbortController()
    app.addHook('preClose', async () => closing.abort())
    app.addHook('onClose', async () => forum.db.close())
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    app.get('/forum.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
    for (const path of ['/api/v1/authorize', '/api/v1/authorize.compact']) {
      app.get(path, (request, reply) => consentPage(reply, forum, app.prefix, fieldsOf(request)))
      app.post(path, (request, reply) =>
        inTransaction(forum, () => decideConsent(reply, forum, app.prefix, fieldsOf(request))),
      )
    }
    for (const [path, run] of [
      ['/api/v1/access_token', accessToken],
      ['/api/v1/revoke_token', revokeToken],
    ] as const)
      for (const spelling of [path, `${path}/`, `${path}.json`])
        app.post(spelling, async (request, reply) => {
          const { authorization } = request.headers
          const answer = () => inTransaction(forum, () => run(forum, authorization, fieldsOf(request)))
          return serve({ forum, request, reply, path, account: null, signal: closing.signal }, answer)
        })
    mountAdmin(app, forum)
    mountPages(app, forum)
    mountSubmitPage(app, forum, fieldsOf)
    mountModeratePage(app, forum, fieldsOf)

    app.all('/*', async (request, reply) => {
      const path = pathOf(request, app.prefix)
      // A person's browser comes without a token.
      const page = request.headers.authorization ? null : postPage(forum, path)
      if (page) return send(reply, app.prefix, page.title, page.content)
      const caller = bearer(forum, request.headers.authorization)
      const account = caller?.account ?? null
      const fields = fieldsOf(request)
      return serve(
        { forum, request, reply, path, account: account?.name ?? null, signal: closing.signal },
        () => {
          if (!caller)
            return {
              ...failure(401),
              headers: { 'www-authenticate': 'Bearer realm="reddit", error="invalid_token"' },
            }
          const { headers, isOver } = spendBudget(forum)
          reply.headers(headers)
          if (isOver) return failure(429)
          const method = request.method === 'HEAD' ? 'GET' : request.method
          const call = { forum, prefix: app.prefix, fields, account }
          const answer = inTransaction(forum, () => runRoute(method, path, caller.scopes, call))
          const body = isTrue(fields.raw_json) ? answer.body : escapeStrings(answer.body)
          const isCommands = method === 'POST' && fields.api_type !== 'json'
          return { ...answer, body: answer.html ? answer.body : isCommands ? asBrowserCommands(body) : body }
        },
      )
    })
  }
}

const pathOf = (request: FastifyRequest, prefix: string): string => {
  const raw = (request.url.split('?', 1)[0] ?? '').slice(prefix.length)
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

/** The fields of query and body; the body's win. */
function fieldsOf(request: { url: string; body: unknown }): Record<string, string> {
  const url = new URL(request.url, 'http://localhost')
  const body = typeof request.body === 'string' ? request.body : ''
  return { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(new URLSearchParams(body)) }
}

type Served = {
  forum: Forum
  request: FastifyRequest
  reply: FastifyReply
  path: string
  account: string | null
  signal: AbortSignal
}

/** Answers a call of the wire, with the fault that is planned for it, and writes it down without its secrets. */
async function serve(served: Served, answer: () => Answer): Promise<FastifyReply> {
  const { forum, request, reply, path, account, signal } = served
  const agent = request.headers['user-agent'] ?? ''
  const fault = takeFault(forum, path, account)
  if (fault?.kind === 'slow') await wait(fault.delayMilliseconds, undefined, { signal }).catch(() => {})
  const isTurnedAway = agent.length < 7 || LIBRARY.test(agent)
  const given = isTurnedAway ? failure(429) : (before(fault) ?? after(fault, answer()))
  forum.db
    .prepare('insert into requests (method, path, account, status, at) values (?, ?, ?, ?, ?)')
    .run(request.method, path, account, given === 'drop' ? 0 : given.status, forum.now().getTime())
  forum.db.exec(`delete from requests where id <= last_insert_rowid() - ${REQUESTS_KEPT}`)
  if (given === 'drop') {
    reply.hijack()
    reply.raw.socket?.destroy()
    return reply
  }
  reply.code(given.status).headers(given.headers ?? {})
  if (given.body === undefined) return reply.send()
  if (given.html) return reply.type('text/html; charset=utf-8').send(given.body)
  const text = JSON.stringify(given.body)
  return reply
    .type('application/json; charset=UTF-8')
    .send(fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text)
}

/** Faults that replace the effect. */
function before(fault: Fault | null): Answer | 'drop' | null {
  switch (fault?.kind) {
    case 'status':
      return failure(fault.status)
    case 'tooMany':
      return { ...failure(429), headers: { 'retry-after': '60' } }
    case 'html':
      return {
        status: fault.status,
        html: true,
        body: '<!doctype html><title>Our CDN was unable to reach our servers</title>',
      }
    case 'refuse':
      return refusal(fault)
    case 'drop':
      return 'drop'
    default:
      return null
  }
}

/** A refusal in one of the forum's two shapes: with status 200 in the list, with another as the reason of an error. */
function refusal({ status, code, message }: Fault): Answer {
  const [reason, explanation] = [code ?? 'SOMETHING_IS_BROKEN', message ?? 'Something is broken.']
  return status === 200 ? refused([[reason, explanation, null]]) : failure(status, { reason, explanation })
}

/** Faults after the effect, which stays. */
function after(fault: Fault | null, answer: Answer): Answer | 'drop' {
  if (fault?.kind === 'statusAfter') return failure(fault.status)
  return fault?.kind === 'dropAfter' ? 'drop' : answer
}
