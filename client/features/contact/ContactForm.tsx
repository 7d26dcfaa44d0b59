import { IconMailCheck } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { contactRoutes } from '../../../contract/routes/compliance/contact.ts'
import { safePath } from '../../lib/redirect.ts'
import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../ui/forms/ContractForm.tsx'
import type { FieldErrors } from '../../ui/forms/form-errors.ts'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import styles from './ContactPage.module.css'
import { contactTexts } from './texts.ts'

/** Brings the case number into sight: on a phone it stands far above the button that was pressed. */
const focus = (element: HTMLElement | null) => element?.focus()

/**
 * The form that mails the operator, filled in with the page that is reported; typed text stays when sending fails.
 */
export function ContactForm() {
  const { currentUser } = useSession()
  const [parameters] = useSearchParams()
  const appealed = safePath(parameters.get('appeal'))
  const about = appealed ?? safePath(parameters.get('about'))
  const started = appealed ? contactTexts.appeal : contactTexts.about
  const message = about ? started(location.origin + about) : ''
  const form = useContractForm(contactRoutes.contact, {
    initial: { name: '', email: currentUser?.email ?? '', message, website: '' },
    // An address alone says nothing of what is wrong there.
    check: ({ message: text }): FieldErrors =>
      about && text.trim() === message.trim()
        ? { message: appealed ? contactTexts.sayWhy : contactTexts.sayWhat }
        : {},
    lost: contactTexts.lost,
  })

  if (form.answer) {
    return (
      <div role="status" tabIndex={-1} ref={focus}>
        <EmptyState Icon={IconMailCheck} title={contactTexts.sent}>
          {contactTexts.sentHint(form.answer.caseNumber, form.values.email)}
        </EmptyState>
      </div>
    )
  }
  return (
    <ContractForm form={form}>
      <TextField label={contactTexts.name} autoComplete="name" {...form.field('name')} />
      <TextField
        label={contactTexts.email}
        type="email"
        autoComplete="email"
        required
        {...form.field('email')}
      />
      <TextAreaField
        label={contactTexts.message}
        description={contactTexts.messageHint}
        required
        minRows={6}
        maxRows={16}
        {...form.field('message')}
      />
      <div className={styles.honeypot} aria-hidden="true">
        <label>
          {contactTexts.honeypot}
          <input
            name="website"
            tabIndex={-1}
            autoComplete="off"
            value={form.values.website}
            onChange={(event) => form.set('website', event.currentTarget.value)}
          />
        </label>
      </div>
      <FormError>{form.error}</FormError>
      <Button type="submit" size="lg" loading={form.pending}>
        {contactTexts.send}
      </Button>
    </ContractForm>
  )
}
