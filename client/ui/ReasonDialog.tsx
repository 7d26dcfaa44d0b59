import type { ReactNode } from 'react'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Route } from '../../contract/route.ts'
import { ApiError } from '../lib/api.ts'
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
  /** The refusals after which nothing is left to decide: the dialog says so, and closes. */
  over?: ErrorCode | readonly ErrorCode[]
  /** Does it; the dialog closes when it succeeds, and says why when it fails. */
  onConfirm: (reason: string) => Promise<unknown>
}

/** Asks for one decision, and for the reason that the audit log keeps. */
export function ReasonDialog({ route, opened, onClose, over = [], ...props }: ReasonDialogProps) {
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
  const { failure, pending } = form
  const isOver = failure instanceof ApiError && [over].flat().some((code) => code === failure.code)
  return (
    <Dialog opened={opened} onClose={close} title={props.title} closable={!pending}>
      <ContractForm form={form}>
        {!isOver && (
          <>
            <div className={styles.text}>{props.children}</div>
            <ReasonField {...form.field('reason')} />
          </>
        )}
        <FormError>{form.error}</FormError>
        <div className={styles.actions}>
          {!isOver && (
            <Button variant="default" onClick={close} disabled={pending}>
              {dialogTexts.cancel}
            </Button>
          )}
          {/* One button, so that it keeps the focus. */}
          <Button
            {...(isOver
              ? { type: 'button', variant: 'default', onClick: close }
              : { type: 'submit', ...(props.destructive ? { color: 'red' } : {}) })}
            loading={pending}
          >
            {isOver ? dialogTexts.close : props.confirmLabel}
          </Button>
        </div>
      </ContractForm>
    </Dialog>
  )
}
