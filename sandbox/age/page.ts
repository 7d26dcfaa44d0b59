import escapeHtml from 'escape-html'
import type { Start } from './wire.ts'

/** The hosted check: one chooses how it ends and how the result travels. No script, no inline style. */
export function checkPage(start: Start, prefix: string): string {
  const hidden = Object.entries(start).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  return page(
    prefix,
    'How should this check end?',
    `<p>A real provider would check a document or a face here. This one accepts whatever you choose.</p>
<form method="post" action="${prefix}/decide">
${hidden.join('\n')}
<label>How the result is sent
<select name="delivery">
<option value="both">By webhook and with the visitor</option>
<option value="webhook">By webhook only</option>
<option value="return">With the visitor only</option>
<option value="twice">By webhook twice, and with the visitor</option>
<option value="forged">With the visitor, signed by someone else</option>
</select>
</label>
<label>How long an approval lasts
<select name="lifetime">
<option value="365">A year</option>
<option value="1">A day</option>
</select>
</label>
<div class="answers">
<button name="result" value="approved">Approve</button>
<button name="result" value="refused" class="quiet">Refuse</button>
<button name="result" value="expired" class="quiet">Let it expire</button>
</div>
</form>`,
  )
}

/** Says why there is nothing to check. */
export function noticePage(prefix: string, sentence: string): string {
  return page(
    prefix,
    'Nothing to check',
    `<p>${escapeHtml(sentence)}</p>\n<p><a href="/restricted">Back to the site</a></p>`,
  )
}

function page(prefix: string, title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Sandbox age check</title>
<link rel="stylesheet" href="${prefix}/check.css">
</head>
<body>
<main>
<p class="kind">Sandbox age check</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>`
}
