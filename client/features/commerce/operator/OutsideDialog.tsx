import { refundRoutes } from '../../../../contract/routes/commerce/refunds.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { dialogTexts } from '../../../ui/texts.ts'
import { toast } from '../../../ui/toast.ts'
import { moneyChanges, sendOutside } from './api.ts'
import type { PaymentDialogProps } from './RefundDialog.tsx'
import { detailTexts as texts } from './texts.ts'

/** Records that a refund that the gateway refused was given back another way. */
export function OutsideDialog({ opened, onClose, ...props }: PaymentDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.outsideTitle(props.payment.title)}>
      {opened && <OutsideForm onClose={onClose} {...props} />}
    </Dialog>
  )
}

function OutsideForm({ payment, onClose, reauthenticate }: Omit<PaymentDialogProps, 'opened'>) {
  const send = useKeyed(sendOutside)
  const refused = payment.refunds.at(-1)?.amount ?? payment.amount
  const form = useContractForm(refundRoutes.refundOutside, {
    initial: { document: '', reason: '' },
    body: (values) => ({ transactionId: payment._id, ...values }),
    send: (body) => reauthenticate(() => send(body)),
    meta: { invalidates: moneyChanges },
    onSuccess: ({ amount }) => {
      toast.success(texts.refundDone(amount))
      onClose()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <p>{texts.outsideAbout(refused)}</p>
      <TextField
        label={texts.outsideDocument}
        description={texts.outsideDocumentHint}
        required
        {...form.field('document')}
      />
      <TextAreaField
        label={dialogTexts.reason}
        description={dialogTexts.reasonHint}
        required
        minRows={2}
        maxRows={6}
        {...form.field('reason')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" color="red" loading={form.pending}>
        {texts.outside}
      </Button>
    </ContractForm>
  )
}
