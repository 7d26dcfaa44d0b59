import type { Db } from '../../../../db/client.ts'

/** The account that stands on tips for the operator as their seller: the first superadmin; null while there is none. */
export async function findDonee(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superadmin')
    .where('hidden_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
