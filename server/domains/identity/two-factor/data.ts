import type { Db } from '../../../db/client.ts'

/** The second factors of an account that count, and how many recovery codes are left. */
export async function findFactors(db: Db, userId: string) {
  const totp = await db
    .selectFrom('totp_secrets')
    .select('confirmed_at')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'transports', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { totpSince: totp?.confirmed_at ?? null, passkeys, recoveryCodesLeft: left }
}

export type Factors = Awaited<ReturnType<typeof findFactors>>

/** Whether anything but the password is asked for. */
export function isSecondFactorOn({ totpSince, passkeys }: Factors): boolean {
  return totpSince !== null || passkeys.length > 0
}
