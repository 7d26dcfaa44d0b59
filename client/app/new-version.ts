import { isNewerKnown, isNewerThere, watchVersion } from '../lib/new-version.ts'
import { discardUnsaved, wouldLose } from '../lib/unsaved.ts'
import { toast } from '../ui/toast.ts'
import { brokenTexts } from './shell/texts.ts'

/** Offers the newer version once the server has one; what is typed stays until the person says so or opens another page. */
export function offerNewVersion(): void {
  watchVersion(() =>
    toast.stays(brokenTexts.newVersion, {
      label: brokenTexts.reloadShort,
      onAct: () => location.reload(),
    }),
  )
}

/** Whether the next page is loaded whole: a newer version is there, can be loaded, and nothing would be lost. */
export function loadsNextWhole(): boolean {
  return isNewerKnown() && navigator.onLine && !toast.othersThan(brokenTexts.newVersion) && !wouldLose()
}

/** Loads the page of this address whole. Never resolves: the browser leaves meanwhile. */
export function loadWhole(address: string): Promise<never> {
  const { pathname, search } = new URL(address, location.href)
  // A step of the history stands there already, and assigning what differs by its fragment at most loads nothing.
  if (pathname === location.pathname && search === location.search) location.reload()
  else location.assign(address)
  return new Promise(() => {})
}

/**
 * Loads the code of a page; where a newer version took its place, the page is loaded whole instead.
 * @param addressOf where the navigation leads; null for the first page, which was just loaded whole
 * @throws what the loading threw, when no newer version is the reason, something would be lost, or the person has gone
 * elsewhere meanwhile
 */
export async function pageOrWhole<Loaded>(
  load: () => Promise<Loaded>,
  addressOf: () => string | null,
): Promise<Loaded> {
  // The router asks for the code before it says, in the same turn, where it goes.
  await null
  const address = addressOf()
  try {
    return await load()
  } catch (error) {
    const isNewer = await isNewerThere()
    if (!isNewer || address === null || address !== addressOf()) throw error
    // Whoever comes this far was asked about what is typed on the page before, but not about what goes on behind it.
    discardUnsaved()
    if (!loadsNextWhole()) throw error
    return loadWhole(address)
  }
}
