import { z } from 'zod'
import { Id } from './schemas.ts'

/** Bytes on the wire of WebAuthn Level 3: base64url without padding. */
const Bytes = z
  .string()
  .max(16_000)
  .regex(/^[A-Za-z0-9_-]*$/)
const CredentialId = Bytes.min(1).max(1400)
const Credential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])),
})

/** The options of `navigator.credentials.get` (WebAuthn L3 §5.5). */
const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  allowCredentials: z.array(Credential),
  userVerification: z.enum(['required', 'preferred', 'discouraged']),
})

/** The options of `navigator.credentials.create` (WebAuthn L3 §5.4). */
export const PasskeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  excludeCredentials: z.array(Credential),
  authenticatorSelection: z.object({
    residentKey: z.enum(['required', 'preferred', 'discouraged']),
    requireResidentKey: z.boolean(),
    userVerification: z.enum(['required', 'preferred', 'discouraged']),
  }),
  attestation: z.literal('none'),
})

const answered = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  // Extensions are not asked for, so whatever a browser adds is dropped.
  clientExtensionResults: z.object({}),
}

/** A browser's answer to `PasskeyRequest`. */
export const PasskeyAssertion = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes.optional(),
  }),
})

/** A browser's answer to `PasskeyCreation`. */
export const PasskeyAttestation = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
})

/**
 * The second factors and the other ways to re-authenticate: a one-time code, a recovery code, a passkey, or the
 * password.
 */
export const AuthenticationMethod = z.enum(['totp', 'recovery', 'passkey', 'password'])

/** A factor that is waited for; valid for 10 minutes and one success. */
export const Challenge = z.object({
  challengeId: Id,
  methods: z.array(AuthenticationMethod),
  passkey: PasskeyRequest.nullable(),
})

/** Six digits of an authenticator app, as typed. */
export const OneTimeCode = z
  .string()
  .max(20)
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6-digit code from your app.'))

/** A recovery code as typed; case, spaces and dashes don’t matter. */
export const RecoveryCode = z
  .string()
  .max(40)
  .transform((text) => text.toLowerCase().replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[0-9a-z]{10}$/, 'Enter one of your recovery codes, like abcde-12345.'))
