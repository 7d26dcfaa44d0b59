/** What closes each of the open dialogs, the topmost last. */
const openDialogs = new Set<() => void>()
/** The page that is shown: the router's key of it, its entry's state and its address. */
let shown: { key: string; state: object; address: string } | null = null

/**
 * Registers a dialog for as long as it is open.
 * @param close closes it, or keeps it where it can't be closed now
 * @returns unregisters it, once or several times
 */
export function registerDialog(close: () => void): () => void {
  openDialogs.add(close)
  coverFirstPage()
  return () => void openDialogs.delete(close)
}

/** What closes the topmost of the open dialogs; null while none is open. */
export const topmostDialog = (): (() => void) | null => [...openDialogs].at(-1) ?? null

/** Where in the visit's history the browser is, as far as it said so. */
let place: number | null = history.state?.idx ?? null
/** Whether the first page of the visit has two entries. */
let isCovered = history.state?.over === true

/** Says which page is shown, by the router's key of it, so that Back closes a dialog on the first page of a visit as well. */
export function pageShown(key: string): void {
  const now = history.state?.idx ?? null
  // A page that was gone to from the lower of the two is where the upper one was.
  if (place === 0 && now === 1) isCovered = false
  // The router's state of an address that took the place of the upper one says nothing of it, which a reload would ask.
  if (isCovered && now === 1 && !history.state.over)
    history.replaceState({ ...history.state, over: true }, '')
  shown = { key, state: history.state, address: location.href }
  place = now
  if (topmostDialog()) coverFirstPage()
}

const isShown = (state: { key?: string } | null) => (state?.key ?? 'default') === shown?.key

/**
 * From the first page of a visit Back would leave the site, so a dialog on it gets an entry of its own, which stays when it
 * closes. Where a way back is held up, the browser may still be at the entry it led to.
 */
function coverFirstPage(): void {
  if (history.state?.idx !== 0 || !isShown(history.state)) return
  history.pushState({ ...history.state, idx: 1, over: true }, '')
  place = 1
  isCovered = true
}

// Listens before the router does, which would take a step between the two for one to another page.
addEventListener('popstate', (event) => {
  const before = place
  place = event.state?.idx ?? null
  const isDown = isCovered && before === 1 && place === 0
  const isUp = isCovered && before === 0 && place === 1 && isShown(event.state)
  if (isDown || isUp) event.stopImmediatePropagation()
  if (!isDown) return
  const close = topmostDialog()
  if (close) history.forward()
  else leave()
  close?.()
})

/** Goes back from the first page. Where nothing comes before it, its lower entry is what is shown from now on. */
function leave(): void {
  if (shown) history.replaceState({ ...shown.state, idx: 0, over: undefined }, '', shown.address)
  history.back()
}
