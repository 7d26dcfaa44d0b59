import { statementRoutes } from '../../../../contract/routes/commerce/statements.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { saveFile } from '../../../ui/download.ts'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { ReasonField } from '../../../ui/ReasonField.tsx'
import { useReauthentication } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { fetchStatement } from './api.ts'
import { statementTexts as texts } from './texts.ts'

/** Hands an operator anybody's statement of a month. */
export function OpenStatement({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {opened && <StatementForm onDone={onClose} />}
    </Dialog>
  )
}

function StatementForm({ onDone }: { onDone: () => void }) {
  const reauthenticate = useReauthentication()
  const form = useContractForm(statementRoutes.anyStatementFile, {
    initial: { username: '', month: '', reason: '' },
    send: (body) => reauthenticate(() => fetchStatement(body)),
    onSuccess: ({ name, blob }) => {
      saveFile(name, blob)
      onDone()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <p>{texts.about}</p>
      <TextField label={texts.username} autoComplete="off" required {...form.field('username')} />
      <TextField
        label={texts.month}
        description={texts.monthHint}
        autoComplete="off"
        required
        {...form.field('month')}
      />
      <ReasonField {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.confirm}
      </Button>
    </ContractForm>
  )
}
