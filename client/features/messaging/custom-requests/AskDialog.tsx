import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { customRequestRoutes } from '../../../../contract/routes/messaging/custom-requests.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import DialogWindow from '../../../ui/DialogWindow.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { MoneyInput } from '../../../ui/money/MoneyInput.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { requestChanges, sendRequest } from './api.ts'
import styles from './custom-requests.module.css'
import { askTexts as texts } from './texts.ts'

/** The creator who is asked, by name where they gave one. */
export type Asked = { _id: string; username: string; firstName: string }

type AskDialogProps = { creator: Asked; onClose: () => void }

/** Asks a creator for something custom. */
export default function AskDialog({ creator, onClose }: AskDialogProps) {
  return (
    <DialogWindow opened onClose={onClose} title={texts.title(creator.firstName || creator.username)}>
      <AskForm creatorId={creator._id} onSent={onClose} />
    </DialogWindow>
  )
}

function AskForm({ creatorId, onSent }: { creatorId: string; onSent: () => void }) {
  const send = useKeyed(sendRequest)
  const form = useContractForm(customRequestRoutes.createCustomRequest, {
    initial: { requestMessage: '', maxMinutes: '', pricePerMinute: '$4' },
    body: ({ maxMinutes, ...rest }) => ({
      creatorId,
      ...rest,
      maxMinutes: Number(maxMinutes || Number.NaN),
    }),
    send: (body) => send(body),
    meta: { invalidates: requestChanges },
    onSuccess: () => {
      toast.success(texts.sent)
      onSent()
    },
    lost: texts.lost,
  })
  const { maxMinutes, pricePerMinute } = form.values
  const total = Number(maxMinutes) > 0 ? Number(maxMinutes) * centsOf(pricePerMinute) : 0
  return (
    <ContractForm form={form}>
      <p className={styles.next}>{texts.lead}</p>
      <TextAreaField
        label={texts.message}
        description={texts.messageHint}
        required
        {...form.field('requestMessage')}
      />
      <FieldPair>
        <TextField label={texts.minutes} inputMode="numeric" required {...form.field('maxMinutes')} />
        <MoneyInput label={texts.price} required {...form.field('pricePerMinute')} />
      </FieldPair>
      {Number.isSafeInteger(total) && total > 0 && (
        <p className={styles.total}>{texts.total(formatMoney(total))}</p>
      )}
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.send}
      </Button>
    </ContractForm>
  )
}
