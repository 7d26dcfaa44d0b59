import { z } from 'zod'
import { Challenge, OneTimeCode, PasskeyAssertion, RecoveryCode } from '../../passkeys.ts'
import { route } from '../../route.ts'
import { Id } from '../../schemas.ts'
import { TypedPassword } from './account.ts'

/** Whether the login took a requested deletion of the account back. */
const deletionUndone = z.boolean()

export const loginRoutes = {
  login: route({
    method: 'POST',
    path: '/auth/login',
    summary: 'Logs in with email and password, or says which second factor is needed.',
    access: 'public',
    restricted: 'allowed',
    // Hashing takes long, so no transaction is open meanwhile.
    transaction: 'manual',
    rateLimit: { points: 5, seconds: 600, by: 'email', pointsPerAddress: 100, counts: 'failures' },
    body: z.object({
      email: z.string().trim().toLowerCase().min(1, 'Enter your email.').max(254),
      password: TypedPassword,
    }),
    output: z.object({ token: z.string().nullable(), secondFactor: Challenge.nullable(), deletionUndone }),
  }),
  finishLogin: route({
    method: 'POST',
    path: '/auth/secondfactor',
    summary: 'Completes a login with the second factor.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({
      challengeId: Id,
      code: OneTimeCode.optional(),
      recoveryCode: RecoveryCode.optional(),
      passkey: PasskeyAssertion.optional(),
    }),
    output: z.object({ token: z.string(), deletionUndone }),
  }),
  startPasskeyLogin: route({
    method: 'POST',
    path: '/auth/passkey/start',
    summary: 'Starts a login with a passkey alone; `/auth/secondfactor` completes it.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 30, seconds: 600 },
    output: Challenge,
  }),
}
