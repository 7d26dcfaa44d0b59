import type { z } from 'zod'
import type { Challenge } from '../../../../../contract/passkeys.ts'
import type { twoFactorRoutes } from '../../../../../contract/routes/identity/two-factor.ts'
import { ApiError } from '../../../../lib/api.ts'
import { reauthenticationTexts } from './texts.ts'

type Request = NonNullable<z.output<typeof Challenge>['passkey']>
type Creation = z.output<typeof twoFactorRoutes.startPasskey.output>['options']

/** Has the browser sign with a passkey; throws an `ApiError` whose sentence can be shown. */
export async function signWithPasskey(optionsJSON: Request) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const answer = await startAuthentication({ optionsJSON }).catch(explain)
  return { ...answer, clientExtensionResults: {} }
}

/** Has the browser make a passkey; throws an `ApiError` whose sentence can be shown. */
export async function makePasskey(optionsJSON: Creation) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const answer = await startRegistration({ optionsJSON }).catch(explain)
  return { ...answer, clientExtensionResults: {} }
}

/** False in browsers that know no passkeys. */
export const passkeysSupported = () => typeof globalThis.PublicKeyCredential === 'function'

function explain(error: unknown): never {
  const known = error instanceof Error && error.name === 'InvalidStateError'
  throw new ApiError(0, {
    error: known ? reauthenticationTexts.passkeyExists : reauthenticationTexts.passkeyUnused,
    code: known ? 'passkey_exists' : 'passkey_refused',
  })
}
