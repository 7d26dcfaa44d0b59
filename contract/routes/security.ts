import { z } from 'zod'
import {
  Challenge,
  OneTimeCode,
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  RecoveryCode,
} from '../passkeys.ts'
import { route } from '../route.ts'
import { Id, line, Moment, Success } from '../schemas.ts'
import { Email, Password } from './identity.ts'

const ResetToken = z.string().min(1).max(200)
const TypedPassword = z.string().min(1).max(256)
const Message = z.object({ message: z.string() })

/** Known only once: whoever reads the page writes them down. */
const NewRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

/** Part of every call with which a superadmin without a second factor gets one. */
const ownFactor = { access: 'user', restricted: 'allowed', withoutSecondFactor: 'allowed' } as const

/** Password, sessions, second factor and e-mail address of an account (core §2.3, §7, §8; decisions §3, §10). */
export const securityRoutes = {
  requestReset: route({
    method: 'POST',
    path: '/auth/reset',
    summary: 'Mails a link for a new password when the address has an account; answers the same when not.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 10, seconds: 600 },
    body: z.object({ email: Email }),
    output: Message,
  }),
  checkResetToken: route({
    method: 'POST',
    path: '/auth/resettoken',
    summary: 'Whether the link of a reset mail still works.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({ userId: z.string().max(60), token: ResetToken }),
    output: Success,
  }),
  updatePassword: route({
    method: 'POST',
    path: '/auth/updatepassword',
    summary: 'Sets a new password by the link of a reset mail, once, and ends every session.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 20, seconds: 600 },
    body: z.object({ userId: z.string().max(60), token: ResetToken, password: Password }),
    output: Message,
  }),
  changePassword: route({
    method: 'POST',
    path: '/users/changepassword',
    summary: 'Changes the own password and ends every other session.',
    access: 'user',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 20, seconds: 600 },
    body: z.object({ currentPassword: TypedPassword, password: Password }),
    output: Message,
  }),
  changeEmail: route({
    method: 'POST',
    path: '/users/changeemail',
    summary: 'Moves the account to another address, which must be confirmed; needs a fresh proof.',
    access: 'user',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 20, seconds: 600 },
    body: z.object({ email: Email, password: TypedPassword.optional(), code: OneTimeCode.optional() }),
    output: Message,
  }),

  sessions: route({
    method: 'GET',
    path: '/users/sessions',
    summary: 'Where the own account is logged in, last seen first.',
    access: 'user',
    restricted: 'allowed',
    output: z.object({
      items: z.array(
        z.object({
          _id: Id,
          device: z.string(),
          createdAt: Moment,
          lastSeenAt: Moment,
          current: z.boolean(),
        }),
      ),
    }),
  }),
  revokeSession: route({
    method: 'POST',
    path: '/users/sessions/revoke',
    summary: 'Ends one of the own sessions.',
    access: 'user',
    restricted: 'allowed',
    body: z.object({ sessionId: Id }),
    output: Success,
  }),
  revokeOtherSessions: route({
    method: 'POST',
    path: '/users/sessions/revokeothers',
    summary: 'Ends every own session but the one that asks.',
    access: 'user',
    restricted: 'allowed',
    output: z.object({ ended: z.number().int() }),
  }),

  finishLogin: route({
    method: 'POST',
    path: '/auth/secondfactor',
    summary: 'Ends a log-in that waits for the second factor.',
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
    output: z.object({ token: z.string() }),
  }),
  startPasskeyLogin: route({
    method: 'POST',
    path: '/auth/passkey/start',
    summary: 'Begins a log-in with a passkey alone; it is ended by `/auth/secondfactor`.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 30, seconds: 600 },
    output: Challenge,
  }),
  startProof: route({
    method: 'POST',
    path: '/auth/prove/start',
    summary: 'How the logged-in person can prove again who they are.',
    ...ownFactor,
    output: Challenge,
  }),
  prove: route({
    method: 'POST',
    path: '/auth/prove',
    summary: 'Proves again who the logged-in person is; opens sensitive changes for 10 minutes.',
    ...ownFactor,
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

  secondFactor: route({
    method: 'GET',
    path: '/users/secondfactor',
    summary: 'The second factors of the own account.',
    ...ownFactor,
    output: z.object({
      app: z.object({ addedAt: Moment }).nullable(),
      passkeys: z.array(
        z.object({ _id: Id, name: z.string(), addedAt: Moment, lastUsedAt: Moment.nullable() }),
      ),
      recoveryCodesLeft: z.number().int(),
      required: z.boolean(),
    }),
  }),
  startTotp: route({
    method: 'POST',
    path: '/users/secondfactor/totp/start',
    summary: 'A new secret for an authenticator app; it counts once `confirm` got a code of it.',
    ...ownFactor,
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/users/secondfactor/totp/confirm',
    summary: 'Switches the authenticator app on; answers recovery codes when it is the first factor.',
    ...ownFactor,
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({ code: OneTimeCode }),
    output: NewRecoveryCodes,
  }),
  removeTotp: route({
    method: 'POST',
    path: '/users/secondfactor/totp/remove',
    summary: 'Switches the authenticator app off.',
    access: 'user',
    restricted: 'allowed',
    output: Success,
  }),
  newRecoveryCodes: route({
    method: 'POST',
    path: '/users/secondfactor/recoverycodes',
    summary: 'Replaces all recovery codes by ten new ones.',
    access: 'user',
    restricted: 'allowed',
    output: NewRecoveryCodes,
  }),
  startPasskey: route({
    method: 'POST',
    path: '/users/passkeys/start',
    summary: 'What the browser is asked to make a passkey from.',
    ...ownFactor,
    output: z.object({ challengeId: Id, options: PasskeyCreation }),
  }),
  addPasskey: route({
    method: 'POST',
    path: '/users/passkeys/add',
    summary: 'Adds the passkey that the browser made; answers recovery codes when it is the first factor.',
    ...ownFactor,
    body: z.object({
      challengeId: Id,
      name: line(60).pipe(z.string().min(1, 'Give the passkey a name.')),
      passkey: PasskeyAttestation,
    }),
    output: NewRecoveryCodes,
  }),
  removePasskey: route({
    method: 'POST',
    path: '/users/passkeys/remove',
    summary: 'Removes one of the own passkeys.',
    access: 'user',
    restricted: 'allowed',
    body: z.object({ passkeyId: Id }),
    output: Success,
  }),
}
