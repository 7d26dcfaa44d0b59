/** The gateway refuses a call before it becomes a transaction; nothing it did so far stays. */
export class ApiError extends Error {
  readonly code: string
  /** Elements beside the messages, such as the id of a duplicate. */
  readonly elements: Record<string, unknown>

  constructor(code: string, text: string, elements: Record<string, unknown> = {}) {
    super(text)
    this.code = code
    this.elements = elements
  }
}

/** `messages` of an answer. */
export function messages(
  code: string,
  text: string,
): { resultCode: 'Ok' | 'Error'; message: { code: string; text: string }[] } {
  return { resultCode: code.startsWith('I') ? 'Ok' : 'Error', message: [{ code, text }] }
}

export const ok = () => messages('I00001', 'Done.')

/** The value below `path` of parsed JSON, or undefined. */
export function at(value: unknown, ...path: string[]): unknown {
  let current = value
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current ?? undefined
}

/** The text below `path`; numbers and booleans as XML would write them; '' when there is none. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = at(value, ...path)
  return found === undefined || typeof found === 'object' ? '' : String(found)
}

/** A repeated element as a list: JSON may hold one item or an array of them. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, ...path)
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}

/** '9.99' or 9.99 as 999; null when it is no amount of whole cents above zero. */
export function centsOf(amount: string): number | null {
  const match = /^(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(amount)
  const cents = match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : 0
  return cents > 0 ? cents : null
}

/** 999 as 9.99, the JSON number of reporting answers. */
export const dollars = (cents: number): number => cents / 100

/** Milliseconds since 1970 as the gateway writes times; the sandbox's merchant lives in UTC. */
export const timeUtc = (milliseconds: number): string => new Date(milliseconds).toISOString()
export const timeLocal = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, -1)
