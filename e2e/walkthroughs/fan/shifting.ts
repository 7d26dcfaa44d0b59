import type { BrowserContext } from 'playwright-core'

/** One jump of the page that nobody asked for (Layout Instability API); `value` is the share of the window that moved. */
export type Shift = { path: string; value: number; what: string }

/** Notes every such jump in all pages of a browser from now on. */
export async function watchShifts(context: BrowserContext): Promise<Shift[]> {
  const shifts: Shift[] = []
  await context.exposeBinding('tellShift', (_source, shift: Shift) => void shifts.push(shift))
  await context.addInitScript(() => {
    type Entry = { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
    const tell = (globalThis as unknown as { tellShift(shift: object): void }).tellShift
    const nameOf = (node: Node | null) =>
      node instanceof Element
        ? `${node.tagName}.${node.className}`
        : (node?.textContent ?? 'nothing').slice(0, 60)
    // A dialog has another size once it says something else; the page behind it stays where it is.
    const inDialog = (node: Node | null) =>
      (node instanceof Element ? node : node?.parentElement)?.closest('[role="dialog"]') != null
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Entry[])
        if (!hadRecentInput && !sources.every(({ node }) => inDialog(node)))
          tell({
            path: location.pathname + location.search,
            value,
            what: sources.map(({ node }) => nameOf(node)).join(' | '),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return shifts
}
