import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey, useCurrentUser } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Section } from '../../../ui/Page.tsx'
import styles from '../identity.module.css'
import { useReauthentication } from '../reauthentication/ReauthenticationDialog.tsx'

/** Ask for another address; the account uses it once its link is opened. */
export function EmailSection() {
  const person = useCurrentUser()
  const prove = useReauthentication()
  const [email, setEmail] = useState('')
  const [missing, setMissing] = useState<string>()
  const change = useMutation({
    mutationFn: () => prove(() => call(routes.changeEmail, { body: { email } })),
    meta: { invalidates: [meKey] },
  })
  const submit = () => {
    const wrong = /^\S+@\S+\.\S+$/.test(email.trim()) ? undefined : 'Enter a valid email address.'
    setMissing(wrong)
    if (!wrong) change.mutate()
  }
  const details = change.error instanceof ApiError ? change.error.details : {}

  return (
    <Section title="Email">
      <Card>
        <Form onSubmit={submit}>
          <p className={styles.quiet}>
            Your account uses <span className={styles.address}>{person.email}</span>.
          </p>
          {person.pendingEmail && (
            <p role="status">
              We sent a link to <span className={styles.address}>{person.pendingEmail}</span>. Open it to use
              this email from then on.
            </p>
          )}
          <TextField
            label="New email"
            type="email"
            autoComplete="email"
            description="We’ll send a link there to confirm it, and a notice to your current email."
            required
            value={email}
            onChange={setEmail}
            error={missing ?? details.email}
          />
          <FormError>{change.error && !details.email ? errorMessage(change.error) : null}</FormError>
          <div>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change email
            </Button>
          </div>
        </Form>
      </Card>
    </Section>
  )
}
