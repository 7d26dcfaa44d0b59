import { z } from 'zod'
import { OneTimeCode, PasskeyAttestation, PasskeyCreation } from '../../passkeys.ts'
import { route } from '../../route.ts'
import { Id, line, Moment, Success } from '../../schemas.ts'
import { ownFactor } from './reauthentication.ts'

/** Known only once: whoever reads the page writes them down. */
const NewRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

export const twoFactorRoutes = {
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
    reauthentication: 'recent',
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
    reauthentication: 'recent',
    restricted: 'allowed',
    output: Success,
  }),
  newRecoveryCodes: route({
    method: 'POST',
    path: '/users/secondfactor/recoverycodes',
    summary: 'Replaces all recovery codes by ten new ones.',
    access: 'user',
    reauthentication: 'recent',
    restricted: 'allowed',
    output: NewRecoveryCodes,
  }),
  startPasskey: route({
    method: 'POST',
    path: '/users/passkeys/start',
    summary: 'What the browser is asked to make a passkey from.',
    ...ownFactor,
    reauthentication: 'recent',
    output: z.object({ challengeId: Id, options: PasskeyCreation }),
  }),
  addPasskey: route({
    method: 'POST',
    path: '/users/passkeys/add',
    summary: 'Adds the passkey that the browser made; answers recovery codes when it is the first factor.',
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
    summary: 'Removes one of the own passkeys.',
    access: 'user',
    reauthentication: 'recent',
    restricted: 'allowed',
    body: z.object({ passkeyId: Id }),
    output: Success,
  }),
}
