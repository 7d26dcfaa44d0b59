import { type ReactNode, useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import styles from './ConfirmDialog.module.css'
import { Button } from './core/Button.tsx'
import { Dialog } from './Dialog.tsx'
import { FormError } from './FormError.tsx'
import { dialogTexts } from './texts.ts'

type ConfirmDialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  /** The consequence, and whether it can be undone. */
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  /** Staying is the safe choice, so that Cancel is the main button. */
  stays?: boolean
  /** Does it; the dialog shows that it is under way, closes when it succeeds, and says why when it fails. */
  onConfirm: () => Promise<unknown>
}

/** Asks for one decision before something that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const close = () => {
    setError(undefined)
    props.onClose()
  }
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await props.onConfirm()
      close()
    } catch (failure) {
      setError(errorMessage(failure))
    } finally {
      setBusy(false)
    }
  }
  const canceling = (
    <Button key="cancel" variant={props.stays ? 'filled' : 'default'} onClick={close} disabled={busy}>
      {props.cancelLabel ?? dialogTexts.cancel}
    </Button>
  )
  const confirming = (
    <Button
      key="confirm"
      variant={props.stays ? 'default' : 'filled'}
      color={props.destructive ? 'red' : undefined}
      onClick={confirm}
      loading={busy}
    >
      {props.confirmLabel}
    </Button>
  )
  return (
    <Dialog opened={props.opened} onClose={close} title={props.title} closable={!busy}>
      <div className={styles.text}>{props.children}</div>
      <FormError>{error}</FormError>
      <div className={styles.actions}>
        {/* The main button stands at the end. */}
        {props.stays ? [confirming, canceling] : [canceling, confirming]}
      </div>
    </Dialog>
  )
}
