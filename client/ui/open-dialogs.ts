/** What closes each of the open dialogs, the topmost last. */
const openDialogs = new Set<() => void>()

/**
 * Registers a dialog for as long as it is open.
 * @param close closes it, or keeps it where it can't be closed now
 * @returns unregisters it, once or several times
 */
export function registerDialog(close: () => void): () => void {
  openDialogs.add(close)
  return () => void openDialogs.delete(close)
}

/** What closes the topmost of the open dialogs; null while none is open. */
export const topmostDialog = (): (() => void) | null => [...openDialogs].at(-1) ?? null
