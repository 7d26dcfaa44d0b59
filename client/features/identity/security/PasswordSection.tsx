import { passwordRoutes } from '../../../../contract/routes/identity/passwords.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Section } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import { useReauthentication } from '../parts/reauthentication/ReauthenticationDialog.tsx'
import { sessionsKey } from './SessionsSection.tsx'
import { passwordTexts } from './texts.ts'

const EMPTY = { currentPassword: '', password: '' }

/** Change the password; every other session ends. */
export function PasswordSection() {
  const reauthenticate = useReauthentication()
  const form = useContractForm(passwordRoutes.changePassword, {
    initial: EMPTY,
    send: (body) => reauthenticate(() => call(routes.changePassword, { body })),
    afterSaved: () => ({ saved: EMPTY, values: EMPTY }),
    onSuccess: ({ message }) => toast.success(message),
    meta: { invalidates: [sessionsKey] },
    lost: passwordTexts.lost,
  })

  return (
    <Section title={passwordTexts.title}>
      <Card>
        <ContractForm form={form}>
          <PasswordField
            label={passwordTexts.current}
            autoComplete="current-password"
            required
            {...form.field('currentPassword')}
          />
          <PasswordField
            label={passwordTexts.label}
            autoComplete="new-password"
            description={passwordTexts.hint}
            required
            {...form.field('password')}
          />
          <FormError>{form.error}</FormError>
          <div>
            <Button type="submit" variant="default" loading={form.pending}>
              {passwordTexts.submit}
            </Button>
          </div>
        </ContractForm>
      </Card>
    </Section>
  )
}
