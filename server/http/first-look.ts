import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import escapeHtml from 'escape-html'
import { type Drawn, drawItem, drawWall, type FirstContent } from './first-pictures.ts'

/** What the build draws of the client before its script has come (client/build/first-look.ts), by name. */
export type FirstLook = { gate: string; bar: string; landing: string; discover: string }

export const FIRST_LOOK = 'first-look.json'
const NOTHING: FirstLook = { gate: '', bar: '', landing: '', discover: '' }

/** What the build drew; empty for what an older build doesn’t draw, or without one. */
export async function readFirstLook(clientDir: string | null, brand: string): Promise<FirstLook> {
  if (!clientDir) return NOTHING
  const text = await readFile(join(clientDir, FIRST_LOOK), 'utf8').catch(() => null)
  if (text === null) return NOTHING
  const drawn = { ...NOTHING, ...(JSON.parse(text) as Partial<FirstLook>) }
  const named = (html: string) => html.replaceAll('{{brand}}', escapeHtml(brand))
  return { ...drawn, gate: named(drawn.gate), bar: named(drawn.bar) }
}

/** What is known of a visitor's first screen when the document is made. */
export type FirstScreen = {
  pattern: string
  /** Whether the page may be shown at all, is kept behind the question for the age, or is withheld by law. */
  seen: 'page' | 'gate' | 'withheld'
  /** The picture that the page begins with and the heading beneath it, where the page has them. */
  picture: string | null
  heading: string | null
  /** What the page's first answers hold of pictures; null where it shows none. */
  content: FirstContent | null
  /** The banner of the sandbox takes room above. */
  banner: boolean
}

const EMPTY: Drawn = { html: '', css: '' }

/** The first screen: the gate, or the page's bar with its headline or first pictures; empty where a mark stands. */
export function firstScreen(look: FirstLook, screen: FirstScreen): Drawn {
  if (screen.seen === 'withheld') return EMPTY
  if (screen.seen === 'gate') return { html: look.gate, css: '' }
  const { html, css } = inside(look, screen)
  if (look.bar === '' || html === '') return EMPTY
  const banner = screen.banner ? ' data-banner' : ''
  return { html: `<div class="first-look" data-first-look${banner}>${look.bar}${html}</div>`, css }
}

function inside(look: FirstLook, { pattern, picture, heading, content }: FirstScreen): Drawn {
  if (pattern === '/') return { html: look.landing, css: '' }
  if (content?.kind === 'wall') return drawWall(content, look.discover)
  if (content?.kind === 'item') return drawItem(content)
  return picture && heading ? { html: pictureAndHeading(picture, heading), css: '' } : EMPTY
}

const pictureAndHeading = (picture: string, heading: string) =>
  `<img class="first-picture" alt="" fetchpriority="high" src="${escapeHtml(picture)}" />` +
  `<h1 class="first-name">${escapeHtml(heading)}</h1>`
