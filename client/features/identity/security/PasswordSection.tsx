import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MIN_PASSWORD_LENGTH } from '../../../../contract/constants.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Card } from '../../../ui/Card.tsx'
import { PasswordField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Section } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import { useReauthentication } from '../reauthentication/ReauthenticationDialog.tsx'
import { sessionsKey } from './SessionsSection.tsx'

const EMPTY = { currentPassword: '', password: '' }

/** Change the password; every other session ends. */
export function PasswordSection() {
  const prove = useReauthentication()
  const [form, setForm] = useState(EMPTY)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const change = useMutation({
    mutationFn: () => prove(() => call(routes.changePassword, { body: form })),
    onSuccess: ({ message }) => {
      setForm(EMPTY)
      toast.success(message)
    },
    meta: { invalidates: [sessionsKey] },
    onError: (error) => setErrors(error instanceof ApiError ? error.details : {}),
  })
  const submit = () => {
    const found = {
      ...(form.currentPassword === '' ? { currentPassword: 'Enter your password.' } : {}),
      ...(form.password.length < MIN_PASSWORD_LENGTH
        ? { password: 'Password must be 8 or more characters' }
        : {}),
    }
    setErrors(found)
    if (Object.keys(found).length === 0) change.mutate()
  }
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    onChange: (value: string) => setForm((current) => ({ ...current, [name]: value })),
    error: errors[name],
    required: true,
  })

  return (
    <Section title="Password">
      <Card>
        <Form onSubmit={submit}>
          <PasswordField
            {...field('currentPassword')}
            label="Current password"
            autoComplete="current-password"
          />
          <PasswordField
            {...field('password')}
            label="New password"
            autoComplete="new-password"
            description="8 characters or more, and not a common one. You are logged out everywhere else."
          />
          <FormError>
            {change.error && Object.keys(errors).length === 0 ? errorMessage(change.error) : null}
          </FormError>
          <div>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change password
            </Button>
          </div>
        </Form>
      </Card>
    </Section>
  )
}
