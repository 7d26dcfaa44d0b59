import { useSyncExternalStore } from 'react'
import { Button } from './core/Button.tsx'
import { lazyExtra, useCodeAhead } from './lazy-part.tsx'
import styles from './Toasts.module.css'
import { dialogTexts } from './texts.ts'
import { loadToastHost, type PlainMessage, shownToasts } from './toast.ts'

const ToastHost = lazyExtra(() => loadToastHost().then((module) => module.default))

/** How long after its begin a page fetches what it may need without a network, in milliseconds. */
const REST_MS = 5000

/** The place for short messages; its code loads with the first of them, or once the page rests. */
export function Toasts() {
  const { hosted, plain } = useSyncExternalStore(shownToasts.subscribe, shownToasts.read)
  useCodeAhead(loadToastHost, REST_MS)
  return (
    <>
      {hosted && <ToastHost />}
      {plain.length > 0 && (
        <div className={styles.plain}>
          {plain.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message has no name, and keeps no state.
            <Plain key={index} {...message} />
          ))}
        </div>
      )}
    </>
  )
}

function Plain({ message, action, close }: PlainMessage) {
  const act = () => {
    close()
    action?.onAct()
  }
  return (
    <div role="alert" className={styles.message}>
      {message}
      {action && (
        <Button variant="subtle" size="compact-md" onClick={act}>
          {action.label}
        </Button>
      )}
      <Button variant="subtle" size="compact-md" onClick={close}>
        {dialogTexts.close}
      </Button>
    </div>
  )
}
