import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'
import { meKey, useSession } from '../../lib/session.tsx'
import { toast } from '../../ui/toast.ts'
import { loginTexts } from './login/texts.ts'
import type { AuthenticationFactor } from './parts/reauthentication/ReauthenticationForm.tsx'
import { forgetForm } from './signup/kept-form.ts'

type LoggedIn = { token: string; deletionUndone: boolean }

/** Says on the page that a login leads to what the login took back. */
export function tellUndone({ deletionUndone }: Pick<LoggedIn, 'deletionUndone'>): void {
  if (deletionUndone) toast.note(loginTexts.deletionUndone)
}

/** Begins the session that a login has brought. */
export function useBeginSession() {
  const { login } = useSession()
  return (answer: LoggedIn) => {
    forgetForm()
    login(answer.token)
    tellUndone(answer)
  }
}

/** Ends a login by what it waits for. */
export function useFinishLogin() {
  const begin = useBeginSession()
  return async (challengeId: string, factor: AuthenticationFactor) => {
    if ('password' in factor) throw new Error('a login does not wait for a password')
    begin(await call(routes.finishLogin, { body: { challengeId, ...factor } }))
  }
}

/** Logs in by a passkey alone. */
export function usePasskeyLogin() {
  const finish = useFinishLogin()
  return useMutation({
    mutationFn: async () => {
      const { challengeId, passkey } = await call(routes.startPasskeyLogin)
      if (!passkey) throw new Error('a challenge by passkey has something to sign')
      // Pages that log nobody in do without it.
      const { signWithPasskey } = await import('./parts/reauthentication/passkeys.ts')
      await finish(challengeId, { passkey: await signWithPasskey(passkey) })
    },
  })
}

/** The owner of a referral code. */
export const referrerQuery = (code: string | null) =>
  queryOptions({
    queryKey: [...roots.identity, 'referrer', code],
    queryFn: ({ signal }) => call(routes.referrer, { params: { code: code ?? '' } }, { signal }),
    enabled: code !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Whether nobody has this username; not asked for null. */
export const usernameFreeQuery = (username: string | null) =>
  queryOptions({
    queryKey: [...roots.identity, 'username-free', username?.toLowerCase()],
    queryFn: ({ signal }) => call(routes.usernameFree, { query: { username: username ?? '' } }, { signal }),
    enabled: username !== null,
  })

/** The person's authenticator app, passkeys and recovery codes. */
export const secondFactorQuery = queryOptions({
  queryKey: [...roots.identity, 'second-factor'],
  queryFn: ({ signal }) => call(routes.secondFactor, {}, { signal }),
})
export const secondFactorChanges = { invalidates: [secondFactorQuery.queryKey, meKey] }

/** Confirms an address by the link of the mail. */
export function useConfirmEmail() {
  return useMutation({
    mutationFn: (body: { email: string; token: string }) => call(routes.confirmEmail, { body }),
    meta: { invalidates: [meKey] },
  })
}
