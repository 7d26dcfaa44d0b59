import { Secret, TOTP } from 'otpauth'
import type { Context } from '../../../../context.ts'
import type { Vault } from '../../../../crypto/vault.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { factorAdded, factorRemoved, lockAccount, wrongCode } from '../actions.ts'

/** Names the vault's key; with another name every stored secret is unreadable. */
const TOTP_PURPOSE = 'totp secret'
const STEP_MS = 30 * 1000
const SECRET_BYTES = 20
/** A code of the step before or after counts too, for clocks that differ (RFC 6238, 5.2). */
const WINDOW = 1

type Owner = { userId: string; now: Date }

/** A new secret that waits for its first code; one that waited before is replaced. Throws `totp_exists`. */
export async function startTotp(
  db: Tx,
  context: Context,
  { userId, email, now }: Owner & { email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret()
  const sealed_secret = context.vault.seal(TOTP_PURPOSE, userId, secret)
  const stored = await db
    .insertInto('totp_secrets')
    .values({ user_id: userId, sealed_secret, created_at: now, confirmed_at: null })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret, created_at: now })
        .where('totp_secrets.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!stored) throw new AppError('totp_exists')
  return { secret, uri: totpUri(secret, { brand: context.config.BRAND_NAME, email }) }
}

/**
 * Switches the app on by a code of it; returns the recovery codes when it is the first factor, else null. Throws
 * `second_factor_wrong`, and `totp_exists` when it is on already.
 */
export async function confirmTotp(
  db: Tx,
  context: Context,
  { userId, code, now }: Owner & { code: string },
): Promise<string[] | null> {
  await lockAccount(db, userId)
  const row = await db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (!row) throw new AppError('challenge_expired')
  if (row.confirmed_at) throw new AppError('totp_exists')
  const secret = context.vault.open(TOTP_PURPOSE, userId, row.sealed_secret)
  const step = totpStep(secret, code, row.last_step, now)
  if (step === null) throw wrongCode('code')
  await db
    .updateTable('totp_secrets')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', userId)
    .execute()
  return factorAdded(db, context, { userId, passkey: null })
}

/** Switches the app off; throws `not_found` when none was on. */
export async function removeTotp(db: Tx, userId: string): Promise<void> {
  await lockAccount(db, userId)
  const removed = await db
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  if (!removed?.confirmed_at) throw new AppError('not_found')
  await factorRemoved(db, { userId, passkey: null })
}

/** Takes a code of the app, once; throws `second_factor_wrong`. */
export async function takeTotp(
  db: Tx,
  context: Context,
  { userId, code, now }: Owner & { code: string },
): Promise<void> {
  const row = await db
    .selectFrom('totp_secrets')
    .select(['sealed_secret', 'last_step'])
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw wrongCode('code')
  const secret = context.vault.open(TOTP_PURPOSE, userId, row.sealed_secret)
  const step = totpStep(secret, code, row.last_step, now)
  if (step === null) throw wrongCode('code')
  await db.updateTable('totp_secrets').set({ last_step: step }).where('user_id', '=', userId).execute()
}

/** Seals every stored secret with the newest key; answers how many were sealed with another one. */
export async function resealTotpSecrets(db: Tx, vault: Vault): Promise<number> {
  const rows = await db.selectFrom('totp_secrets').select(['user_id', 'sealed_secret']).forUpdate().execute()
  const old = rows.filter(({ sealed_secret }) => !vault.isCurrent(sealed_secret))
  for (const { user_id, sealed_secret } of old) {
    const secret = vault.open(TOTP_PURPOSE, user_id, sealed_secret)
    await db
      .updateTable('totp_secrets')
      .set({ sealed_secret: vault.seal(TOTP_PURPOSE, user_id, secret) })
      .where('user_id', '=', user_id)
      .execute()
  }
  return old.length
}

/** A new secret for an authenticator app, in base 32. */
function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The content of the QR code that the app scans: `otpauth://totp/…`. */
function totpUri(secret: string, account: { brand: string; email: string }): string {
  return new TOTP({ issuer: account.brand, label: account.email, secret }).toString()
}

/** The time step that this code is of, or null when it is of none that counts now or was taken before. */
function totpStep(secret: string, code: string, lastStep: number, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window: WINDOW })
  if (delta === null) return null
  const step = Math.floor(timestamp / STEP_MS) + delta
  return step > lastStep ? step : null
}
