import escapeHtml from 'escape-html'
import type { CaughtMessage } from './store.ts'

/** Where the pages find each other: the plugin's own prefix. */
export type PageOptions = { prefix: string; recipient: string | undefined }

/** The mailbox: the list and, when one is `open`, its reading pane. No script, no inline style. */
export function mailboxPage(
  messages: CaughtMessage[],
  open: CaughtMessage | null,
  options: PageOptions,
): string {
  const { prefix, recipient } = options
  const title = open ? open.subject : 'Mailbox'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${open ? '' : '<meta http-equiv="refresh" content="15">'}
<title>${escapeHtml(title)} · Sandbox mail</title>
<link rel="stylesheet" href="${prefix}/mailbox.css">
</head>
<body class="${open ? 'reading' : 'listing'}">
<header>
<h1><a href="${prefix}/">Sandbox mail</a></h1>
<p>Every email this server sends ends up here. None is delivered.</p>
<form method="get" action="${prefix}/" role="search">
<label for="to">Sent to</label>
<input id="to" name="to" type="search" value="${escapeHtml(recipient ?? '')}" placeholder="name@example.com">
<button>Show</button>
</form>
</header>
<div class="columns">
<nav aria-label="Emails">${list(messages, open, options)}</nav>
<main>${open ? pane(open, prefix) : '<p class="hint">Choose an email to read it.</p>'}</main>
</div>
</body>
</html>`
}

/** The HTML of a message as a page of its own; its links open in a new tab. */
export function messagePage(message: CaughtMessage): string {
  return `<!doctype html><meta charset="utf-8"><base target="_blank">${message.html}`
}

function list(messages: CaughtMessage[], open: CaughtMessage | null, options: PageOptions): string {
  if (messages.length === 0)
    return `<p class="hint">No emails ${options.recipient ? 'to this address ' : ''}yet.</p>`
  const filter = options.recipient ? `&to=${encodeURIComponent(options.recipient)}` : ''
  const items = messages.map(
    (
      message,
    ) => `<li><a href="${options.prefix}/?id=${message._id}${escapeHtml(filter)}"${message._id === open?._id ? ' aria-current="true"' : ''}>
<strong>${escapeHtml(message.subject || '(no subject)')}</strong>
<span>${escapeHtml(message.to)}</span>
${time(message)}
</a></li>`,
  )
  return `<ol>${items.join('')}</ol>`
}

function pane(message: CaughtMessage, prefix: string): string {
  return `<article>
<h2>${escapeHtml(message.subject || '(no subject)')}</h2>
<dl>
<dt>From</dt><dd>${escapeHtml(message.from)}</dd>
<dt>To</dt><dd>${escapeHtml(message.to)}</dd>
<dt>Received</dt><dd>${time(message)}</dd>
</dl>
${
  message.html
    ? `<iframe title="Email" src="${prefix}/messages/${message._id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>
<details><summary>As plain text</summary><pre>${escapeHtml(message.text)}</pre></details>`
    : `<pre>${escapeHtml(message.text)}</pre>`
}
</article>`
}

function time(message: CaughtMessage): string {
  return `<time datetime="${message.receivedAt}">${message.receivedAt.slice(0, 16).replace('T', ' ')} UTC</time>`
}
