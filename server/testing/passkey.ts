import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { z } from 'zod'
import type { PasskeyAssertion } from '../../contract/passkeys.ts'
import type { Harness } from './harness.ts'

/** Flags of authenticator data: somebody was there, and the device verified who (WebAuthn L3 §6.1). */
const PRESENT_AND_VERIFIED = 0x05

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** Gives a person a passkey; returns what their device answers to a challenge. */
export async function buildPasskey(
  harness: Harness,
  { id }: { id: string },
): Promise<(challenge: string) => z.input<typeof PasskeyAssertion>> {
  const { db, clock, publicUrl } = harness.context
  const { hostname, origin } = new URL(publicUrl)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // A COSE key (RFC 9053 §7.1): EC2, ES256, P-256, then both coordinates.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const credentialId = randomBytes(16).toString('base64url')
  await db
    .insertInto('passkeys')
    .values({
      user_id: id,
      credential_id: credentialId,
      public_key: coseKey,
      counter: 0,
      transports: [],
      name: 'Key',
      created_at: clock.now(),
      last_used_at: null,
    })
    .execute()
  return (challenge) => {
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }))
    const authenticatorData = Buffer.concat([
      sha256(hostname),
      Buffer.from([PRESENT_AND_VERIFIED, 0, 0, 0, 0]),
    ])
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)
    return {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
  }
}
