import { useEffect, useRef } from 'react'
import { accountRoutes } from '../../../contract/routes/identity/account.ts'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'
import { meKey } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../ui/forms/ContractForm.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from './parts/reauthentication/ReauthenticationDialog.tsx'
import { unverifiedTexts as texts } from './texts.ts'

/** Asks for the link at another address, for who mistyped theirs when signing up. */
export function AnotherAddress({ onSent }: { onSent: () => void }) {
  const whole = useRef<HTMLDivElement>(null)
  // The button that opened it is gone.
  useEffect(() => whole.current?.querySelector('input')?.focus(), [])
  return (
    <ReauthenticationProvider>
      <div ref={whole}>
        <AddressForm onSent={onSent} />
      </div>
    </ReauthenticationProvider>
  )
}

function AddressForm({ onSent }: { onSent: () => void }) {
  const reauthenticate = useReauthentication()
  const form = useContractForm(accountRoutes.changeEmail, {
    initial: { email: '' },
    send: (body) => reauthenticate(() => call(routes.changeEmail, { body })),
    meta: { invalidates: [meKey] },
    onSuccess: onSent,
    lost: texts.lost,
  })
  return (
    <ContractForm form={form} label={texts.another}>
      <TextField label={texts.email} type="email" autoComplete="email" required {...form.field('email')} />
      <FormError>{form.error}</FormError>
      <div>
        <Button type="submit" variant="default" loading={form.pending}>
          {texts.sendThere}
        </Button>
      </div>
    </ContractForm>
  )
}
