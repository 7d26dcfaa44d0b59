import { twoFactorRoutes } from '../../../../contract/routes/identity/two-factor.ts'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { QrCode } from './QrCode.tsx'
import styles from './security.module.css'

type AppSetupProps = {
  setup: { secret: string; uri: string }
  onClose: () => void
  onDone: (recoveryCodes: string[] | null) => void
}

/** Scan, then type the code that the app shows: only that switches it on. */
export function AppSetup({ setup, onClose, onDone }: AppSetupProps) {
  const form = useContractForm(twoFactorRoutes.confirmTotp, {
    initial: { code: '' },
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    lost: null,
  })
  return (
    <Dialog opened onClose={onClose} title="Set up an authenticator app" closable={!form.pending}>
      <div className={styles.stack}>
        <p>Scan this with your app, or type the key into it.</p>
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <p className={styles.secret}>{setup.secret.match(/.{1,4}/g)?.join(' ')}</p>
        <CopyField label="Key for your authenticator app" value={setup.secret} />
        <ContractForm form={form}>
          <TextField
            label="Code that the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            {...form.field('code')}
          />
          <FormError>{form.error}</FormError>
          <Button type="submit" size="lg" fullWidth loading={form.pending}>
            Switch it on
          </Button>
        </ContractForm>
      </div>
    </Dialog>
  )
}
