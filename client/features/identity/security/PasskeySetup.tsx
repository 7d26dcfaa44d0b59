import { twoFactorRoutes } from '../../../../contract/routes/identity/two-factor.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { secondFactorChanges } from '../api.ts'
import { makePasskey } from '../parts/reauthentication/passkeys.ts'
import styles from './security.module.css'
import { passkeySetupTexts } from './texts.ts'

type PasskeySetupProps = {
  onClose: () => void
  onDone: (recoveryCodes: string[] | null) => void
}

/** Name a passkey, then let the device make it. The person has just re-authenticated. */
export function PasskeySetup({ onClose, onDone }: PasskeySetupProps) {
  const form = useContractForm(twoFactorRoutes.addPasskey, {
    initial: { name: '' },
    send: async ({ name }) => {
      const { challengeId, options } = await call(routes.startPasskey)
      const passkey = await makePasskey(options)
      return call(routes.addPasskey, { body: { challengeId, name, passkey } })
    },
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    meta: secondFactorChanges,
    lost: null,
  })
  return (
    <Dialog opened onClose={onClose} title={passkeySetupTexts.title} closable={!form.pending}>
      <div className={styles.stack}>
        <p>{passkeySetupTexts.about}</p>
        <ContractForm form={form}>
          <TextField
            label={passkeySetupTexts.name}
            description={passkeySetupTexts.nameHint}
            required
            {...form.field('name')}
          />
          <FormError>{form.error}</FormError>
          <Button type="submit" size="lg" fullWidth loading={form.pending}>
            {passkeySetupTexts.submit}
          </Button>
        </ContractForm>
      </div>
    </Dialog>
  )
}
