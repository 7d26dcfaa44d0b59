import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import escapeHtml from 'escape-html'
import { type Drawn, drawItem, drawProfile, drawWall, type FirstContent } from './first-pictures.ts'

/** What the build draws of the client before its script has come (client/build/first-look.ts). */
export type FirstLook = {
  gate: string
  bar: string
  /** What stands below the bar of a page that begins the same for everybody, by the page's pattern. */
  headings: Record<string, string>
}

export const FIRST_LOOK = 'first-look.json'
const NOTHING: FirstLook = { gate: '', bar: '', headings: {} }

/** What the build drew; empty for what an older build doesn’t draw, or without one. */
export async function readFirstLook(clientDir: string | null, brand: string): Promise<FirstLook> {
  if (!clientDir) return NOTHING
  const text = await readFile(join(clientDir, FIRST_LOOK), 'utf8').catch(() => null)
  if (text === null) return NOTHING
  const { gate, bar, headings } = { ...NOTHING, ...(JSON.parse(text) as Partial<FirstLook>) }
  const named = (html: string) => html.replaceAll('{{brand}}', escapeHtml(brand))
  return { gate: named(gate), bar: named(bar), headings }
}

/** What is known of a visitor's first screen when the document is made. */
export type FirstScreen = {
  pattern: string
  /** Whether the page may be shown at all, is kept behind the question for the age, or is withheld by law. */
  seen: 'page' | 'gate' | 'withheld'
  /** What the page's first answers hold to show; null where they hold nothing. */
  content: FirstContent | null
  /** The banner of the sandbox takes room above. */
  banner: boolean
}

const EMPTY: Drawn = { html: '', css: '' }

/** The first screen: the gate, or the bar with what is known of the page below it; empty where a mark stands. */
export function firstScreen(look: FirstLook, screen: FirstScreen): Drawn {
  if (screen.seen === 'withheld') return EMPTY
  if (screen.seen === 'gate') return { html: look.gate, css: '' }
  if (look.bar === '') return EMPTY
  const { html, css } = inside(look, screen)
  const banner = screen.banner ? ' data-banner' : ''
  return { html: `<div class="first-look" data-first-look${banner}>${look.bar}${html}</div>`, css }
}

function inside({ headings }: FirstLook, { pattern, content }: FirstScreen): Drawn {
  const heading = headings[pattern] ?? ''
  if (content?.kind === 'wall') return drawWall(content, heading)
  if (content?.kind === 'item') return drawItem(content)
  if (content?.kind === 'profile') return drawProfile(content)
  return { html: heading, css: '' }
}
