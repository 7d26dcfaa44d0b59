import type { Window } from './window.ts'

/**
 * Bytes on the wire of the scripts that this document asked for, what it asks for ahead included. What the browser
 * had kept counts as if it had come.
 */
export function scriptBytes({ page }: Window): Promise<number> {
  return page.evaluate(() => {
    const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ name }) => new URL(name).pathname.endsWith('.js'),
    )
    const sizes = new Map(scripts.map(({ name, encodedBodySize }) => [name, encodedBodySize]))
    return [...sizes.values()].reduce((sum, size) => sum + size, 0)
  })
}

/** Pages of which the document can't know the heading. */
const WITHOUT_FIRST_HEADING = ['/users/:username/offers/:offerId', '/restricted']

type FirstHeading = { element: Element; left: number; top: number }

/** Runs in each document: keeps the heading that it has before any script, and where that stands. */
export function keepFirstLook(): void {
  // A page of a hundred pieces and as many pictures has more than the browser lists by itself.
  performance.setResourceTimingBufferSize(2000)
  // What a page asks for seconds after it stands is not its first load, however long the checks take.
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const later: (run: () => void, delay: number) => unknown = globalThis[name]
    const soon = (run: () => void, delay = 0) => (delay < 5000 ? later(run, delay) : 0)
    Object.assign(globalThis, { [name]: soon })
  }
  new MutationObserver((_changes, observer) => {
    const bar = document.querySelector('[data-first-look] > header')
    const element = document.querySelector('[data-first-look] h1')
    if (bar) Object.assign(globalThis, { firstBar: true })
    if (!element) return
    const { left, top } = element.getBoundingClientRect()
    Object.assign(globalThis, { firstHeading: { element, left, top } })
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

/** What is wrong with what the document showed before the application took its place, in words. */
export async function badFirstLook({ page }: Window, path: string): Promise<string[]> {
  const { hasBar, before, after } = await page.evaluate(() => {
    const { firstBar, firstHeading } = globalThis as { firstBar?: true; firstHeading?: FirstHeading }
    const described = (text: string | null, left: number, top: number) =>
      `“${text?.trim()}” at ${Math.round(left)}, ${Math.round(top)}`
    const heading = document.querySelector('h1')
    const box = heading?.getBoundingClientRect()
    return {
      hasBar: firstBar === true,
      before:
        firstHeading && described(firstHeading.element.textContent, firstHeading.left, firstHeading.top),
      after: heading && box && described(heading.textContent, box.left, box.top),
    }
  })
  if (!hasBar) return ['the document has no bar']
  if (WITHOUT_FIRST_HEADING.includes(path)) return []
  return before === after ? [] : [`its heading is ${after}, in the document ${before ?? 'none'}`]
}

/**
 * What is wrong with where the page stands, in words: it begins at the edge of the bar above, or beside the sidebar, and is
 * in the middle if it stands alone.
 */
export async function misplaced({ page }: Window): Promise<string[]> {
  const off = await page.evaluate(() => {
    const inside = document.querySelector<HTMLElement>('main [data-width]')
    const [box, room] = [inside?.getBoundingClientRect(), inside?.parentElement?.getBoundingClientRect()]
    if (!inside || !box || !room) return 0
    const sidebar = room.left > 0
    const alone = ['form', 'reading'].includes(inside.dataset.width ?? '')
    if (alone && !sidebar) return box.left - room.left - (room.right - box.right)
    const brand = document.querySelector('header a[href="/"]')?.getBoundingClientRect()
    const edge = sidebar ? room.left + Number.parseFloat(getComputedStyle(inside).paddingLeft) : brand?.left
    return (inside.querySelector('h1')?.getBoundingClientRect().left ?? 0) - (edge ?? 0)
  })
  return Math.abs(off) > 1 ? [`it stands ${Math.round(off)} pixels off its place`] : []
}
