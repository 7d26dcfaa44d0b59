import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'
import { useSession } from '../../lib/session.tsx'
import { writeToken } from '../../lib/token.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasswordField } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { FormError } from '../../ui/FormError.tsx'
import styles from './identity.module.css'
import { type AuthenticationFactor, ReauthenticationForm } from './reauthentication/ReauthenticationForm.tsx'

/** Asks for the log-in over a page whose session ended elsewhere, so that nothing that was typed there is lost. */
export default function SessionEnded() {
  const { currentUser, ended, resume } = useSession()
  const [password, setPassword] = useState('')
  const email = currentUser?.email ?? ''
  const login = useMutation({
    mutationFn: () => call(routes.login, { body: { email, password } }),
    onSuccess: ({ token }) => {
      setPassword('')
      if (token) resume(token)
    },
  })
  const challenge = login.data?.secondFactor
  const finish = async (factor: AuthenticationFactor) => {
    if (!challenge || 'password' in factor) return
    const { token } = await call(routes.finishLogin, {
      body: { challengeId: challenge.challengeId, ...factor },
    })
    resume(token)
    login.reset()
  }
  return (
    <Dialog opened={ended} onClose={() => writeToken(null)} title="Log in again">
      <div className={styles.reauthentication}>
        <p className={styles.quiet}>
          Your session ended. Log in as {email} to keep what you typed. Closing this logs you out.
        </p>
        {challenge ? (
          <ReauthenticationForm challenge={challenge} submitLabel="Log in" onFactor={finish} />
        ) : (
          <Form onSubmit={() => password !== '' && login.mutate()}>
            <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
            <PasswordField
              label="Password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
            />
            <FormError>{login.error ? errorMessage(login.error) : null}</FormError>
            <Button type="submit" size="lg" fullWidth loading={login.isPending}>
              Log in
            </Button>
          </Form>
        )}
        <Button variant="subtle" onClick={() => writeToken(null)}>
          Log out
        </Button>
      </div>
    </Dialog>
  )
}
