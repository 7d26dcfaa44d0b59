import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { lazyExtra, useCodeAhead } from './lazy-part.tsx'
import { toastTexts } from './texts.ts'
import styles from './toast.module.css'
import { loadToastHost, TOASTS, toastsNeeded } from './toast.ts'

const ToastHost = lazyExtra(() => loadToastHost().then((module) => module.default))

/** How long after its begin a page fetches what it may need without a network, in milliseconds. */
const REST_MS = 5000

/**
 * The place for short messages; its code loads with the first of them, or once the page rests. It is there before them, as
 * screen readers announce only what comes into one that they know.
 */
export function Toasts() {
  const needed = useSyncExternalStore(toastsNeeded.subscribe, toastsNeeded.read)
  useCodeAhead(loadToastHost, REST_MS)
  return createPortal(
    <section id={TOASTS} className={styles.place} aria-live="polite" aria-label={toastTexts.label}>
      {needed && <ToastHost />}
    </section>,
    document.body,
  )
}
