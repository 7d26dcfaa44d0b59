import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { z } from 'zod'
import { checkPage, noticePage } from './page.ts'
import { type Outcome, signedOutcome, startRefusal } from './wire.ts'

const DAY_MS = 24 * 3600 * 1000
const WEBHOOK_TIMEOUT_MS = 10_000

const text = z.string().min(1).max(2000)
const StartQuery = z.object({
  check: z.uuid(),
  return: z.url({ protocol: /^https?$/ }),
  at: text.regex(/^\d{1,12}$/),
  signature: text,
})
const Decision = StartQuery.extend({
  result: z.enum(['approved', 'refused', 'expired']),
  delivery: z.enum(['both', 'webhook', 'return', 'twice', 'forged']).default('both'),
  lifetime: z.enum(['1', '365']).default('365'),
})

const NO_CHECK = 'This page is part of an age check, which starts on the page for restricted regions.'

/**
 * The stand-in for a provider of age checks: the hosted page at its prefix, the signed webhook to `webhookUrl` and the
 * signed way back (docs/age-check-wire.md). Keeps nothing. `now` dates signatures and approvals.
 */
export function ageSandbox(options: {
  secret: string
  webhookUrl: () => string
  now: () => Date
}): FastifyPluginAsync {
  return async (app) => {
    const style = await readFile(new URL('./check.css', import.meta.url))
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )

    app.get('/', (request, reply) => {
      const start = StartQuery.safeParse(request.query)
      const isLookedAt = Object.keys(request.query as object).length === 0
      if (!start.success) return html(reply, noticePage(app.prefix, NO_CHECK), isLookedAt ? 200 : 400)
      const refusal = startRefusal(start.data, options.secret, options.now())
      if (refusal) return html(reply, noticePage(app.prefix, refusal), 403)
      return html(reply, checkPage(start.data, app.prefix), 200, new URL(start.data.return).origin)
    })

    app.get('/check.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style))

    app.post('/decide', async (request, reply) => {
      const decision = Decision.safeParse(request.body)
      if (!decision.success) return html(reply, noticePage(app.prefix, NO_CHECK), 400)
      const { delivery, result, lifetime, ...start } = decision.data
      const now = options.now()
      const refusal = startRefusal(start, options.secret, now)
      if (refusal) return html(reply, noticePage(app.prefix, refusal), 403)
      const outcome: Outcome = {
        check: start.check,
        result,
        method: 'document',
        expiresAt:
          result === 'approved' ? new Date(now.getTime() + Number(lifetime) * DAY_MS).toISOString() : null,
      }
      const signed = signedOutcome(outcome, options.secret, now)
      const webhooks = { both: 1, webhook: 1, twice: 2, return: 0, forged: 0 }[delivery]
      for (let sent = 0; sent < webhooks; sent++) await deliver(options.webhookUrl(), signed)
      const back = new URL(start.return)
      if (delivery !== 'webhook') {
        const { body, signature } =
          delivery === 'forged' ? signedOutcome(outcome, `not ${options.secret}`, now) : signed
        back.searchParams.set('result', Buffer.from(body).toString('base64url'))
        back.searchParams.set('signature', signature)
      }
      return reply.redirect(back.href, 303)
    })
  }
}

/** A webhook that is not taken is lost: the visitor carries the same result. */
async function deliver(url: string, { body, signature }: { body: string; signature: string }): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-age-signature': signature }
  await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS) }).catch(
    () => {},
  )
}

/** Sets the page's own policy over whatever the server sets for all its answers; forms may lead back to `formTarget`. */
function html(reply: FastifyReply, page: string, status: number, formTarget = ''): FastifyReply {
  return reply
    .code(status)
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; form-action 'self' ${formTarget}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(page)
}
