import { z } from 'zod'
import { Challenge, OneTimeCode, PasskeyAssertion, RecoveryCode } from '../../passkeys.ts'
import { route } from '../../route.ts'
import { Id, Success } from '../../schemas.ts'
import { TypedPassword } from './account.ts'

/** Part of every call with which an operator without a second factor gets one. */
export const ownFactor = { access: 'user', restricted: 'allowed', withoutSecondFactor: 'allowed' } as const

/** People who may delete their account or correct its address must be able to prove who they are first. */
const anySession = { ...ownFactor, access: 'session' } as const

export const reauthenticationRoutes = {
  startReauthentication: route({
    method: 'POST',
    path: '/auth/reauthenticate/start',
    summary: 'How the caller can re-authenticate.',
    ...anySession,
    output: Challenge,
  }),
  checkReauthentication: route({
    method: 'GET',
    path: '/auth/reauthenticate',
    summary:
      'Whether the caller’s sensitive changes are allowed, now and for another minute; refused where they aren’t.',
    ...anySession,
    output: Success,
  }),
  reauthenticate: route({
    method: 'POST',
    path: '/auth/reauthenticate',
    summary: 'Re-authenticates the caller; allows sensitive changes for 10 minutes.',
    ...anySession,
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({
      challengeId: Id,
      password: TypedPassword.optional(),
      code: OneTimeCode.optional(),
      recoveryCode: RecoveryCode.optional(),
      passkey: PasskeyAssertion.optional(),
    }),
    output: Success,
  }),
}
