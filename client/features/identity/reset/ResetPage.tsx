import { IconMailFast } from '@tabler/icons-react'
import { passwordRoutes } from '../../../../contract/routes/identity/passwords.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import styles from '../identity.module.css'
import { rememberTyped, typedEmail } from '../typed-email.ts'

/** Ask for a link that lets you choose a new password (docs/product.md, Pages and Texts). */
export function Component() {
  const form = useContractForm(passwordRoutes.requestReset, {
    initial: { email: typedEmail() },
    // The catalogue's sentence, then what stopped it.
    sentence: (error) => `There was a problem logging in. ${errorMessage(error)}`,
    lost: null,
  })

  if (form.answer) {
    return (
      <Page title="Reset your password" width="form">
        <EmptyState
          Icon={IconMailFast}
          title="Look into your mailbox"
          action={<LinkButton to={paths.login}>Back to log in</LinkButton>}
        >
          <output>You should receive an email. Click the link inside to reset your password.</output> It works
          for one hour. Nothing there? Look into the spam folder, or{' '}
          <button type="button" className={styles.inline} onClick={() => form.reset()}>
            try another address
          </button>
          .
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page
      title="Reset your password"
      lead="Tell us your email, and we send a link with which you choose a new one."
      width="form"
    >
      <ContractForm form={form}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          required
          {...rememberTyped(form.field('email'))}
        />
        <FormError>{form.error}</FormError>
        <Button type="submit" size="lg" fullWidth loading={form.pending}>
          Reset
        </Button>
      </ContractForm>
      <div className={styles.after}>
        <p>
          You know it after all? <TextLink to={paths.login}>Log in</TextLink>
        </p>
      </div>
    </Page>
  )
}
