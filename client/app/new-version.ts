import { isNewerThere, isOutdated, watchVersion } from '../lib/new-version.ts'
import { queryClient } from '../lib/query.ts'
import { carriesAnything, discardUnsaved, wouldLose } from '../lib/unsaved.ts'
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

/** Whether a page can be loaded whole, and nothing would be lost: nothing typed, carried along, or on its way. */
function canLoadWhole(): boolean {
  return navigator.onLine && !wouldLose() && !carriesAnything() && queryClient.isMutating() === 0
}

/** Whether the next page is loaded whole: that brings a newer version or lacking code, and cuts short nothing that was just said. */
export function loadsNextWhole(): boolean {
  return isOutdated() && !toast.othersThan(brokenTexts.newVersion) && canLoadWhole()
}

/** Where a navigation leads, and whether it takes the place of the page before it in the history. */
export type Destination = { address: string; replaces: boolean }

/** Loads the page of this address whole. Never resolves: the browser leaves meanwhile. */
export function loadWhole({ address, replaces }: Destination): Promise<never> {
  // An address that begins with two slashes would name another site if it were resolved.
  const url = new URL(location.origin + address)
  // A step of the history stands there already, and assigning what differs by its fragment at most loads nothing.
  if (url.pathname === location.pathname && url.search === location.search) location.reload()
  else if (replaces) location.replace(url)
  else location.assign(url)
  return new Promise(() => {})
}

/**
 * Loads the code of a page; where a newer version took its place, the page is loaded whole instead.
 * @param destination where the navigation leads; null for the first page, which was just loaded whole
 * @throws what the loading threw, when no newer version is the reason, something would be lost, or the person has gone
 * elsewhere meanwhile
 */
export async function pageOrWhole<Loaded>(
  load: () => Promise<Loaded>,
  destination: () => Destination | null,
): Promise<Loaded> {
  // The router asks for the code before it says, in the same turn, where it goes.
  await null
  const wanted = destination()
  try {
    return await load()
  } catch (error) {
    const isNewer = await isNewerThere()
    if (!isNewer || wanted === null || wanted.address !== destination()?.address) throw error
    // At this point the person was asked about unsaved input on the page before, but not about background work.
    discardUnsaved()
    if (!canLoadWhole()) throw error
    return loadWhole(wanted)
  }
}
