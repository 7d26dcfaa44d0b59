import { useSyncExternalStore } from 'react'
import { goodbye } from '../features/profiles/privacy/goodbye.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const Goodbye = lazyPart(() =>
  import('../features/profiles/privacy/Goodbye.tsx').then((module) => module.default),
)

const wasSaid = () => goodbye.read() !== null

/** The place for what is said after a deletion; its code loads with it. */
export function Goodbyes() {
  const needed = useSyncExternalStore(goodbye.subscribe, wasSaid)
  return needed ? <Goodbye /> : null
}
