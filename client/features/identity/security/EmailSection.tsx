import { accountRoutes } from '../../../../contract/routes/identity/account.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey, useCurrentUser } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Section } from '../../../ui/Page.tsx'
import styles from '../identity.module.css'
import { useReauthentication } from '../reauthentication/ReauthenticationDialog.tsx'

/** Ask for another address; the account uses it once its link is opened. */
export function EmailSection() {
  const person = useCurrentUser()
  const prove = useReauthentication()
  const form = useContractForm(accountRoutes.changeEmail, {
    initial: { email: '' },
    send: (body) => prove(() => call(routes.changeEmail, { body })),
    meta: { invalidates: [meKey] },
    lost: 'You typed a new email that isn’t saved.',
  })

  return (
    <Section title="Email">
      <Card>
        <ContractForm form={form}>
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
            {...form.field('email')}
          />
          <FormError>{form.error}</FormError>
          <div>
            <Button type="submit" variant="default" loading={form.pending}>
              Change email
            </Button>
          </div>
        </ContractForm>
      </Card>
    </Section>
  )
}
