import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { identityRoutes } from '../../../contract/routes/identity.ts'
import { call } from '../../lib/api.ts'
import { forgetReferral } from '../../lib/referral.ts'
import { routes } from '../../lib/routes.ts'
import { type Person, useSession } from '../../lib/session.tsx'

/** Logs in; the guard of the page then leads on. */
export function useLogin() {
  const { login } = useSession()
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => call(routes.login, { body }),
    onSuccess: ({ token }) => login(token),
  })
}

/** Makes an account with the referral codes of the visit, and logs it in. */
export function useSignup() {
  const { login } = useSession()
  return useMutation({
    mutationFn: (body: z.input<typeof identityRoutes.signup.body>) => call(routes.signup, { body }),
    onSuccess: ({ token }) => {
      forgetReferral()
      login(token)
    },
  })
}

/** Who a referral code belongs to. */
export const referrerQuery = (code: string | null) =>
  queryOptions({
    queryKey: ['referrer', code],
    queryFn: ({ signal }) => call(routes.referrer, { params: { code: code ?? '' } }, { signal }),
    enabled: code !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Mails a new confirmation link to the person's own address. */
export function useResendConfirmation(person: Person) {
  return useMutation({
    mutationFn: () =>
      call(routes.resendEmailConfirmation, { body: { email: person.email, userId: person._id } }),
  })
}

/** Confirms an address by the link of the mail. */
export function useConfirmEmail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { email: string; token: string }) => call(routes.confirmEmail, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['me'] }),
  })
}
