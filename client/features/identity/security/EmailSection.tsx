import { useMutation } from '@tanstack/react-query'
import { accountRoutes } from '../../../../contract/routes/identity/account.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey, useCurrentUser } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Section } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from '../identity.module.css'
import { useReauthentication } from '../parts/reauthentication/ReauthenticationDialog.tsx'
import { emailTexts } from './texts.ts'

/** Ask for another address; the account uses it once its link is opened. */
export function EmailSection() {
  const person = useCurrentUser()
  const reauthenticate = useReauthentication()
  const form = useContractForm(accountRoutes.changeEmail, {
    initial: { email: '' },
    // While another one waits, the present address takes that back.
    check: ({ email }) =>
      !person.pendingEmail && email.trim().toLowerCase() === person.email ? { email: emailTexts.same } : {},
    send: (body) => reauthenticate(() => call(routes.changeEmail, { body })),
    meta: { invalidates: [meKey] },
    lost: emailTexts.lost,
  })

  return (
    <Section title={emailTexts.title}>
      <Card>
        <ContractForm form={form}>
          <p className={styles.quiet}>
            {emailTexts.current} <span className={styles.address}>{person.email}</span>.
          </p>
          {person.pendingEmail && <PendingEmail address={person.pendingEmail} />}
          <TextField
            label={emailTexts.label}
            type="email"
            autoComplete="email"
            description={emailTexts.hint}
            required
            {...form.field('email')}
          />
          <FormError>{form.error}</FormError>
          <div>
            <Button type="submit" variant="default" loading={form.pending}>
              {emailTexts.submit}
            </Button>
          </div>
        </ContractForm>
      </Card>
    </Section>
  )
}

/** The address whose link isn't opened yet, and the way to keep the present one. */
function PendingEmail({ address }: { address: string }) {
  const cancel = useMutation({
    mutationFn: () => call(routes.cancelEmailChange),
    onSuccess: () => toast.success(emailTexts.canceled),
    onError: (error) => toast.failure(errorMessage(error)),
    meta: { invalidates: [meKey], onFailure: [meKey] },
  })
  return (
    <>
      <p role="status">
        {emailTexts.sent} <span className={styles.address}>{address}</span>. {emailTexts.open}
      </p>
      <div>
        <Button variant="default" size="sm" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {emailTexts.cancel}
        </Button>
      </div>
    </>
  )
}
