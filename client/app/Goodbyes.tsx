import { lazy, Suspense, useSyncExternalStore } from 'react'
import { goodbye } from '../features/profiles/privacy/goodbye.ts'

const Goodbye = lazy(() => import('../features/profiles/privacy/Goodbye.tsx'))

const wasSaid = () => goodbye.read() !== null

/** The place for what is said after a deletion; its code loads with it. */
export function Goodbyes() {
  const needed = useSyncExternalStore(goodbye.subscribe, wasSaid)
  return needed ? (
    <Suspense fallback={null}>
      <Goodbye />
    </Suspense>
  ) : null
}
