import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { makePasskey } from '../reauthentication/passkeys.ts'
import styles from './security.module.css'

type PasskeySetupProps = {
  onClose: () => void
  onDone: (recoveryCodes: string[] | null) => void
}

/** Name a passkey, then let the device make it. The person has just proven who they are. */
export function PasskeySetup({ onClose, onDone }: PasskeySetupProps) {
  const [name, setName] = useState('')
  const [missing, setMissing] = useState<string>()
  const add = useMutation({
    mutationFn: async () => {
      const { challengeId, options } = await call(routes.startPasskey)
      const passkey = await makePasskey(options)
      return call(routes.addPasskey, { body: { challengeId, name, passkey } })
    },
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const submit = () => {
    const empty = name.trim() === '' ? 'Give the passkey a name.' : undefined
    setMissing(empty)
    if (!empty) add.mutate()
  }
  const details = add.error instanceof ApiError ? add.error.details : {}
  return (
    <Dialog opened onClose={onClose} title="Add a passkey" closable={!add.isPending}>
      <div className={styles.stack}>
        <p>Your device keeps it and asks for your fingerprint, face, PIN or key when you log in.</p>
        <Form onSubmit={submit}>
          <TextField
            label="Name"
            description="By which you know it again, like “My phone”."
            required
            value={name}
            onChange={setName}
            error={missing ?? details.name}
          />
          <FormError>{add.error && !details.name ? errorMessage(add.error) : null}</FormError>
          <Button type="submit" size="lg" fullWidth loading={add.isPending}>
            Make the passkey
          </Button>
        </Form>
      </div>
    </Dialog>
  )
}
