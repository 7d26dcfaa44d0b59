import { call, onBuild } from './api.ts'
import { routes } from './routes.ts'
import { discardUnsaved, wouldLose } from './unsaved.ts'

let isOut = false

/** Calls back once, when an answer says that the server has another client than the one that runs. */
export function watchVersion(onOut: () => void): void {
  const running = document.querySelector('script[type="module"]')?.getAttribute('src')
  onBuild((build) => {
    if (isOut || !build || !running || build === running) return
    isOut = true
    onOut()
  })
  // Code that could not be loaded and has no other way: whether a newer version took its place, any answer says.
  addEventListener('vite:preloadError', () => void isNewerThere())
}

/** Whether the next page is loaded whole: a newer version is there, and nothing would be lost. */
export function loadsNextWhole(): boolean {
  return isOut && !wouldLose()
}

/** Asks the server whether it has a newer version; any answer says so. */
async function isNewerThere(): Promise<boolean> {
  if (!isOut) await call(routes.config).catch(() => undefined)
  return isOut
}

/** Never resolves: the browser leaves the page meanwhile. */
const leaving = () => new Promise<never>(() => {})

/**
 * Loads the code of a page; where a newer version took its place, `addressOf` the page is loaded whole instead.
 * @throws what the loading threw, when no newer version is the reason
 */
export async function pageOrWhole<Loaded>(
  load: () => Promise<Loaded>,
  addressOf: () => string,
): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    if (!(await isNewerThere())) throw error
    // Whoever comes this far has agreed to leave the page before.
    discardUnsaved()
    location.assign(addressOf())
    return leaving()
  }
}

/**
 * Loads the code of a part of the page; where a newer version took its place, the page is loaded again.
 * @throws what the loading threw, when no newer version is the reason or something would be lost
 */
export async function partOrWhole<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    if (!(await isNewerThere()) || wouldLose()) throw error
    location.reload()
    return leaving()
  }
}
