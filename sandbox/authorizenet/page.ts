import escapeHtml from 'escape-html'
import type { FastifyInstance } from 'fastify'
import { present, presentNotice } from './admin.ts'
import { numbered } from './effects.ts'
import type { Gateway, TransactionRow } from './gateway.ts'
import { settleDue } from './settlement.ts'
import { listNotices, type NoticeRow } from './webhooks.ts'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 70rem; padding: 2rem 1rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); white-space: nowrap }
form { display: inline }
button { font: inherit; padding: .3rem .8rem }
code { font-size: .9em }
`

/** The sandbox's own page: what to type to make it misbehave, and the latest transactions. */
export function mountPage(app: FastifyInstance, gateway: Gateway): void {
  app.get('/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  app.get('/', async (_request, reply) => {
    settleDue(gateway)
    const rows = gateway.db
      .prepare('select * from transactions order by id desc limit 50')
      .all() as TransactionRow[]
    return reply
      .headers({
        'content-security-policy':
          "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      })
      .type('text/html; charset=utf-8')
      .send(page(app, rows, listNotices(gateway, 50)))
  })
}

const CLOCK = '/sandbox/clock/'

function page(app: FastifyInstance, rows: TransactionRow[], notices: NoticeRow[]): string {
  const { prefix } = app
  const hasClock = app.hasRoute({ method: 'GET', url: CLOCK })
  const triggers = numbered.map((effect, index) => {
    const number = String(index + 1).padStart(2, '0')
    return `<tr><td><code>2${number}</code></td><td><code>$70.${number}</code></td><td>${effect}</td></tr>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox card gateway</title><link rel="stylesheet" href="${prefix}/page.css"></head><body><main>
<h1>Sandbox card gateway</h1>
<p>No money moves here. Pay with <code>4111 1111 1111 1111</code>, any future expiration date, and any card code; never type a real card.</p>
${hasClock ? `<p><a href="${CLOCK}">Clock</a>: move time to see renewals and settled batches.</p>` : ''}
<h2>Latest transactions</h2>
<form method="post" action="${prefix}/admin/settle"><button>Settle now</button></form>
<div class="scroll" role="region" tabindex="0" aria-label="Latest transactions"><table><thead><tr><th>Transaction</th><th>Submitted</th><th>Status</th><th>Amount</th><th>Card</th><th>Invoice</th><th>Actions</th></tr></thead>
<tbody>${rows.map((row) => transactionLine(prefix, row)).join('') || '<tr><td colspan="7">None yet.</td></tr>'}</tbody></table></div>
<h2>Latest webhooks</h2>
<form method="post" action="${prefix}/admin/webhooks/deliver"><button>Send what is due</button></form>
<div class="scroll" role="region" tabindex="0" aria-label="Latest webhooks"><table><thead><tr><th>Event</th><th>Transaction</th><th>Made</th><th>Times sent</th><th>Last answer</th><th>Next time</th><th>Actions</th></tr></thead>
<tbody>${notices.map((row) => noticeLine(prefix, row)).join('') || '<tr><td colspan="7">None yet.</td></tr>'}</tbody></table></div>
<h2>What makes it misbehave</h2>
<p>One of these card codes, or a price of this amount:</p>
<div class="scroll" role="region" tabindex="0" aria-label="What makes it misbehave"><table><thead><tr><th>Card code</th><th>Amount</th><th>Effect</th></tr></thead><tbody>${triggers.join('')}</tbody></table></div>
<p>Card numbers: <code>4000000000000002</code> is declined, <code>4000000000000069</code> has expired, <code>4000000000009235</code> is held for review,
<code>4000000000000341</code> is accepted once and declined when it is charged as a stored card.</p>
</main></body></html>
`
}

function transactionLine(prefix: string, row: TransactionRow): string {
  const { transId, status, amountCents, brand, lastFour, invoiceNumber, submittedAt } = present(row)
  const actions = status.startsWith('FDS')
    ? { approve: 'Approve', decline: 'Decline', void: 'Void' }
    : status === 'settledSuccessfully'
      ? { chargeback: 'Chargeback' }
      : {}
  const buttons = Object.entries(actions).map(
    ([action, label]) =>
      `<form method="post" action="${prefix}/admin/transactions/${transId}/${action}"><button>${label}</button></form> `,
  )
  const cells = [
    transId,
    submittedAt,
    status,
    `$${(amountCents / 100).toFixed(2)}`,
    `${brand} ${lastFour}`,
    invoiceNumber,
  ]
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}<td>${buttons.join('')}</td></tr>`
}

function noticeLine(prefix: string, row: NoticeRow): string {
  const { notificationId, eventType, transId, createdAt, attempts, lastAnswer, dueAt } = presentNotice(row)
  const cells = [eventType, transId, createdAt, String(attempts), lastAnswer, dueAt ?? '']
  const button = (action: string, label: string) =>
    `<form method="post" action="${prefix}/admin/webhooks/${notificationId}/${action}"><button>${label}</button></form> `
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}<td>${button('send', 'Send again')}${button('forge', 'Send forged')}</td></tr>`
}
