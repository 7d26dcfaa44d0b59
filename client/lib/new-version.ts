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

/** Asks the server whether it has a newer version; false as well while it can't be reached. */
export function isNewerThere(): Promise<boolean> {
  return call(routes.config).then(isNewerKnown, () => false)
}

/** Code that is gone because a newer version took its place: only loading the page again helps. */
export class OutdatedError extends ApiError {
  constructor() {
    super(0, { error: callTexts.outdated, code: 'unreachable' })
  }
}

/**
 * Loads the code of a part of the page.
 * @throws `OutdatedError` where a newer version took its place; otherwise what the loading threw
 */
export async function loadPart<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    throw (await isNewerThere()) ? new OutdatedError() : error
  }
}
