import { useEffect, useState } from 'react'
import { addressOf } from '../../../../contract/address.ts'
import { loginRoutes } from '../../../../contract/routes/identity/login.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { useSession } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { tellUndone } from '../api.ts'
import styles from '../identity.module.css'
import {
  type AuthenticationFactor,
  ReauthenticationForm,
} from '../parts/reauthentication/ReauthenticationForm.tsx'
import { sessionEndedTexts } from './texts.ts'

/** Asks for the login over a page whose session ended elsewhere, so that nothing that was typed there is lost. */
export default function SessionEnded({ onLogOut }: { onLogOut: () => void }) {
  const { token, currentUser, ended, resume } = useSession()
  const [endedToken] = useState(token)
  const email = currentUser?.email ?? ''
  const login = useContractForm(loginRoutes.login, {
    initial: { password: '' },
    body: ({ password }) => ({ email, password }),
    afterSaved: () => ({ saved: { password: '' }, values: { password: '' } }),
    onSuccess: ({ token: next, deletionUndone }) => next && goOn(next, deletionUndone),
    lost: null,
  })
  const goOn = (next: string, deletionUndone: boolean) => {
    if (endedToken === null || !resume(endedToken, next)) endUnused(next)
    tellUndone({ deletionUndone })
  }
  const challenge = login.answer?.secondFactor
  /** Why the password is asked for once more. */
  const [expired, setExpired] = useState<ApiError | null>(null)
  const [finishing, setFinishing] = useState(false)
  const { element } = login
  useEffect(() => {
    // The field that had the focus is gone.
    if (expired) element.current?.querySelector<HTMLElement>('[name="password"]')?.focus()
  }, [expired, element])
  const submit = () => {
    setExpired(null)
    login.submit()
  }
  const finish = async (factor: AuthenticationFactor) => {
    if (!challenge || 'password' in factor) return
    setFinishing(true)
    try {
      const answer = await call(routes.finishLogin, {
        body: { challengeId: challenge.challengeId, ...factor },
      })
      goOn(answer.token, answer.deletionUndone)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'challenge_expired')) throw error
      setExpired(error)
    } finally {
      setFinishing(false)
    }
    login.reset()
  }
  return (
    <Dialog opened={ended} onClose={onLogOut} title={sessionEndedTexts.title} closable={false}>
      <div className={styles.reauthentication}>
        <p className={styles.quiet}>{sessionEndedTexts.about(email)}</p>
        {challenge ? (
          <ReauthenticationForm
            challenge={challenge}
            submitLabel={sessionEndedTexts.logIn}
            onFactor={finish}
          />
        ) : (
          <ContractForm form={{ element, submit }}>
            <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
            <PasswordField
              label={sessionEndedTexts.password}
              autoComplete="current-password"
              {...login.field('password')}
            />
            <FormError>{login.error ?? (expired && errorMessage(expired))}</FormError>
            <Button type="submit" size="lg" fullWidth loading={login.pending}>
              {sessionEndedTexts.logIn}
            </Button>
          </ContractForm>
        )}
        <Button variant="subtle" disabled={login.pending || finishing} onClick={onLogOut}>
          {sessionEndedTexts.logOut}
        </Button>
      </div>
    </Dialog>
  )
}

/** Ends a session that nobody waits for anymore, and takes its cookie from this browser. */
function endUnused(token: string): void {
  const headers = { authorization: `Bearer ${token}` }
  fetch(addressOf(routes.logout.path, {}), { headers, keepalive: true }).catch(() => undefined)
}
