import { useSyncExternalStore } from 'react'
import { lazyExtra, useCodeAhead } from './lazy-part.tsx'
import { loadToastHost, toastsNeeded } from './toast.ts'

const ToastHost = lazyExtra(() => loadToastHost().then((module) => module.default))

/** How long after its begin a page fetches what it may need without a network, in milliseconds. */
const REST_MS = 5000

/** The place for short messages; its code loads with the first of them, or once the page rests. */
export function Toasts() {
  const needed = useSyncExternalStore(toastsNeeded.subscribe, toastsNeeded.read)
  useCodeAhead(loadToastHost, REST_MS)
  return needed ? <ToastHost /> : null
}
