import { centsOf } from '../../../../contract/money.ts'
import { DISPUTE_CAUSES, type DisputeCause, isTip } from '../../../../contract/orders.ts'
import { disputeRoutes } from '../../../../contract/routes/commerce/disputes.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { dayOf } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { MoneyInput } from '../../../ui/money/MoneyInput.tsx'
import { ReasonField } from '../../../ui/ReasonField.tsx'
import { toast } from '../../../ui/toast.ts'
import { moneyChanges, sendDispute } from './api.ts'
import type { PaymentDialogProps } from './RefundDialog.tsx'
import { causeTexts, disputeTexts as texts } from './texts.ts'

const CAUSES = DISPUTE_CAUSES.map((value) => ({ value, label: causeTexts[value] }))

/** `sendingAmount`: what of the charge that is disputed is being sent another way, if anything. */
type Props = PaymentDialogProps & { sendingAmount: string | null }

/** Records that a bank took a payment back. */
export function RecordDispute({ opened, onClose, ...props }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.record}>
      {opened && <DisputeForm onClose={onClose} {...props} />}
    </Dialog>
  )
}

function DisputeForm({ payment, sendingAmount, onClose, reauthenticate }: Omit<Props, 'opened'>) {
  const send = useKeyed(sendDispute)
  const isGivenBack = centsOf(payment.refundable) === 0
  const about = isTip(payment.kind) ? texts.recordAboutTip : texts.recordAbout
  const form = useContractForm(disputeRoutes.openDispute, {
    initial: {
      amount: isGivenBack ? payment.disputable : payment.refundable,
      fee: '$15',
      cause: 'fraud' as DisputeCause,
      caseNumber: '',
      respondBy: '',
      reason: '',
    },
    body: ({ respondBy, ...values }) => ({
      transactionId: payment._id,
      ...values,
      ...(respondBy ? { respondBy } : {}),
    }),
    send: (body) => reauthenticate(() => send(body)),
    // Somebody else may have recorded it: the page behind says so.
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
    onSuccess: () => {
      toast.success(texts.recorded)
      onClose()
    },
    lost: texts.lost,
  })
  return (
    <ContractForm form={form}>
      <p>{isGivenBack ? texts.recordAboutGivenBack : about}</p>
      {sendingAmount !== null && <p>{texts.recordAboutSending(sendingAmount)}</p>}
      <TextField label={texts.case} required {...form.field('caseNumber')} />
      <SelectField
        label={texts.cause}
        description={texts.causeEffect[form.values.cause]}
        choices={CAUSES}
        value={form.values.cause}
        onChange={(cause) => form.set('cause', cause as DisputeCause)}
      />
      <MoneyInput label={texts.amount} required {...form.field('amount')} />
      <MoneyInput label={texts.fee} required {...form.field('fee')} />
      <TextField
        label={texts.due}
        description={texts.dueHint}
        type="date"
        min={dayOf(serverNow())}
        {...form.field('respondBy')}
      />
      <ReasonField label={texts.reason} {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" color="red" loading={form.pending}>
        {texts.record}
      </Button>
    </ContractForm>
  )
}
