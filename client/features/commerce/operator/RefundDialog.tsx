import { useRef } from 'react'
import { refundRoutes } from '../../../../contract/routes/commerce/refunds.ts'
import { ApiError } from '../../../lib/api.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { MoneyInput } from '../../../ui/money/MoneyInput.tsx'
import { ReasonField } from '../../../ui/ReasonField.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { moneyChanges, type PaymentDetail, sendRefund } from './api.ts'
import { detailTexts as texts } from './texts.ts'

export type PaymentDialogProps = {
  payment: PaymentDetail
  opened: boolean
  onClose: () => void
  reauthenticate: Reauthenticate
}

/** Gives a payment back: all that is left of it unless another amount is typed. */
export function RefundDialog({ opened, onClose, ...props }: PaymentDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.refundTitle(props.payment.title)}>
      {opened && <RefundForm onClose={onClose} {...props} />}
    </Dialog>
  )
}

function RefundForm({ payment, onClose, reauthenticate }: Omit<PaymentDialogProps, 'opened'>) {
  const send = useKeyed(sendRefund)
  // As it was shown: a repeat must not count what the first try, whose answer was lost, has refunded.
  const left = useRef<string | null>(payment.refundable)
  const form = useContractForm(refundRoutes.refund, {
    initial: { amount: payment.refundable, reason: '' },
    body: (values) => ({ transactionId: payment._id, ...values, left: left.current ?? payment.refundable }),
    send: (body) => {
      left.current = body.left
      return reauthenticate(() => send(body)).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'payment_changed') left.current = null
        throw error
      })
    },
    // Somebody else may have refunded some of it: the page and the hint say what is left now.
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
    onSuccess: ({ status, amount }) => {
      const made = status === 'refunded' || status === 'voided'
      toast.success(made ? texts.refundDone(amount) : texts.refundWaiting)
      onClose()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <MoneyInput
        label={texts.amount}
        description={texts.refundHint(payment.refundable, payment.kind)}
        required
        {...form.field('amount')}
      />
      <ReasonField {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" color="red" loading={form.pending}>
        {texts.refund}
      </Button>
    </ContractForm>
  )
}
