/** Whether a keyboard comes up on the screen where something is typed. */
export const typesOnScreen = () => matchMedia('(pointer: coarse)').matches

/** What a list, a table or a page consists of. */
const ROWS = 'li, tr, article'

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** Moves the focus there. @returns whether it went there: what is gone, hidden or disabled takes none */
function takes(element: HTMLElement): boolean {
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/** What a dialog that has closed is about to give the focus back to: it is that of a dialog that opens at the same time, too. */
let awaited: Element | null = null

/** What the dialogs that are open give the focus back to, in the order in which they opened. */
const remembered = new Set<HTMLElement>()

/**
 * Remembers what has the focus, for a dialog that takes it.
 * @returns gives it back where `dialog` still has it or nothing has it. Where its place is gone, or goes once the page has
 *   read again what was decided, it is given to what opened the dialog that it was in, or to what stands nearest.
 */
export function rememberFocus(): (dialog: HTMLElement | null) => void {
  const before = awaited ?? document.activeElement
  if (!(before instanceof HTMLElement) || before === document.body) return () => {}
  const nearest = nearestTo(before)
  const places = [...remembered, before].reverse()
  remembered.add(before)
  return (dialog) => {
    remembered.delete(before)
    awaited = before
    // After what the page itself gives the focus to.
    setTimeout(() => {
      awaited = null
      if (!isLost() && !dialog?.contains(document.activeElement)) return
      const taken = places.find(takes)
      if (taken) keepFocus(taken)
      else focusFirst(nearest)
    })
  }
}

/** Moves the focus on when this element, which has it, is removed. */
function keepFocus(element: HTMLElement): void {
  const nearest = nearestTo(element)
  const observer = new MutationObserver(() => {
    if (document.activeElement === element) return
    observer.disconnect()
    if (element.isConnected) return
    setTimeout(() => {
      if (isLost()) focusFirst(nearest)
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

type Nearest = { pathname: string; rows: HTMLElement[]; section: HTMLElement | null }

/**
 * What stands around this element, the nearest first: its row, the rows after and before it, the section. Nothing for what
 * stands in a dialog, which gives the focus back itself.
 */
function nearestTo(element: HTMLElement): Nearest | null {
  if (element.closest('[role="dialog"]')) return null
  const rows: HTMLElement[] = []
  for (let row = element.closest<HTMLElement>(ROWS); row; row = row.parentElement?.closest(ROWS) ?? null) {
    const all = [...(row.parentElement?.children ?? [])] as HTMLElement[]
    const at = all.indexOf(row)
    rows.push(row, ...all.slice(at + 1), ...all.slice(0, at).reverse())
  }
  return { pathname: location.pathname, rows, section: element.closest('section') }
}

/** Moves the focus to the first that is left, else to a heading. Whoever has left the page has the focus where that led. */
function focusFirst(nearest: Nearest | null): void {
  if (!nearest || location.pathname !== nearest.pathname) return
  const { rows, section } = nearest
  const places = [
    ...rows,
    section?.querySelector('h2'),
    document.querySelector('h1'),
    document.querySelector('main'),
  ]
  for (const place of places as (HTMLElement | null | undefined)[]) {
    if (!place?.isConnected) continue
    // A row, not its button, which somebody might press who meant another. The Tab key doesn't stop at it.
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1
    if (!takes(place)) continue
    keepFocus(place)
    return
  }
}
