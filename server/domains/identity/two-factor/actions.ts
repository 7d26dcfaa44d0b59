import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { tell } from '../actions.ts'
import { readableCode } from '../rules.ts'
import { revokeSessions } from '../sessions/actions.ts'
import { type Factors, findFactors, isSecondFactorOn } from './data.ts'
import { groupedCode, RECOVERY_CODE_BYTES, RECOVERY_CODES } from './rules.ts'

/** Takes a recovery code, once, and tells the owner; throws `second_factor_wrong`. */
export async function takeRecoveryCode(
  db: Tx,
  context: Context,
  { userId, code }: { userId: string; code: string },
): Promise<void> {
  const used = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', recoveryHash(context, userId, code))
    .returning('user_id')
    .executeTakeFirst()
  if (!used) throw wrongCode('recoveryCode')
  const { recoveryCodesLeft } = await findFactors(db, userId)
  await tell(db, { kind: 'recovery-code.used', person: userId, data: { left: recoveryCodesLeft } })
}

/** Replaces all recovery codes; throws `second_factor_missing` without a factor that they could stand in for. */
export async function replaceRecoveryCodes(db: Tx, context: Context, userId: string): Promise<string[]> {
  await lockAccount(db, userId)
  if (!isSecondFactorOn(await findFactors(db, userId))) throw new AppError('second_factor_missing')
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return addRecoveryCodes(db, context, userId)
}

/** Forgets every factor of an account that gets another owner. */
export async function removeAllFactors(db: Tx, userId: string): Promise<void> {
  await db.deleteFrom('totp_secrets').where('user_id', '=', userId).execute()
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db.deleteFrom('authentication_challenges').where('user_id', '=', userId).execute()
}

/**
 * Lets an owner who lost every factor log in by password alone: removes the factors, recovery codes and open challenges,
 * ends all sessions, tells the owner, and records why. Without `passkeysToo` an account with passkeys stays as it is: one of
 * them logs in, and then removes the app on the security page. Returns the factors that it had, and whether they were removed.
 */
export async function removeLostFactors(
  db: Tx,
  lost: { userId: string; passkeysToo: boolean; reason: string; now: Date },
): Promise<Factors & { removed: boolean }> {
  const { userId, passkeysToo, reason, now } = lost
  await lockAccount(db, userId)
  const factors = await findFactors(db, userId)
  const { totpSince, passkeys } = factors
  if (!isSecondFactorOn(factors) || (passkeys.length > 0 && !passkeysToo))
    return { ...factors, removed: false }
  await removeAllFactors(db, userId)
  await revokeSessions(db, { userId, keep: null })
  const passkey = totpSince ? null : (passkeys[0]?.name ?? null)
  await tell(db, { kind: 'factor.removed', person: userId, data: { passkey, last: true } })
  await writeAudit(db, {
    actorId: null,
    action: 'user.second_factor_removed',
    targetKind: 'user',
    targetId: userId,
    reason,
    detail: { app: totpSince !== null, passkeys: passkeys.length },
    now,
  })
  return { ...factors, removed: true }
}

/** Holds the account, so that its factors change one after the other. */
export async function lockAccount(db: Tx, userId: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()
}

/** Tells the owner; returns new recovery codes when there are none yet. The account is locked by the caller. */
export async function factorAdded(
  db: Tx,
  context: Context,
  { userId, passkey }: { userId: string; passkey: string | null },
): Promise<string[] | null> {
  await tell(db, { kind: 'factor.added', person: userId, data: { passkey } })
  const { recoveryCodesLeft } = await findFactors(db, userId)
  return recoveryCodesLeft === 0 ? addRecoveryCodes(db, context, userId) : null
}

/** Tells the owner; recovery codes end with the last factor. The account is locked by the caller. */
export async function factorRemoved(
  db: Tx,
  { userId, passkey }: { userId: string; passkey: string | null },
): Promise<void> {
  const last = !isSecondFactorOn(await findFactors(db, userId))
  if (last) await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tell(db, { kind: 'factor.removed', person: userId, data: { passkey, last } })
}

async function addRecoveryCodes(db: Tx, context: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => readableCode(randomBytes(RECOVERY_CODE_BYTES)))
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: recoveryHash(context, userId, code) })))
    .execute()
  return codes.map(groupedCode)
}

/** Keyed, because a reader of the table could search all of the fifty bits. */
function recoveryHash(context: Context, userId: string, code: string): string {
  return context.recoveryHash(`${userId} ${code}`)
}

/** A code that was not taken, said at its field. */
export function wrongCode(field: 'code' | 'recoveryCode'): AppError {
  const text = field === 'code' ? 'Incorrect code. Try the newest one.' : 'Incorrect recovery code.'
  return new AppError('second_factor_wrong', { details: { [field]: text } })
}
