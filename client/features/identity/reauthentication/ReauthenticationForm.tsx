import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { AuthenticationMethod, Challenge } from '../../../../contract/passkeys.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { PasswordField, TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import styles from '../identity.module.css'
import { passkeysSupported, signWithPasskey } from './passkeys.ts'

type Method = z.output<typeof AuthenticationMethod>
/** One of what a challenge takes, as the call wants it. */
export type AuthenticationFactor =
  | { code: string }
  | { recoveryCode: string }
  | { password: string }
  | { passkey: Awaited<ReturnType<typeof signWithPasskey>> }

const OTHER_WAYS: Record<Method, string> = {
  totp: 'Use your authenticator app',
  passkey: 'Use a passkey',
  recovery: 'Use a recovery code',
  password: 'Use your password',
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
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState<string>()
  const proving = useMutation({
    mutationFn: async (make: () => Promise<AuthenticationFactor>) => onFactor(await make()),
  })

  const submit = () => {
    if (method !== 'passkey' && typed.trim() === '') return setMissing(EMPTY[method])
    setMissing(undefined)
    proving.mutate(async () => {
      if (method === 'totp') return { code: typed }
      if (method === 'recovery') return { recoveryCode: typed }
      if (method === 'password') return { password: typed }
      if (!challenge.passkey) throw new Error('a challenge by passkey carries what to sign')
      return { passkey: await signWithPasskey(challenge.passkey) }
    })
  }
  const choose = (next: Method) => {
    setMethod(next)
    setTyped('')
    setMissing(undefined)
    proving.reset()
  }
  const details = proving.error instanceof ApiError ? Object.values(proving.error.details) : []
  const field = { value: typed, onChange: setTyped, error: missing ?? details[0], required: true }
  const sentence = proving.error && details.length === 0 ? errorMessage(proving.error) : null

  return (
    <div className={styles.reauthentication}>
      <Form onSubmit={submit}>
        {method === 'totp' && (
          <TextField
            {...field}
            label="Code of your authenticator app"
            description="The 6 digits that it shows now."
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
        {method === 'recovery' && (
          <TextField
            {...field}
            label="Recovery code"
            description="One of those that you kept. Each works once."
            autoComplete="off"
          />
        )}
        {method === 'password' && (
          <PasswordField {...field} label="Your password" autoComplete="current-password" />
        )}
        {method === 'passkey' && (
          <p className={styles.quiet}>Your device asks for your fingerprint, face, PIN or key.</p>
        )}
        <FormError>{sentence}</FormError>
        <Button
          type="submit"
          size="lg"
          fullWidth
          loading={proving.isPending}
          leftSection={method === 'passkey' ? <IconFingerprint size={20} aria-hidden /> : undefined}
        >
          {method === 'passkey' ? 'Use passkey' : submitLabel}
        </Button>
      </Form>
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

const EMPTY: Record<Exclude<Method, 'passkey'>, string> = {
  totp: 'Enter the 6 digits of your app.',
  recovery: 'Enter one of your recovery codes.',
  password: 'Enter your password.',
}
