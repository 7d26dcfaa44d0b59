import { IconFingerprint } from '@tabler/icons-react'
import { loginRoutes } from '../../../../contract/routes/identity/login.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { afterLogin } from '../../../lib/redirect.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField, TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { WishCard } from '../../../ui/WishCard.tsx'
import { useBeginSession, useFinishLogin, usePasskeyLogin } from '../api.ts'
import styles from '../identity.module.css'
import { passkeysSupported } from '../parts/reauthentication/passkeys.ts'
import { ReauthenticationForm } from '../parts/reauthentication/ReauthenticationForm.tsx'
import { rememberTyped, useTypedEmail } from '../typed-email.ts'
import { loginTexts } from './texts.ts'

/** Log in with email and password (docs/product.md, Pages and Texts). */
export function Component() {
  const begin = useBeginSession()
  const finish = useFinishLogin()
  const passkey = usePasskeyLogin()
  const form = useContractForm(loginRoutes.login, {
    initial: { email: useTypedEmail(), password: '' },
    // Without a token a second factor is waited for; with one the guard of the page leads on.
    onSuccess: ({ token, deletionUndone }) => token !== null && begin({ token, deletionUndone }),
    lost: null,
  })

  const challenge = form.answer?.secondFactor
  if (challenge) {
    return (
      <Page
        title={loginTexts.factorTitle}
        lead={loginTexts.factorLead(form.values.email.trim())}
        width="form"
      >
        <ReauthenticationForm
          challenge={challenge}
          submitLabel={loginTexts.submit}
          onFactor={(factor) => finish(challenge.challengeId, factor)}
        />
        <div className={styles.after}>
          <p>
            {loginTexts.lostHint} <TextLink to={paths.contact}>{loginTexts.contact}</TextLink>
          </p>
          <p>
            {loginTexts.startOverHint}{' '}
            <button type="button" className={styles.inline} onClick={() => form.reset(form.values)}>
              {loginTexts.startOver}
            </button>
          </p>
        </div>
      </Page>
    )
  }

  return (
    <Page
      title={loginTexts.title}
      lead={afterLogin.saved() ? loginTexts.leadToPage : loginTexts.lead}
      width="form"
    >
      <WishCard />
      <ContractForm form={form}>
        <TextField
          label={loginTexts.email}
          type="email"
          autoComplete="username"
          required
          {...rememberTyped(form.field('email'))}
        />
        <PasswordField
          label={loginTexts.password}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
        <FormError>{form.error}</FormError>
        <Button type="submit" size="lg" loading={form.pending} fullWidth>
          {loginTexts.submit}
        </Button>
      </ContractForm>
      {passkeysSupported() && (
        <div className={styles.after}>
          <Button
            variant="default"
            size="lg"
            fullWidth
            loading={passkey.isPending}
            onClick={() => passkey.mutate()}
            leftSection={<IconFingerprint size={20} aria-hidden />}
          >
            {loginTexts.withPasskey}
          </Button>
          <FormError>{passkey.error ? errorMessage(passkey.error) : null}</FormError>
        </div>
      )}
      <div className={styles.after}>
        <p>
          {loginTexts.new} <TextLink to={paths.signup}>{loginTexts.signUp}</TextLink>
        </p>
        <p>
          {loginTexts.forgot} <TextLink to={paths.reset}>{loginTexts.reset}</TextLink>
        </p>
      </div>
    </Page>
  )
}
