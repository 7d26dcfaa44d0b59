import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { mountAdmin } from './admin.ts'
import type { Reply } from './calls/call.ts'
import { dispatch } from './dispatch.ts'
import { type Gateway, openGateway, readSetting } from './gateway.ts'
import { mountPage } from './page.ts'
import { webhooks } from './webhooks.ts'
import { messages, textAt } from './wire.ts'

const BYTE_ORDER_MARK = '\uFEFF'
const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * A stand-in for the card gateway Authorize.Net, on its own wire: `v1/Accept.js`, `xml/v1/request.api`, and an
 * admin endpoint below `admin/`. `store` is an SQLite file or ':memory:'; `now` is the gateway's clock; `webhookUrl` says
 * where the merchant takes webhooks, which are kept and not sent without it.
 */
export function authorizenetSandbox(options: {
  store: string
  now: () => Date
  credentials: Gateway['credentials']
  webhookUrl?: (() => string) | null
}): FastifyPluginAsync {
  return async (app) => {
    const gateway = openGateway(options)
    const notices = webhooks(gateway, options.webhookUrl ?? null)
    const unanswered = new Set<FastifyReply>()
    // A request that is never answered would keep the server from closing.
    app.addHook('preClose', async () => {
      for (const reply of unanswered) reply.raw.destroy()
    })
    app.addHook('onClose', async () => {
      await notices.stop()
      gateway.db.close()
    })
    app.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
      // Only what the real gateway has is for pages of any origin: not the list of transactions and its buttons.
      if (/\/(v1\/\w+\.js|xml\/v1\/request\.api)$/.test(request.routeOptions.url ?? ''))
        reply.headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        })
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    for (const name of ['Accept.js', 'AcceptCore.js']) {
      const source = await readFile(new URL(`browser/${name}`, import.meta.url), 'utf8')
      app.get(`/v1/${name}`, async (_request, reply) => {
        reply.type('text/javascript; charset=utf-8')
        return source.replace('{{plainHttp}}', readSetting(gateway, 'plainHttp') || 'localhost')
      })
    }
    app.options('/xml/v1/request.api', async (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'POST, OPTIONS',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '600',
        })
        .code(204)
        .send(),
    )
    app.post('/xml/v1/request.api', async (request, reply) => {
      await send(answer(gateway, request), reply, unanswered)
      return reply
    })
    mountAdmin(app, gateway, notices)
    mountPage(app, gateway)
  }
}

function answer(gateway: Gateway, request: FastifyRequest): Reply {
  const isJson = (request.headers['content-type'] ?? '').toLowerCase().includes('json')
  if (!isJson) return { body: { messages: messages('E00002', 'The content type is not supported.') } }
  const moment = textAt(request.query, 'at')
  if (moment === '') return dispatch(gateway, String(request.body ?? ''))
  const at = Date.parse(moment)
  if (!(at <= gateway.now().getTime()))
    return { body: { messages: messages('E00013', 'The moment is not in the past.') } }
  const then = { ...gateway, now: () => new Date(at), isHistory: true }
  return dispatch(then, String(request.body ?? ''))
}

async function send(answered: Reply, reply: FastifyReply, unanswered: Set<FastifyReply>): Promise<void> {
  const { connection, delayMilliseconds } = answered
  const body = BYTE_ORDER_MARK + JSON.stringify(answered.body)
  if (delayMilliseconds !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMilliseconds))
  switch (connection?.failure) {
    case undefined:
      reply.type(JSON_TYPE).send(body)
      return
    case 'truncated':
      reply.type(JSON_TYPE).send(body.slice(0, body.length / 2))
      return
    case 'html':
      reply
        .code(500)
        .type('text/html; charset=utf-8')
        .send('<!doctype html><title>Server error</title><p>Something went wrong.')
      return
    case 'reset':
      reply.hijack()
      reply.raw.socket?.resetAndDestroy()
      return
    case 'timeout':
      reply.hijack()
      unanswered.add(reply)
      reply.raw.on('close', () => unanswered.delete(reply))
  }
}
