import { refundRoutes } from '../../../../contract/routes/commerce/refunds.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { ReasonField } from '../../../ui/ReasonField.tsx'
import { toast } from '../../../ui/toast.ts'
import { moneyChanges, type PaymentDetail, recordOutside } from './api.ts'
import type { PaymentDialogProps } from './RefundDialog.tsx'
import { detailTexts, outsideTexts as texts } from './texts.ts'

/** Records that a refund that is sent another way was given back so. */
export function OutsideDialog({
  opened,
  onClose,
  outside,
  ...props
}: PaymentDialogProps & {
  outside: PaymentDetail['outside']
  /** How the charge stands that it is of. */
  chargeStatus: PaymentDetail['attempts'][number]['status'] | null
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.recordTitle(props.payment.title)}>
      {opened && outside && <OutsideForm outside={outside} onClose={onClose} {...props} />}
    </Dialog>
  )
}

type OutsideProps = Omit<Parameters<typeof OutsideDialog>[0], 'opened' | 'outside'> & {
  outside: NonNullable<PaymentDetail['outside']>
}

function OutsideForm({ payment, outside, chargeStatus, onClose, reauthenticate }: OutsideProps) {
  const send = useKeyed(recordOutside)
  const form = useContractForm(refundRoutes.refundOutside, {
    initial: { document: '', reason: '' },
    body: (values) => ({ transactionId: payment._id, refundId: outside.refundId, ...values }),
    send: (body) => reauthenticate(() => send(body)),
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
    onSuccess: ({ amount }) => {
      toast.success(detailTexts.refundDone(amount))
      onClose()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <p>
        {chargeStatus === 'voided' || chargeStatus === 'refunded'
          ? texts.recordAboutOver(outside.amount, chargeStatus)
          : texts.recordAbout(outside.amount)}
      </p>
      <TextField
        label={texts.document}
        description={texts.documentHint}
        required
        {...form.field('document')}
      />
      <ReasonField {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" color="red" loading={form.pending}>
        {texts.record}
      </Button>
    </ContractForm>
  )
}
