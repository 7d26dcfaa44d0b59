import { Button, Textarea } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { TextField } from '../../ui/Field.tsx'
import { FieldPair, Form } from '../../ui/Form.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { useContact } from './api.ts'
import styles from './ContactPage.module.css'
import { type ContactErrors, contactErrors } from './contact-form.ts'

/** The form that mails the operator; what was typed stays when sending fails. */
export function ContactForm() {
  const { currentUser } = useSession()
  const [form, setForm] = useState({ name: '', email: currentUser?.email ?? '', message: '', website: '' })
  const [errors, setErrors] = useState<ContactErrors>({})
  const contact = useContact()

  const set = (name: keyof typeof form) => (value: string) => {
    setForm((current) => ({ ...current, [name]: value }))
    setErrors(({ [name]: _, ...others }) => others)
  }
  const submit = () => {
    const found = contactErrors(form)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    contact.mutate(form, { onError: (error) => error instanceof ApiError && setErrors(error.details) })
  }

  if (contact.isSuccess) {
    return (
      <div role="status">
        <EmptyState Icon={IconMailCheck} title="Your message has been sent.">
          Thank you. We answer to {form.email}.
        </EmptyState>
      </div>
    )
  }
  return (
    <Form onSubmit={submit}>
      <FieldPair>
        <TextField
          label="Name (optional)"
          autoComplete="name"
          value={form.name}
          onChange={set('name')}
          error={errors.name}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={form.email}
          onChange={set('email')}
          error={errors.email}
        />
      </FieldPair>
      <Textarea
        label="Message"
        description="Please send no card numbers, passwords or pictures."
        required
        withAsterisk={false}
        autosize
        minRows={6}
        maxRows={16}
        value={form.message}
        onChange={(event) => set('message')(event.currentTarget.value)}
        error={errors.message ?? null}
      />
      <div className={styles.honeypot} aria-hidden="true">
        <label>
          Leave this empty
          <input
            name="website"
            tabIndex={-1}
            autoComplete="off"
            value={form.website}
            onChange={(event) => set('website')(event.currentTarget.value)}
          />
        </label>
      </div>
      <FormError>{contact.error ? errorMessage(contact.error) : null}</FormError>
      <Button type="submit" size="lg" loading={contact.isPending}>
        Send
      </Button>
    </Form>
  )
}
