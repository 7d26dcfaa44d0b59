import { useSyncExternalStore } from 'react'
import { lazyExtra } from './lazy-part.tsx'
import { toastsNeeded } from './toast.ts'

const ToastHost = lazyExtra(() => import('./ToastHost.tsx').then((module) => module.default))

/** The place for short messages; its code loads with the first of them. */
export function Toasts() {
  const needed = useSyncExternalStore(toastsNeeded.subscribe, toastsNeeded.read)
  return needed ? <ToastHost /> : null
}
