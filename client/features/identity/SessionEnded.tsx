import { loginRoutes } from '../../../contract/routes/identity/login.ts'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'
import { useSession } from '../../lib/session.tsx'
import { writeToken } from '../../lib/token.ts'
import { Button } from '../../ui/core/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasswordField } from '../../ui/Field.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../ui/forms/ContractForm.tsx'
import styles from './identity.module.css'
import { type AuthenticationFactor, ReauthenticationForm } from './reauthentication/ReauthenticationForm.tsx'

/** Asks for the log-in over a page whose session ended elsewhere, so that nothing that was typed there is lost. */
export default function SessionEnded() {
  const { currentUser, ended, resume } = useSession()
  const email = currentUser?.email ?? ''
  const login = useContractForm(loginRoutes.login, {
    initial: { password: '' },
    body: ({ password }) => ({ email, password }),
    afterSaved: () => ({ saved: { password: '' }, values: { password: '' } }),
    onSuccess: ({ token }) => token && resume(token),
    lost: null,
  })
  const challenge = login.answer?.secondFactor
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
          <ContractForm form={login}>
            <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
            <PasswordField label="Password" autoComplete="current-password" {...login.field('password')} />
            <FormError>{login.error}</FormError>
            <Button type="submit" size="lg" fullWidth loading={login.pending}>
              Log in
            </Button>
          </ContractForm>
        )}
        <Button variant="subtle" onClick={() => writeToken(null)}>
          Log out
        </Button>
      </div>
    </Dialog>
  )
}
