import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { afterLogin } from '../../lib/redirect.ts'
import { PasswordField, TextField } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { useFinishLogin, useLogin, usePasskeyLogin } from './api.ts'
import styles from './identity.module.css'
import { passkeysSupported } from './reauthentication/passkeys.ts'
import { ReauthenticationForm } from './reauthentication/ReauthenticationForm.tsx'

/** Log in with e-mail and password (docs/product.md, Pages and Texts). */
export function Component() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({})
  const login = useLogin()
  const finish = useFinishLogin()
  const passkey = usePasskeyLogin()

  const submit = () => {
    const empty = {
      ...(email.trim() === '' ? { email: 'Enter your email.' } : {}),
      ...(password === '' ? { password: 'Enter your password.' } : {}),
    }
    setMissing(empty)
    if (Object.keys(empty).length === 0) login.mutate({ email, password })
  }

  const challenge = login.data?.secondFactor
  if (challenge) {
    return (
      <Page title="Confirm that it’s you" lead={`Logging in as ${email.trim()}.`} width="form">
        <ReauthenticationForm
          challenge={challenge}
          submitLabel="Sign in"
          onFactor={(factor) => finish(challenge.challengeId, factor)}
        />
        <div className={styles.after}>
          <p>
            Took too long, or the wrong account?{' '}
            <button type="button" className={styles.inline} onClick={() => login.reset()}>
              Start again
            </button>
          </p>
        </div>
      </Page>
    )
  }

  return (
    <Page
      title="Log in"
      lead={afterLogin.saved() ? 'Log in to go on to the page you asked for.' : 'Good to see you again.'}
      width="form"
    >
      <Form onSubmit={submit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={setEmail}
          error={missing.email}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
          error={missing.password}
        />
        <FormError>{login.error ? loginSentence(login.error) : null}</FormError>
        <Button type="submit" size="lg" loading={login.isPending} fullWidth>
          Sign in
        </Button>
      </Form>
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
            Sign in with a passkey
          </Button>
          <FormError>{passkey.error ? errorMessage(passkey.error) : null}</FormError>
        </div>
      )}
      <div className={styles.after}>
        <p>
          New here? <TextLink to={paths.signup}>Sign up</TextLink>
        </p>
        <p>
          Forgot your password? <TextLink to={paths.reset}>Reset Password.</TextLink>
        </p>
      </div>
    </Page>
  )
}

/** A wrong password says the catalogue's sentence; whatever else stops a log-in says its own. */
function loginSentence(error: unknown): string {
  const wrong = error instanceof ApiError && (error.status === 400 || error.status === 401)
  return wrong ? 'There was a problem logging in.' : errorMessage(error)
}
