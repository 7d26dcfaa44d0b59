import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import type { AuthenticationMethod, Challenge } from '../../../../../contract/passkeys.ts'
import { reauthenticationRoutes } from '../../../../../contract/routes/identity/reauthentication.ts'
import { Button } from '../../../../ui/core/Button.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { PasswordField, TextField } from '../../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../../ui/forms/ContractForm.tsx'
import styles from '../../identity.module.css'
import { passkeysSupported, signWithPasskey } from './passkeys.ts'
import { reauthenticationTexts } from './texts.ts'

type Method = z.output<typeof AuthenticationMethod>
/** One of what a challenge takes, as the call wants it. */
export type AuthenticationFactor =
  | { code: string }
  | { recoveryCode: string }
  | { password: string }
  | { passkey: Awaited<ReturnType<typeof signWithPasskey>> }

const OTHER_WAYS: Record<Method, string> = {
  totp: reauthenticationTexts.otherTotp,
  passkey: reauthenticationTexts.otherPasskey,
  recovery: reauthenticationTexts.otherRecovery,
  password: reauthenticationTexts.otherPassword,
}

type ReauthenticationFormProps = {
  challenge: z.output<typeof Challenge>
  submitLabel: string
  /** Sends the factor; what it throws is shown, and what was typed stays. */
  onFactor: (factor: AuthenticationFactor) => Promise<unknown>
}

/** Lets a person answer a challenge in whichever of its ways they choose. */
export function ReauthenticationForm({ challenge, submitLabel, onFactor }: ReauthenticationFormProps) {
  const methods = challenge.methods.filter((one) => one !== 'passkey' || passkeysSupported())
  const [method, setMethod] = useState<Method>(methods[0] ?? 'password')
  const form = useContractForm(reauthenticationRoutes.reauthenticate, {
    initial: { code: '', recoveryCode: '', password: '' },
    body: ({ code, recoveryCode, password }) =>
      method === 'totp'
        ? { code }
        : method === 'recovery'
          ? { recoveryCode }
          : method === 'password'
            ? { password }
            : {},
    send: async ({ code, recoveryCode, password }) => {
      if (code !== undefined) return onFactor({ code })
      if (recoveryCode !== undefined) return onFactor({ recoveryCode })
      if (password !== undefined) return onFactor({ password })
      if (!challenge.passkey) throw new Error('a challenge by passkey has something to sign')
      return onFactor({ passkey: await signWithPasskey(challenge.passkey) })
    },
    lost: null,
  })
  const choose = (next: Method) => {
    setMethod(next)
    form.reset()
  }

  return (
    <div className={styles.reauthentication}>
      <ContractForm form={form}>
        {method === 'totp' && (
          <TextField
            label={reauthenticationTexts.code}
            description={reauthenticationTexts.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            {...form.field('code')}
          />
        )}
        {method === 'recovery' && (
          <TextField
            label={reauthenticationTexts.recoveryCode}
            description={reauthenticationTexts.recoveryCodeHint}
            autoComplete="off"
            required
            {...form.field('recoveryCode')}
          />
        )}
        {method === 'password' && (
          <PasswordField
            label={reauthenticationTexts.password}
            autoComplete="current-password"
            required
            {...form.field('password')}
          />
        )}
        {method === 'passkey' && <p className={styles.quiet}>{reauthenticationTexts.passkeyHint}</p>}
        <FormError>{form.error}</FormError>
        <Button
          type="submit"
          size="lg"
          fullWidth
          loading={form.pending}
          leftSection={method === 'passkey' ? <IconFingerprint size={20} aria-hidden /> : undefined}
        >
          {method === 'passkey' ? reauthenticationTexts.usePasskey : submitLabel}
        </Button>
      </ContractForm>
      {methods.length > 1 && (
        <div className={styles.ways}>
          {methods
            .filter((one) => one !== method)
            .map((one) => (
              <Button key={one} variant="subtle" onClick={() => choose(one)}>
                {OTHER_WAYS[one]}
              </Button>
            ))}
        </div>
      )}
    </div>
  )
}
