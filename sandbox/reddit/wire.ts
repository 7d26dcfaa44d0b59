import type { AccountRow, Forum } from './store.ts'

/** The answer on the wire; a `body` of undefined is an empty one. */
export type Answer = { status: number; body: unknown; headers?: Record<string, string>; html?: true }

/** One call of the API host: path parameters, the fields of query and body together, and who calls. */
export type Call = {
  forum: Forum
  /** Where the forum is mounted, for redirects. */
  prefix: string
  params: Record<string, string>
  fields: Record<string, string>
  /** Null with an application-only token. */
  account: AccountRow | null
}
export type UserCall = Call & { account: AccountRow }

/** Exactly the two keys by which clients know a thing. */
export type Thing = { kind: string; data: { name: string } & Record<string, unknown> }

export const ok = (body: unknown): Answer => ({ status: 200, body })

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** An error outside the `json.errors` envelope. */
export function failure(status: number, more: Record<string, unknown> = {}): Answer {
  return { status, body: { ...more, message: TITLES[status] ?? 'Error', error: status } }
}

/** Code, sentence and field of a refusal. */
export type Refusal = [code: string, message: string, field: string | null]

/** Refusals as the classic calls send them: status 200 with `json.errors`. */
export function refused(errors: Refusal[], more: Record<string, unknown> = {}): Answer {
  return ok({ json: { ...more, errors } })
}

export const done = (data?: object): Answer =>
  ok({ json: { errors: [], ...(data === undefined ? {} : { data }) } })

/** The answer in the form for callers that didn't ask for `api_type=json`: browser commands. */
export function asBrowserCommands(body: unknown): unknown {
  const errors = isRecord(body) && isRecord(body.json) ? body.json.errors : null
  if (!Array.isArray(errors)) return body
  const selectors = errors.map((error: Refusal) => `.error.${error[0]}.field-${error[2] ?? ''}`)
  return {
    jquery: selectors.map((selector, index) => [index, index + 1, 'call', [selector]]),
    success: selectors.length === 0,
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Escapes `&`, `<` and `>` in every string, as the forum does without `raw_json=1`. */
export function escapeStrings(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  if (Array.isArray(value)) return value.map(escapeStrings)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escapeStrings(inner)]))
}

/** An empty value, or one that starts with 0, f or F, is false. */
export const isTrue = (value: string | undefined): boolean => value !== undefined && /^[^0fF]/.test(value)

/** Ids on the wire start here, so that they look like the real ones. */
const FIRST_ID = 3_000_000
export const id36 = (id: number): string => (id + FIRST_ID).toString(36)
export const fullname = (kind: 't1' | 't2' | 't3' | 't4', id: number): string => `${kind}_${id36(id)}`

/** The row that a fullname of this kind, or a bare id, means; null when it can't mean any. */
export function rowOf(kind: string, name: string | undefined): number | null {
  const id = name?.startsWith(`${kind}_`) ? name.slice(3) : name
  if (id === undefined || !/^[0-9a-z]{1,10}$/.test(id)) return null
  return Number.parseInt(id, 36) - FIRST_ID
}

/** Milliseconds to the wire's whole seconds. */
export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

export const created = (milliseconds: number) => ({
  created: seconds(milliseconds),
  created_utc: seconds(milliseconds),
})

/** A listing without pages, as replies have it. */
export const wholeListing = (children: Thing[]) => ({
  kind: 'Listing',
  data: { after: null, dist: null, modhash: null, geo_filter: '', children, before: null },
})

/** Listings reach back this far. */
const DEPTH = 1000

/**
 * One page of the things, by `limit`, `after`, `before` and `count`. `isShown` drops items after the page is cut, so that
 * pages can be short; `repeatsCursor` brings the item named by `after` again.
 */
export function listing(
  all: Thing[],
  fields: Record<string, string>,
  {
    isShown = () => true,
    repeatsCursor = false,
  }: { isShown?: (thing: Thing) => boolean; repeatsCursor?: boolean } = {},
): Answer {
  const things = all.slice(0, DEPTH)
  const wanted = Number(fields.limit)
  const limit = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, 100) : 25
  const place = (cursor: string) => things.findIndex(({ data }) => data.name === cursor)
  let from = 0
  let to = limit
  if (fields.after) {
    const at = place(fields.after)
    from = at < 0 ? things.length : repeatsCursor ? at : at + 1
    to = from + limit
  } else if (fields.before) {
    to = Math.max(0, place(fields.before))
    from = Math.max(0, to - limit)
  }
  const page = things.slice(from, to)
  const children = page.filter(isShown)
  const isBeforeKnown = page.length > 0 && from > 0 && (Number(fields.count) > 0 || repeatsCursor)
  return ok({
    kind: 'Listing',
    data: {
      after: to < things.length ? (page.at(-1)?.data.name ?? null) : null,
      dist: children.length,
      modhash: null,
      geo_filter: '',
      children,
      before: isBeforeKnown ? (page[0]?.data.name ?? null) : null,
    },
  })
}

/** Markdown as HTML, as far as the forum goes: paragraphs. */
export function bodyHtml(text: string): string {
  const escaped = String(escapeStrings(text))
  return `<div class="md">${escaped
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('')}</div>`
}
