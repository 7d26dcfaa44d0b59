import { referralRoutes } from '../../../../contract/routes/commerce/referrals.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { ReasonField } from '../../../ui/ReasonField.tsx'
import { toast } from '../../../ui/toast.ts'
import { useReauthentication } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { cancelCommissions } from './api.ts'
import { cancelTexts as texts } from './texts.ts'

/** Takes back what a person earned as a referrer and that is still pending. */
export function CancelCommissions({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {opened && <CancelForm onDone={onClose} />}
    </Dialog>
  )
}

function CancelForm({ onDone }: { onDone: () => void }) {
  const reauthenticate = useReauthentication()
  const form = useContractForm(referralRoutes.cancelCommissions, {
    initial: { username: '', reason: '' },
    send: (body) => reauthenticate(() => cancelCommissions(body)),
    onSuccess: ({ count, amount }) => {
      toast.success(texts.done(count, amount))
      onDone()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <p>{texts.effect}</p>
      <TextField label={texts.username} autoComplete="off" required {...form.field('username')} />
      <ReasonField {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" color="red" loading={form.pending}>
        {texts.confirm}
      </Button>
    </ContractForm>
  )
}
