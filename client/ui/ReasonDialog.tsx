import type { ReactNode } from 'react'
import type { Route } from '../../contract/route.ts'
import styles from './ConfirmDialog.module.css'
import { Button } from './core/Button.tsx'
import { Dialog } from './Dialog.tsx'
import { FormError } from './FormError.tsx'
import { ContractForm, useContractForm } from './forms/ContractForm.tsx'
import { ReasonField } from './ReasonField.tsx'
import { dialogTexts } from './texts.ts'

type ReasonDialogProps = {
  /** The call that is made; its `reason` says what a reason must be. */
  route: Route
  opened: boolean
  onClose: () => void
  title: string
  /** The consequence, and whether it can be undone. */
  children: ReactNode
  confirmLabel: string
  destructive?: boolean
  /** Does it; the dialog closes when it succeeds, and says why when it fails. */
  onConfirm: (reason: string) => Promise<unknown>
}

/** Asks for one decision, and for the reason that the audit log keeps. */
export function ReasonDialog({ route, opened, onClose, ...props }: ReasonDialogProps) {
  const form = useContractForm(route, {
    initial: { reason: '' },
    send: (_sent, { reason }) => props.onConfirm(reason),
    onSuccess: () => close(),
    lost: null,
  })
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={props.title} closable={!form.pending}>
      <ContractForm form={form}>
        <div className={styles.text}>{props.children}</div>
        <ReasonField {...form.field('reason')} />
        <FormError>{form.error}</FormError>
        <div className={styles.actions}>
          <Button variant="default" onClick={close} disabled={form.pending}>
            {dialogTexts.cancel}
          </Button>
          <Button type="submit" {...(props.destructive ? { color: 'red' } : {})} loading={form.pending}>
            {props.confirmLabel}
          </Button>
        </div>
      </ContractForm>
    </Dialog>
  )
}
