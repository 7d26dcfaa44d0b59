import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { errors } from '../../contract/errors.ts'
import { errorMessage } from '../lib/api.ts'
import styles from './ConfirmDialog.module.css'
import { Dialog } from './Dialog.tsx'
import { FormError } from './FormError.tsx'

type ConfirmDialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  /** Asks why, for the audit log, and confirms only with an answer. */
  asksReason?: boolean
  /** Does it, for the reason if one was asked for; the dialog shows that it is under way, closes when it succeeds, and says why when it fails. */
  onConfirm: (reason: string) => Promise<unknown>
}

/** Asks for one decision before something that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [reason, setReason] = useState('')
  const [unexplained, setUnexplained] = useState(false)
  const close = () => {
    setError(undefined)
    setUnexplained(false)
    setReason('')
    props.onClose()
  }
  const confirm = async () => {
    const missing = props.asksReason === true && reason.trim() === ''
    setUnexplained(missing)
    if (missing) return
    setBusy(true)
    setError(undefined)
    try {
      await props.onConfirm(reason.trim())
      close()
    } catch (failure) {
      setError(errorMessage(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog opened={props.opened} onClose={close} title={props.title} closable={!busy}>
      <div className={styles.text}>{props.children}</div>
      {props.asksReason && (
        <Textarea
          className={styles.reason ?? ''}
          label="Reason"
          description="Kept in the audit log."
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          value={reason}
          error={unexplained ? errors.reason_required.text : null}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setUnexplained(false)
          }}
        />
      )}
      <FormError>{error}</FormError>
      <div className={styles.actions}>
        <Button variant="default" onClick={close} disabled={busy}>
          {props.cancelLabel ?? 'Cancel'}
        </Button>
        <Button {...(props.destructive ? { color: 'red' } : {})} onClick={confirm} loading={busy}>
          {props.confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
