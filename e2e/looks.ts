import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Window } from './window.ts'

/** What a page is given to look at itself with. The package's `axe.source` is twice as long, for every page anew. */
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A size of the window and the colours that its person prefers. */
export type Look = { viewport: { width: number; height: number }; colorScheme: 'dark' | 'light' }

/**
 * Changes size and colours of the window, and ends what moves: colours on their way from one scheme to the other
 * belong to neither.
 */
export async function wears({ page }: Window, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(
    // A page of another maker, as the provider of age checks, has no such mark.
    (wanted) => (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted,
    colorScheme,
    { polling: 50 },
  )
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
  })
}

/** Answers how much wider than the window the page is, in words; nothing when it fits. */
export async function overflows({ page }: Window): Promise<string[]> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [scrollWidth, clientWidth]
  })
  return Number(content) > Number(window) ? [`${content} pixels wide`] : []
}

/** What axe-core finds on the page as it stands, each with the place and the reason. */
export async function barriers({ page }: Window): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
