import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { z } from 'zod'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
} from '../../../../../contract/passkeys.ts'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import { factorAdded, factorRemoved, lockAccount } from '../actions.ts'
import { closeChallenge, openChallenge } from '../challenges/actions.ts'
import { findFactors } from '../data.ts'
import { knownTransports, type RelyingParty, relyingParty } from '../rules.ts'

const MAX_PASSKEYS = 20
/** EdDSA, ES256 and RS256, the ones that authenticators have (IANA COSE algorithms). */
const ALGORITHMS = [-8, -7, -257]
const TIMEOUT_MS = 5 * 60 * 1000

export type Assertion = z.output<typeof PasskeyAssertion>
export type Attestation = z.output<typeof PasskeyAttestation>

/** A challenge, and what the browser makes a passkey from for it; throws `too_many_passkeys`. */
export async function startPasskey(
  db: Tx,
  context: Context,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<{ challengeId: string; options: z.input<typeof PasskeyCreation> }> {
  const asked = await openChallenge(db, { purpose: 'add-passkey', userId, now })
  const site = relyingParty(context.publicUrl, context.config.BRAND_NAME)
  const challenge = asked.passkeyChallenge
  return { challengeId: asked.id, options: await passkeyCreation(db, { userId, email, challenge, site }) }
}

/**
 * Adds a passkey that the browser made for this challenge; returns recovery codes when it is the first factor, else
 * null. Throws `challenge_expired`, `passkey_refused` and `passkey_exists`.
 */
export async function addPasskey(
  db: Tx,
  context: Context,
  added: { userId: string; challengeId: string; name: string; passkey: Attestation; now: Date },
): Promise<string[] | null> {
  const { userId, challengeId, name, passkey, now } = added
  await lockAccount(db, userId)
  const challenge = await closeChallenge(db, { id: challengeId, purpose: 'add-passkey', userId, now })
  const site = relyingParty(context.publicUrl, context.config.BRAND_NAME)
  await storePasskey(db, { userId, name, passkey, challenge, site, now })
  return factorAdded(db, context, { userId, passkey: name })
}

/** Removes one of a person's passkeys; throws `not_found`. */
export async function removePasskey(
  db: Tx,
  { userId, passkeyId }: { userId: string; passkeyId: string },
): Promise<void> {
  await lockAccount(db, userId)
  const removed = await db
    .deleteFrom('passkeys')
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  if (!removed) throw new AppError('not_found')
  await factorRemoved(db, { userId, passkey: removed.name })
}

/** The options from which the browser creates a passkey. Throws `too_many_passkeys`. */
async function passkeyCreation(
  db: Tx,
  {
    userId,
    email,
    challenge,
    site,
  }: { userId: string; email: string; challenge: string; site: RelyingParty },
): Promise<z.input<typeof PasskeyCreation>> {
  const { passkeys } = await findFactors(db, userId)
  if (passkeys.length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys')
  const { rp, user, pubKeyCredParams } = await generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userName: email,
    userID: new TextEncoder().encode(userId),
    challenge: Buffer.from(challenge, 'base64url'),
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return {
    challenge,
    rp: { id: site.id, name: rp.name },
    user,
    pubKeyCredParams,
    timeout: TIMEOUT_MS,
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      type: 'public-key',
      transports: knownTransports(transports),
    })),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
  }
}

/** Stores a passkey that the browser made for this challenge; throws `passkey_refused` or `passkey_exists`. */
async function storePasskey(
  db: Tx,
  {
    userId,
    name,
    passkey,
    challenge,
    site,
    now,
  }: {
    userId: string
    name: string
    passkey: Attestation
    challenge: string
    site: RelyingParty
    now: Date
  },
): Promise<void> {
  const { credential } = (await verifiedRegistration(passkey, challenge, site)).registrationInfo
  try {
    await db
      .insertInto('passkeys')
      .values({
        user_id: userId,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: knownTransports(passkey.response.transports ?? []),
        name,
        created_at: now,
        last_used_at: null,
      })
      .execute()
  } catch (error) {
    if (violates(error, 'passkeys_credential')) throw new AppError('passkey_exists')
    throw error
  }
}

async function verifiedRegistration(
  passkey: Attestation,
  challenge: string,
  site: RelyingParty,
): Promise<VerifiedRegistrationResponse & { verified: true }> {
  const { attestationObject, clientDataJSON } = passkey.response
  // The library throws for everything that a forged or broken answer can hold.
  const verified = await verifyRegistrationResponse({
    response: { ...passkey, response: { attestationObject, clientDataJSON } },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  if (!verified?.verified) throw new AppError('passkey_refused')
  return verified
}

/** The owner of this passkey, or null for an unknown one. */
export async function findPasskeyOwner(db: Db, credentialId: string): Promise<string | null> {
  const row = await db
    .selectFrom('passkeys')
    .select('user_id')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/**
 * Checks a passkey's answer to this challenge and remembers its use; throws `passkey_refused`. `alone`: nothing else
 * was checked, so the device must have verified its owner.
 */
export async function takePasskey(
  db: Tx,
  {
    userId,
    passkey,
    challenge,
    alone,
    site,
    now,
  }: {
    userId: string
    passkey: Assertion
    challenge: string
    alone: boolean
    site: RelyingParty
    now: Date
  },
): Promise<void> {
  const stored = await db
    .selectFrom('passkeys')
    .select(['id', 'public_key', 'counter'])
    .where('credential_id', '=', passkey.id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!stored) throw new AppError('passkey_refused')
  const { userHandle, ...response } = passkey.response
  const verified = await verifyAuthenticationResponse({
    response: { ...passkey, response: { ...response, ...(userHandle ? { userHandle } : {}) } },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: alone,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(stored.public_key),
      counter: stored.counter,
    },
  }).catch(() => null)
  if (!verified?.verified) throw new AppError('passkey_refused')
  await db
    .updateTable('passkeys')
    .set({ counter: verified.authenticationInfo.newCounter, last_used_at: now })
    .where('id', '=', stored.id)
    .execute()
}
