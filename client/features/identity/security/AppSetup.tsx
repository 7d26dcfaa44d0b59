import { twoFactorRoutes } from '../../../../contract/routes/identity/two-factor.ts'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { secondFactorChanges } from '../api.ts'
import { QrCode } from './QrCode.tsx'
import styles from './security.module.css'
import { appSetupTexts } from './texts.ts'

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
    meta: secondFactorChanges,
    lost: null,
  })
  return (
    <Dialog opened onClose={onClose} title={appSetupTexts.title} closable={!form.pending}>
      <div className={styles.stack}>
        <p>{appSetupTexts.scan}</p>
        <QrCode text={setup.uri} label={appSetupTexts.qr} />
        <p className={styles.secret}>{setup.secret.match(/.{1,4}/g)?.join(' ')}</p>
        <CopyField label={appSetupTexts.key} value={setup.secret} />
        <ContractForm form={form}>
          <TextField
            label={appSetupTexts.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            {...form.field('code')}
          />
          <FormError>{form.error}</FormError>
          <Button type="submit" size="lg" fullWidth loading={form.pending}>
            {appSetupTexts.submit}
          </Button>
        </ContractForm>
      </div>
    </Dialog>
  )
}
