import { ApiError, call, onBuild } from './api.ts'
import { routes } from './routes.ts'
import { callTexts } from './texts.ts'

let isOut = false

/** Part of this page's code failed to load and won't be requested again; loading a page whole brings it. */
let isStuck = false

/** Whether the next page is better loaded whole: the server has another client build, or this page lacks code. */
export const isOutdated = () => isOut || isStuck

/** Calls back once, when the server announces another client build than the one that runs. */
export function watchVersion(onOut: () => void): void {
  const running = document.querySelector('script[type="module"]')?.getAttribute('src')
  onBuild((build) => {
    if (isOut || !build || !running || build === running) return
    isOut = true
    onOut()
  })
  // For code that couldn't be loaded: any answer tells whether a newer version replaced it.
  addEventListener('vite:preloadError', () => void isNewerThere())
}

/** Asks the server whether it has a newer version; null if it can't be reached. */
export function isNewerThere(): Promise<boolean | null> {
  return call(routes.config).then(
    () => isOut,
    () => null,
  )
}

/** Code that can't be loaded anymore: only reloading the page helps. */
export class ReloadError extends ApiError {
  constructor(error: string) {
    super(0, { error, code: 'unreachable' })
  }
}

/**
 * Loads the code of a part of the page.
 * @throws `ReloadError` if a newer version replaced it, or the browser won't request it again; otherwise the loading error
 */
export async function loadPart<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    const isNewer = await isNewerThere()
    if (isNewer === null) throw error
    if (isNewer) throw new ReloadError(callTexts.outdated)
    // Some browsers request a module only once, and remember the failure.
    return load().catch(() => {
      isStuck = true
      throw new ReloadError(callTexts.notLoaded)
    })
  }
}
