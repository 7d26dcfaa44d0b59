import escapeHtml from 'escape-html'
import { formatMoney } from '../../contract/money.ts'
import { LAST_DAY } from '../../contract/wall-time.ts'
import type { Journey } from '../start/sandbox-journey.ts'

/** The effect of the jobs on the way: how often each ran, and its amount in cents. */
export type Happening = { what: string; count: number; cents: number | null }

type Shown = {
  now: Date
  aheadMs: number
  journey: Journey | null
  happened: Happening[]
  /** Why the last request was refused. */
  error: string | null
}

const DAY_MS = 24 * 3600 * 1000

/** Jumps with a button, by the form's value. */
export const JUMPS = { hour: '+1 hour', day: '+1 day', month: '+1 month', year: '+1 year' } as const

/** The page that moves the sandbox's clock. No script, no inline style. */
export function clockPage({ now, aheadMs, journey, happened, error }: Shown): string {
  const traveling = journey?.state === 'traveling'
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${traveling ? '<meta http-equiv="refresh" content="1">' : ''}
<title>Sandbox clock</title>
<link rel="stylesheet" href="/sandbox/clock/clock.css">
</head>
<body>
<header>
<h1>Sandbox clock</h1>
<p>Move time forward to see what comes by itself: renewals, declines, earnings, settled batches.</p>
<nav aria-label="Sandbox"><a href="/">Back to the site</a><a href="/sandbox/mail/">Mailbox</a><a href="/sandbox/authorizenet/">Gateway</a></nav>
</header>
<main>
<p class="now"><time datetime="${now.toISOString()}">${moment(now)}</time></p>
<p class="hint">${ahead(aheadMs)}</p>
${error ? `<p class="error" role="alert">${escapeHtml(error)}</p>` : ''}
${traveling ? onTheWay(journey, now) : forms(tomorrow)}
${journey ? outcome(journey, now, happened) : ''}
</main>
</body>
</html>`
}

function forms(tomorrow: string): string {
  const buttons = Object.entries(JUMPS).map(
    ([name, label]) => `<button name="by" value="${name}">${label}</button>`,
  )
  return `<form method="post" action="/sandbox/clock/move" aria-label="Jump">${buttons.join('')}</form>
<form method="post" action="/sandbox/clock/move">
<label for="to">To a date</label>
<input id="to" name="to" type="date" min="${tomorrow}" max="${LAST_DAY}" required>
<button>Go</button>
</form>
<p class="hint">Time moves day by day, and never back. Logins end after 30 days without use, so you may have to log in again.</p>`
}

function onTheWay({ from, to }: Journey, now: Date): string {
  const whole = to.getTime() - from.getTime()
  const done = Math.min(whole, now.getTime() - from.getTime())
  return `<div role="status">
<label for="progress">On the way to ${moment(to)}</label>
<progress id="progress" max="${whole}" value="${done}">${Math.floor((100 * done) / whole)}%</progress>
</div>
<form method="post" action="/sandbox/clock/stop"><button>Stop here</button></form>`
}

function outcome({ from, to, state }: Journey, now: Date, happened: Happening[]): string {
  const until = state === 'arrived' ? to : now
  const failed =
    state === 'failed'
      ? '<p class="error" role="alert">The clock stopped before it got there. Try again.</p>'
      : ''
  const rows = happened.map(
    ({ what, count, cents }) =>
      `<tr><th scope="row">${escapeHtml(what)}</th><td>${count.toLocaleString('en-US')}</td><td>${cents === null ? '' : formatMoney(cents).replace('-', '−')}</td></tr>`,
  )
  return `${failed}<section aria-labelledby="happened">
<h2 id="happened">What happened</h2>
<p class="hint">${moment(from)} to ${moment(until)}</p>
<table>
<thead><tr><th scope="col">What</th><th scope="col">How many</th><th scope="col">Amount</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table>
</section>`
}

function ahead(milliseconds: number): string {
  const days = Math.round(milliseconds / DAY_MS)
  if (milliseconds < 60_000) return 'This is the real time.'
  if (days < 1) return 'That is less than a day ahead of the real time.'
  return `That is ${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'} ahead of the real time.`
}

function moment(time: Date): string {
  return `${time.toLocaleString('en-US', {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZone: 'UTC',
  } as Intl.DateTimeFormatOptions)} UTC`
}
