import { Button } from '@mantine/core'
import { useState } from 'react'
import { ApiError, sentenceOf } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { savedRedirect } from '../../lib/redirect.ts'
import { PasswordField, TextField } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { useLogin } from './api.ts'
import styles from './identity.module.css'

/** Log in with e-mail and password (core §2.3, §8). */
export function Component() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({})
  const login = useLogin()

  const submit = () => {
    const empty = {
      ...(email.trim() === '' ? { email: 'Enter your email.' } : {}),
      ...(password === '' ? { password: 'Enter your password.' } : {}),
    }
    setMissing(empty)
    if (Object.keys(empty).length === 0) login.mutate({ email, password })
  }

  return (
    <Page
      title="Log in"
      lead={savedRedirect() ? 'Log in to go on to the page you asked for.' : 'Good to see you again.'}
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
  return wrong ? 'There was a problem logging in.' : sentenceOf(error)
}
