import { IconAlertTriangle } from '@tabler/icons-react'
import { errorMessage } from '../lib/api.ts'
import { ReloadError } from '../lib/new-version.ts'
import { Button } from './core/Button.tsx'
import styles from './StateBlock.module.css'
import { stateTexts } from './texts.ts'

type ErrorStateProps = {
  /** The failed action, in the person's words. */
  title: string
  error: unknown
  onRetry?: () => void
  /** Somebody waits for it who may not see it where it stands: it gets the focus. */
  awaited?: boolean
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

/** Something could not be loaded: what, why, and a way to try again; by loading the page where nothing else helps. */
export function ErrorState({ title, error, onRetry, awaited }: ErrorStateProps) {
  const onlyReloads = error instanceof ReloadError
  return (
    <div className={styles.block} role="alert" {...(awaited && { tabIndex: -1, ref: takeFocus })}>
      <span className={styles.icon} data-tone="bad">
        <IconAlertTriangle size={26} stroke={1.5} aria-hidden />
      </span>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{errorMessage(error)}</p>
      {onRetry && (
        <div className={styles.action}>
          <Button variant="default" onClick={onlyReloads ? () => location.reload() : onRetry}>
            {onlyReloads ? stateTexts.reload : stateTexts.tryAgain}
          </Button>
        </div>
      )}
    </div>
  )
}
