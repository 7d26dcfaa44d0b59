/** What closes each of the open dialogs, the topmost last. */
const openDialogs = new Set<() => void>()
/** The router's key of the page that is shown. */
let shownKey: string | null = null

/**
 * Registers a dialog for as long as it is open.
 * @param close closes it, or keeps it where it can't be closed now
 * @returns unregisters it, once or several times
 */
export function registerDialog(close: () => void): () => void {
  openDialogs.add(close)
  makeEntry()
  return () => void openDialogs.delete(close)
}

/** What closes the topmost of the open dialogs; null while none is open. */
export const topmostDialog = (): (() => void) | null => [...openDialogs].at(-1) ?? null

/** Says which page is shown, by the router's key of it, so that Back closes a dialog on the first page of a visit as well. */
export function pageShown(key: string): void {
  shownKey = key
  if (topmostDialog()) makeEntry()
}

const isShown = (state: { key?: string } | null) => (state?.key ?? 'default') === shownKey

/** Which of two entries of the first page the browser is at; null elsewhere, and where that page has one only. */
let at: 'under' | 'over' | null = history.state?.over ? 'over' : null

/**
 * From the first page of a visit Back would leave the site, so a dialog on it gets an entry of its own, which stays when it
 * closes. Where a way back is held up, the browser may still be at the entry it led to.
 */
function makeEntry(): void {
  if (history.state?.idx !== 0 || !isShown(history.state)) return
  history.pushState({ ...history.state, idx: 1, over: true }, '')
  at = 'over'
}

// Listens before the router does, which would take a step between the two for one to another page.
addEventListener('popstate', (event) => {
  const isOver = event.state?.over === true
  const isBack = at === 'over' && event.state?.idx === 0
  if (!isShown(event.state) || !(isBack || (at === 'under' && isOver))) {
    at = isOver ? 'over' : null
    return
  }
  event.stopImmediatePropagation()
  at = isOver ? 'over' : 'under'
  if (!isBack) return
  const close = topmostDialog()
  if (close) history.forward()
  else history.back()
  close?.()
})
