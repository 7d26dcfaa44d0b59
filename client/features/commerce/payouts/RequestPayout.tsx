import { payoutRoutes } from '../../../../contract/routes/commerce/payouts.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { MoneyInput } from '../../../ui/money/MoneyInput.tsx'
import { toast } from '../../../ui/toast.ts'
import { useReauthentication } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { type Balance, payoutChanges, sendPayoutRequest } from './api.ts'
import { payoutTexts as texts } from './texts.ts'

type RequestPayoutProps = {
  balance: Balance
  opened: boolean
  onClose: () => void
}

/** Asks for an amount of the available balance to be paid out: all of it unless another is typed. */
export function RequestPayout({ balance, opened, onClose }: RequestPayoutProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.request}>
      {opened && <RequestForm balance={balance} onDone={onClose} />}
    </Dialog>
  )
}

function RequestForm({ balance, onDone }: { balance: Balance; onDone: () => void }) {
  const reauthenticate = useReauthentication()
  const send = useKeyed(sendPayoutRequest)
  const form = useContractForm(payoutRoutes.requestPayout, {
    initial: { amount: balance.available },
    send: (_body, values) => reauthenticate(() => send(values)),
    // Refused where less is available than is shown, as by another tab.
    meta: { invalidates: payoutChanges, onFailure: payoutChanges },
    onSuccess: ({ amount }) => {
      toast.success(texts.requested(amount))
      onDone()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <p>{texts.about}</p>
      <MoneyInput
        label={texts.amount}
        description={texts.amountHint(balance.available, balance.minimum)}
        required
        {...form.field('amount')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.request}
      </Button>
    </ContractForm>
  )
}
