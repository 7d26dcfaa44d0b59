import { ApiError, call, onBuild } from './api.ts'
import { routes } from './routes.ts'
import { callTexts } from './texts.ts'

let isOut = false

/** Whether an answer has said that the server has another client than the one that runs. */
export const isNewerKnown = () => isOut

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

/** Asks the server whether it has a newer version; null while it can't be reached. */
export function isNewerThere(): Promise<boolean | null> {
  return call(routes.config).then(isNewerKnown, () => null)
}

/** Code that can't be had anymore: only loading the page again helps. */
export class ReloadError extends ApiError {
  constructor(error: string) {
    super(0, { error, code: 'unreachable' })
  }
}

/**
 * Loads the code of a part of the page.
 * @throws `ReloadError` where a newer version took its place, or the browser won't ask for it again; otherwise what the
 * loading threw
 */
export async function loadPart<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    const isNewer = await isNewerThere()
    if (isNewer === null) throw error
    if (isNewer) throw new ReloadError(callTexts.outdated)
    // Some browsers ask for a module once, and remember that it failed.
    return load().catch(() => {
      throw new ReloadError(callTexts.notLoaded)
    })
  }
}
