import { createHash, timingSafeEqual } from 'node:crypto'
import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { sendError } from './error-handler.ts'
import { isFromOtherOrigin } from './same-origin.ts'
import { isFromHere } from './this-machine.ts'

const COOKIE = 'sandbox'
const COOKIE_PURPOSE = 'sandbox.cookie'
const TICKET_PURPOSE = 'sandbox.ticket'
const TICKET_SECONDS = 3600
const DAY_SECONDS = 24 * 3600

/** The card frame's requests to the gateway, which carry no cookies. */
const BY_TICKET = /^\/sandbox\/~(\d{1,12}\.[\w-]{1,100})\/authorizenet\/(v1\/\w+\.js|xml\/v1\/request\.api)$/

/** The gateway's API, which the card frame calls from an opaque origin. */
const BY_CARD_FRAME = /^\/sandbox\/authorizenet\/xml\/v1\/request\.api(\?|$)/

/** `/sandbox/~<ticket>/…` is the page behind it; the guard checks the ticket. */
export function withoutTicket(url: string): string {
  return url.replace(/^\/sandbox\/~[^/]*\//, '/sandbox/')
}

/** The same address with a ticket, with which a browser can load the gateway's script and make tokens for an hour. */
export function withTicket({ signer, clock }: Context, url: string): string {
  const until = String(Math.floor(clock.now().getTime() / 1000) + TICKET_SECONDS)
  return url.replace('/sandbox/', `/sandbox/~${until}.${signer.sign(TICKET_PURPOSE, until)}/`)
}

/** Whether this browser has presented the token. */
export function isInSandbox({ signer, config }: Context, request: FastifyRequest): boolean {
  const token = config.SANDBOX_TOKEN
  return token === undefined || signer.verify(COOKIE_PURPOSE, digest(token), request.cookies[COOKIE] ?? '')
}

/**
 * Guards every page and call below `/sandbox`. With `SANDBOX_TOKEN` it requires the token: in a header, a browser's cookie,
 * or once by `?token=` and the form. Without it only this machine is let in, under its own names.
 */
export function guardSandbox(sandbox: FastifyInstance, context: Context): void {
  const token = context.config.SANDBOX_TOKEN
  // Refusals are sent, not thrown: a sandbox may have an error handler with its own format.
  sandbox.addHook('onRequest', async (request, reply) => {
    if (!BY_CARD_FRAME.test(request.url) && request.method !== 'GET' && isFromOtherOrigin(request))
      return sendError(request, reply, new AppError('other_origin'))
    if (token === undefined)
      return isFromHere(request) ? undefined : sendError(request, reply, new AppError('not_found'))
    if (holdsToken(request, token) || isInSandbox(context, request) || holdsTicket(context, request)) return
    if (request.url.startsWith('/sandbox/enter')) return
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://sandbox')
    if (isSame(searchParams.get('token') ?? '', token)) {
      // Our own gateway calls keep it in their URL; only a browser's page drops it.
      if (request.method !== 'GET') return
      searchParams.delete('token')
      const rest = searchParams.size > 0 ? `?${searchParams}` : ''
      letIn(context, reply, token)
      return reply.redirect(pathname + rest, 303)
    }
    return askForToken(request, reply, pathname)
  })
  if (token === undefined) return
  sandbox.register(async (entrance) => {
    entrance.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    entrance.post('/enter', async (request, reply) => {
      const { token: given, to } = Entry.parse(request.body)
      if (!isSame(given, token)) return askForToken(request, reply, to)
      letIn(context, reply, token)
      return reply.redirect(to, 303)
    })
  })
}

const Entry = z.object({
  token: z.string().max(500),
  /** Only a page of the sandbox. */
  to: z
    .string()
    .regex(/^\/sandbox\/[\w./-]*$/)
    .catch('/sandbox/mail/'),
})

function holdsToken(request: FastifyRequest, token: string): boolean {
  const given = request.headers['x-sandbox-token']
  return typeof given === 'string' && isSame(given, token)
}

function holdsTicket({ signer, clock }: Context, request: FastifyRequest): boolean {
  const [pathname = ''] = request.originalUrl.split('?')
  const [until = '', signature = ''] = BY_TICKET.exec(pathname)?.[1]?.split('.') ?? []
  return Number(until) * 1000 > clock.now().getTime() && signer.verify(TICKET_PURPOSE, until, signature)
}

function letIn({ signer, publicUrl }: Context, reply: FastifyReply, token: string): void {
  reply.setCookie(COOKIE, signer.sign(COOKIE_PURPOSE, digest(token)), {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: publicUrl.startsWith('https:'),
    maxAge: 30 * DAY_SECONDS,
  })
}

/** A page with one field for people, the usual refusal for programs. */
function askForToken(request: FastifyRequest, reply: FastifyReply, to: string): FastifyReply {
  const wantsPage = (request.headers.accept ?? '').includes('text/html')
  if (!wantsPage) return sendError(request, reply, new AppError('sandbox_token_missing'))
  return reply
    .code(401)
    .headers({
      'content-security-policy':
        "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandbox</title>
</head>
<body>
<main>
<h1>Sandbox</h1>
<form method="post" action="/sandbox/enter">
<input type="hidden" name="to" value="${escapeHtml(to)}">
<label>Sandbox token <input name="token" type="password" autocomplete="current-password" required></label>
<button>Enter</button>
</form>
</main>
</body>
</html>`)
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(wanted)))
}
