import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastsNeeded } from './toast.ts'

const ToastHost = lazy(() => import('./ToastHost.tsx'))

/** The place for short messages; its code loads with the first of them. */
export function Toasts() {
  const needed = useSyncExternalStore(toastsNeeded.subscribe, toastsNeeded.read)
  return needed ? (
    <Suspense fallback={null}>
      <ToastHost />
    </Suspense>
  ) : null
}
