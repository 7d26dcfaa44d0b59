import escapeHtml from 'escape-html'

const TABS = [
  ['', 'Posts'],
  ['subreddits', 'Subreddits'],
  ['accounts', 'Accounts'],
  ['messages', 'Messages'],
  ['faults', 'Faults and limits'],
] as const

export const contentPolicy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** One of the pages, with links to the others. */
export const pageOf = (prefix: string, tab: string, content: string): string =>
  documentOf(prefix, TABS.find(([path]) => path === tab)?.[1] ?? '', content, tab)

/** A whole document under this title; `tab` is null for a page that is none of the tabs. */
export function documentOf(prefix: string, name: string, content: string, tab: string | null = null): string {
  const title = escapeHtml(name)
  const links = TABS.map(
    ([path, name]) => `<a href="${prefix}/${path}"${path === tab ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title} · Sandbox forum</title>
<link rel="stylesheet" href="${prefix}/forum.css"></head>
<body><header><p class="quiet">Sandbox forum</p><nav aria-label="Pages">${links.join('')}</nav></header>
<main><h1>${title}</h1>
${content}
</main></body></html>`
}

/** A table that scrolls by itself on a narrow screen; cells are HTML. */
export function table(label: string, heads: string[], rows: string[][]): string {
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${body.join('') || `<tr><td colspan="${heads.length}">None yet.</td></tr>`}</tbody></table></div>`
}

/** A labeled field; `id` is its name too. */
export const field = (id: string, label: string, value = '', type = 'text'): string =>
  `<div><label for="${id}">${label}</label><input id="${id}" name="${id}" type="${type}" value="${escapeHtml(value)}"></div>`

export function choice(id: string, label: string, values: readonly string[], chosen: string): string {
  const options = values.map((value) => `<option${value === chosen ? ' selected' : ''}>${value}</option>`)
  return `<div><label for="${id}">${label}</label><select id="${id}" name="${id}">${options.join('')}</select></div>`
}

/** Fields that nobody sees. */
export const hidden = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')

/** A field of several lines. */
export const area = (id: string, label: string, value: string): string =>
  `<div><label for="${id}">${label}</label><textarea id="${id}" name="${id}" rows="5">${escapeHtml(value)}</textarea></div>`

/** A button that posts to the admin endpoint and comes back to this page. */
export function button(
  action: string,
  label: string,
  what: string,
  fields: Record<string, string> = {},
): string {
  return `<form method="post" action="${action}">${hidden(fields)}<button class="quiet" aria-label="${label} ${escapeHtml(what)}">${label}</button></form>`
}
