import { queryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import type { accountRoutes } from '../../../contract/routes/identity/account.ts'
import { call } from '../../lib/api.ts'
import { roots } from '../../lib/query.ts'
import { forgetReferral } from '../../lib/referral.ts'
import { routes } from '../../lib/routes.ts'
import { meKey, type Person, useSession } from '../../lib/session.tsx'
import { signWithPasskey } from './reauthentication/passkeys.ts'
import type { AuthenticationFactor } from './reauthentication/ReauthenticationForm.tsx'

/** Logs in, or answers what second factor is waited for; the guard of the page then leads on. */
export function useLogin() {
  const { login } = useSession()
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => call(routes.login, { body }),
    onSuccess: ({ token }) => {
      if (token) login(token)
    },
  })
}

/** Ends a log-in by what it waits for. */
export function useFinishLogin() {
  const { login } = useSession()
  return async (challengeId: string, factor: AuthenticationFactor) => {
    if ('password' in factor) throw new Error('a log-in does not wait for a password')
    const { token } = await call(routes.finishLogin, { body: { challengeId, ...factor } })
    login(token)
  }
}

/** Logs in by a passkey alone. */
export function usePasskeyLogin() {
  const finish = useFinishLogin()
  return useMutation({
    mutationFn: async () => {
      const { challengeId, passkey } = await call(routes.startPasskeyLogin)
      if (!passkey) throw new Error('a log-in by passkey carries what to sign')
      await finish(challengeId, { passkey: await signWithPasskey(passkey) })
    },
  })
}

/** Makes an account with the referral codes of the visit, and logs it in. */
export function useSignup() {
  const { login } = useSession()
  return useMutation({
    mutationFn: (body: z.input<typeof accountRoutes.signup.body>) => call(routes.signup, { body }),
    onSuccess: ({ token }) => {
      forgetReferral()
      login(token)
    },
  })
}

/** Who a referral code belongs to. */
export const referrerQuery = (code: string | null) =>
  queryOptions({
    queryKey: [...roots.identity, 'referrer', code],
    queryFn: ({ signal }) => call(routes.referrer, { params: { code: code ?? '' } }, { signal }),
    enabled: code !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Mails a new confirmation link to the person's own address. */
export function useResendConfirmation(person: Person) {
  return useMutation({
    mutationFn: () =>
      call(routes.resendEmailConfirmation, {
        body: { email: person.pendingEmail ?? person.email, userId: person._id },
      }),
  })
}

/** Confirms an address by the link of the mail. */
export function useConfirmEmail() {
  return useMutation({
    mutationFn: (body: { email: string; token: string }) => call(routes.confirmEmail, { body }),
    meta: { invalidates: [meKey] },
  })
}
