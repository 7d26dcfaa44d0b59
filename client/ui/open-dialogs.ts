/** What closes each of the open dialogs, the topmost last. */
const openDialogs: (() => void)[] = []

/**
 * Registers a dialog for as long as it is open.
 * @param close closes it, or keeps it where it can't be closed now
 * @returns unregisters it
 */
export function registerDialog(close: () => void): () => void {
  openDialogs.push(close)
  return () => void openDialogs.splice(openDialogs.indexOf(close), 1)
}

/** What closes the topmost of the open dialogs; null while none is open. */
export const topmostDialog = (): (() => void) | null => openDialogs.at(-1) ?? null
