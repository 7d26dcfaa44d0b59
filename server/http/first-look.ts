import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import escapeHtml from 'escape-html'

/** What the build draws of the client before its script has come (client/build/first-look.ts), by name. */
export type FirstLook = { gate: string; bar: string; landing: string }

export const FIRST_LOOK = 'first-look.json'
const NOTHING: FirstLook = { gate: '', bar: '', landing: '' }

/** What the build drew; nothing for an older build or none. */
export async function readFirstLook(clientDir: string | null, brand: string): Promise<FirstLook> {
  if (!clientDir) return NOTHING
  const text = await readFile(join(clientDir, FIRST_LOOK), 'utf8').catch(() => null)
  if (text === null) return NOTHING
  const drawn = JSON.parse(text) as FirstLook
  const named = (html: string) => html.replaceAll('{{brand}}', escapeHtml(brand))
  return { gate: named(drawn.gate), bar: named(drawn.bar), landing: named(drawn.landing) }
}

/** What is known of a visitor's first screen when the document is made. */
export type FirstScreen = {
  pattern: string
  /** Whether the page may be shown at all, is kept behind the question for the age, or is withheld by law. */
  seen: 'page' | 'gate' | 'withheld'
  /** The picture that the page begins with and the heading beneath it, where the page has them. */
  picture: string | null
  heading: string | null
  /** The banner of the sandbox takes room above. */
  banner: boolean
}

/** The first screen as HTML: the gate, or the page's bar with its headline or first picture; empty where a mark stands. */
export function firstScreen(look: FirstLook, screen: FirstScreen): string {
  if (screen.seen === 'withheld') return ''
  if (screen.seen === 'gate') return look.gate
  const inside =
    screen.pattern === '/'
      ? look.landing
      : screen.picture && screen.heading
        ? pictureAndHeading(screen.picture, screen.heading)
        : ''
  if (look.bar === '' || inside === '') return ''
  return `<div class="first-look" data-first-look${screen.banner ? ' data-banner' : ''}>${look.bar}${inside}</div>`
}

const pictureAndHeading = (picture: string, heading: string) =>
  `<img class="first-picture" alt="" fetchpriority="high" src="${escapeHtml(picture)}" />` +
  `<h1 class="first-name">${escapeHtml(heading)}</h1>`
