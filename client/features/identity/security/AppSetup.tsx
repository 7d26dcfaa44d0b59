import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { QrCode } from './QrCode.tsx'
import styles from './security.module.css'

type AppSetupProps = {
  setup: { secret: string; uri: string }
  onClose: () => void
  onDone: (recoveryCodes: string[] | null) => void
}

/** Scan, then type the code that the app shows: only that switches it on. */
export function AppSetup({ setup, onClose, onDone }: AppSetupProps) {
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState<string>()
  const confirm = useMutation({
    mutationFn: () => call(routes.confirmTotp, { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const submit = () => {
    const empty = code.trim() === '' ? 'Enter the 6 digits of your app.' : undefined
    setMissing(empty)
    if (!empty) confirm.mutate()
  }
  const details = confirm.error instanceof ApiError ? confirm.error.details : {}
  return (
    <Dialog opened onClose={onClose} title="Set up an authenticator app" closable={!confirm.isPending}>
      <div className={styles.stack}>
        <p>Scan this with your app, or type the key into it.</p>
        <QrCode text={setup.uri} label="QR code for your authenticator app" />
        <p className={styles.secret}>{setup.secret.match(/.{1,4}/g)?.join(' ')}</p>
        <CopyField label="Key for your authenticator app" value={setup.secret} />
        <Form onSubmit={submit}>
          <TextField
            label="Code that the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={setCode}
            error={missing ?? details.code}
          />
          <FormError>{confirm.error && !details.code ? errorMessage(confirm.error) : null}</FormError>
          <Button type="submit" size="lg" fullWidth loading={confirm.isPending}>
            Switch it on
          </Button>
        </Form>
      </div>
    </Dialog>
  )
}
