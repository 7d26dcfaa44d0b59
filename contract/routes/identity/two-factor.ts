import { z } from 'zod'
import { OneTimeCode, PasskeyAttestation, PasskeyCreation } from '../../passkeys.ts'
import { route } from '../../route.ts'
import { Id, line, Moment, Success } from '../../schemas.ts'
import { ownFactor } from './reauthentication.ts'

/** Shown only once, on the page where people write them down. */
const NewRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

export const twoFactorRoutes = {
  secondFactor: route({
    method: 'GET',
    path: '/users/secondfactor',
    summary: 'The caller’s second factors.',
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
    summary: 'Creates a secret for an authenticator app; it takes effect once a code is sent to `confirm`.',
    ...ownFactor,
    reauthentication: 'recent',
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/users/secondfactor/totp/confirm',
    summary: 'Turns the authenticator app on; returns recovery codes if it is the first factor.',
    ...ownFactor,
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({ code: OneTimeCode }),
    output: NewRecoveryCodes,
  }),
  removeTotp: route({
    method: 'POST',
    path: '/users/secondfactor/totp/remove',
    summary: 'Turns the authenticator app off.',
    access: 'user',
    reauthentication: 'recent',
    restricted: 'allowed',
    output: Success,
  }),
  newRecoveryCodes: route({
    method: 'POST',
    path: '/users/secondfactor/recoverycodes',
    summary: 'Replaces all recovery codes with ten new ones.',
    access: 'user',
    reauthentication: 'recent',
    restricted: 'allowed',
    output: NewRecoveryCodes,
  }),
  startPasskey: route({
    method: 'POST',
    path: '/users/passkeys/start',
    summary: 'The options from which the browser creates a passkey.',
    ...ownFactor,
    reauthentication: 'recent',
    output: z.object({ challengeId: Id, options: PasskeyCreation }),
  }),
  addPasskey: route({
    method: 'POST',
    path: '/users/passkeys/add',
    summary: 'Adds the passkey that the browser created; returns recovery codes if it is the first factor.',
    ...ownFactor,
    body: z.object({
      challengeId: Id,
      name: line(60).pipe(z.string().min(1, 'Enter a name for this passkey.')),
      passkey: PasskeyAttestation,
    }),
    output: NewRecoveryCodes,
  }),
  removePasskey: route({
    method: 'POST',
    path: '/users/passkeys/remove',
    summary: 'Removes one of the caller’s passkeys.',
    access: 'user',
    reauthentication: 'recent',
    restricted: 'allowed',
    body: z.object({ passkeyId: Id }),
    output: Success,
  }),
}
