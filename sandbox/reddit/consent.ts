import escapeHtml from 'escape-html'
import type { FastifyReply } from 'fastify'
import { ensureAccount, type Forum } from './store.ts'
import { issueCode, parseScopes, scopes } from './tokens.ts'

/** The error in a request for consent, which is then refused; null when it's fine. */
function problem({ client }: Forum, fields: Record<string, string>): string | null {
  if (fields.client_id !== client.id) return 'OAUTH2_INVALID_CLIENT: unknown client.'
  if (!client.redirectUris.includes(fields.redirect_uri ?? ''))
    return 'OAUTH2_INVALID_REDIRECT_URI: the redirect address isn’t one of this client’s.'
  if (fields.response_type !== 'code') return 'OAUTH2_INVALID_RESPONSE_TYPE: only “code” works here.'
  if (!parseScopes(fields.scope)) return 'OAUTH2_INVALID_SCOPE: unknown scope.'
  return /^[\x20-\x7e]+$/.test(fields.state ?? '') ? null : 'INVALID_REQUEST: a state is needed.'
}

/** Shows the page on which an account of the forum is chosen and allows the client, or not. */
export function consentPage(
  reply: FastifyReply,
  forum: Forum,
  prefix: string,
  fields: Record<string, string>,
): FastifyReply {
  const wrong = problem(forum, fields)
  if (wrong) return html(reply, 400, prefix, 'This link doesn’t work', `<p>${escapeHtml(wrong)}</p>`)
  return form(reply, forum, prefix, fields, null)
}

/** Leads back with a code, or with the refusal. */
export function decideConsent(
  reply: FastifyReply,
  forum: Forum,
  prefix: string,
  fields: Record<string, string>,
): FastifyReply {
  const wrong = problem(forum, fields)
  if (wrong) return html(reply, 400, prefix, 'This link doesn’t work', `<p>${escapeHtml(wrong)}</p>`)
  const name = (fields.username ?? '').trim().replace(/^\/?u\//, '')
  const isAllowed = fields.decision === 'allow'
  if (isAllowed && !/^[\w-]{3,20}$/.test(name))
    return form(reply, forum, prefix, fields, 'Enter a username of 3 to 20 letters, digits, “_” or “-”.')
  const { redirect_uri = '', state = '' } = fields
  const back = new URL(redirect_uri)
  back.searchParams.set('state', state)
  if (isAllowed)
    back.searchParams.set(
      'code',
      issueCode(forum, {
        account: ensureAccount(forum, name).name,
        scopes: parseScopes(fields.scope) ?? [],
        redirectUri: redirect_uri,
        isPermanent: fields.duration === 'permanent',
      }),
    )
  else back.searchParams.set('error', 'access_denied')
  return reply.redirect(`${back.href}#_`, 302)
}

function form(
  reply: FastifyReply,
  forum: Forum,
  prefix: string,
  fields: Record<string, string>,
  error: string | null,
): FastifyReply {
  const hidden = ['client_id', 'response_type', 'state', 'redirect_uri', 'scope', 'duration'].map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(fields[name] ?? '')}">`,
  )
  const wanted = (parseScopes(fields.scope) ?? []).map(
    (name) => `<li>${escapeHtml(scopes[name] ?? name)}</li>`,
  )
  return html(
    reply,
    error === null ? 200 : 400,
    prefix,
    'Connect your account',
    `<p><strong>${escapeHtml(forum.client.id)}</strong> would like to:</p>
<ul>${wanted.join('')}</ul>
<form class="stack" method="post" action="${prefix}/api/v1/authorize">
${hidden.join('\n')}
<label for="username">Forum username</label>
<input id="username" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="20"${error === null ? '' : ' aria-invalid="true" aria-describedby="username-error"'}>
${error === null ? '<p class="quiet">Any name works. It’s created the first time you use it.</p>' : `<p id="username-error" class="error" role="alert">${escapeHtml(error)}</p>`}
<div class="buttons"><button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="decline">Decline</button></div>
</form>`,
    new URL(fields.redirect_uri ?? '').origin,
  )
}

function html(
  reply: FastifyReply,
  status: number,
  prefix: string,
  title: string,
  content: string,
  formTarget = '',
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'self'; form-action 'self' ${formTarget}; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title} · Sandbox forum</title>
<link rel="stylesheet" href="${prefix}/forum.css"></head>
<body><main class="narrow"><p class="quiet">Sandbox forum</p><h1>${title}</h1>
${content}
</main></body></html>`)
}
