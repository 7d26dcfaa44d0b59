import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import escapeHtml from 'escape-html'
import { type Drawn, drawItem, drawProfile, drawWall, type FirstContent } from './first-pictures.ts'

/** The parts of the client that the build prerenders (client/build/first-look.ts). */
export type FirstLook = {
  gate: string
  bar: string
  /** The bar for a browser that somebody is logged in with. */
  awaitedBar: string
  /** The content below the bar of pages that start the same for everybody, by page pattern. */
  headings: Record<string, string>
}

export const FIRST_LOOK = 'first-look.json'
const NOTHING: FirstLook = { gate: '', bar: '', awaitedBar: '', headings: {} }

/** The build's output; empty for parts that an older build lacks, or without a build. */
export async function readFirstLook(clientDir: string | null, brand: string): Promise<FirstLook> {
  if (!clientDir) return NOTHING
  const text = await readFile(join(clientDir, FIRST_LOOK), 'utf8').catch(() => null)
  if (text === null) return NOTHING
  const { gate, bar, awaitedBar, headings } = { ...NOTHING, ...(JSON.parse(text) as Partial<FirstLook>) }
  const named = (html: string) => html.replaceAll('{{brand}}', escapeHtml(brand))
  return { gate: named(gate), bar: named(bar), awaitedBar: named(awaitedBar), headings }
}

/** The facts about a visitor's first screen when the document is rendered. */
export type FirstScreen = {
  pattern: string
  /** Whether the page is shown, is behind the age gate, or is withheld by law. */
  seen: 'page' | 'gate' | 'withheld'
  /** The part of the page's initial data that can be shown; null if nothing. */
  content: FirstContent | null
  /** The sandbox's banner takes room at the top. */
  banner: boolean
}

/** The first screen of somebody logged in: their bar, the same for everybody; below it stands the placeholder. */
export function awaitedScreen({ awaitedBar }: FirstLook, { banner }: Pick<FirstScreen, 'banner'>): string {
  return awaitedBar && `<div class="first-look"${banner ? ' data-banner' : ''}>${awaitedBar}</div>`
}

const EMPTY: Drawn = { html: '', css: '' }

/** The first screen: the gate, or the bar with what is known of the page; empty if a placeholder is shown instead. */
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
