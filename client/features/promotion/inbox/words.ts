import type { InboxFilter } from './api.ts'

const MAX_TITLE = 60
const MAX_SEARCH = 200

/** The filter that stands in the page's address. */
export function filterOf(address: URLSearchParams): InboxFilter {
  return {
    search: (address.get('search') ?? '')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH),
    removeContacted: address.get('removeContacted') === 'true',
    ignored: address.get('ignored') === 'true',
  }
}

/** A name for a reply that is saved: how it begins. */
export function titleOf(text: string): string {
  const line = text.trim().replace(/\p{Cc}+/gu, ' ')
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_TITLE / 2)).trim()}…`
}

/** A text with another put in place of what is selected, and where the cursor then stands. */
export function inserted(
  text: string,
  part: string,
  { start, end }: { start: number; end: number },
): { text: string; cursor: number } {
  const [head, tail] = [text.slice(0, start), text.slice(end)]
  const before = head === '' || /\s$/.test(head) ? '' : ' '
  const behind = tail === '' || /^\s/.test(tail) ? '' : ' '
  const cursor = head.length + before.length + part.length
  return { text: head + before + part + behind + tail, cursor }
}

/** From how many letters or lines on a message starts folded. */
const LONG = { letters: 600, lines: 10 }

export const isLong = (body: string) => body.length > LONG.letters || body.split('\n').length > LONG.lines
