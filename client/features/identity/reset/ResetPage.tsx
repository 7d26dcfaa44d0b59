import { IconMailFast } from '@tabler/icons-react'
import { passwordRoutes } from '../../../../contract/routes/identity/passwords.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import styles from '../identity.module.css'
import { rememberTyped, useTypedEmail } from '../typed-email.ts'
import { resetTexts } from './texts.ts'

/** Ask for a link that lets you choose a new password (docs/product.md, Pages and Texts). */
export function Component() {
  const form = useContractForm(passwordRoutes.requestReset, {
    initial: { email: useTypedEmail() },
    // The catalogue's sentence, then what stopped it.
    sentence: (error) => resetTexts.failed(errorMessage(error)),
    lost: null,
  })

  if (form.answer) {
    return (
      <Page title={resetTexts.title} width="form">
        <EmptyState
          Icon={IconMailFast}
          title={resetTexts.sentTitle}
          action={<LinkButton to={paths.login}>{resetTexts.back}</LinkButton>}
        >
          <output>{resetTexts.sent}</output> {resetTexts.sentHint}{' '}
          <button type="button" className={styles.inline} onClick={() => form.reset()}>
            {resetTexts.otherAddress}
          </button>
          .
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title={resetTexts.title} lead={resetTexts.lead} width="form">
      <ContractForm form={form}>
        <TextField
          label={resetTexts.email}
          type="email"
          autoComplete="username"
          required
          {...rememberTyped(form.field('email'))}
        />
        <FormError>{form.error}</FormError>
        <Button type="submit" size="lg" fullWidth loading={form.pending}>
          {resetTexts.submit}
        </Button>
      </ContractForm>
      <div className={styles.after}>
        <p>
          {resetTexts.remember} <TextLink to={paths.login}>{resetTexts.logIn}</TextLink>
        </p>
      </div>
    </Page>
  )
}
