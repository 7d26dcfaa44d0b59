import { rolesWith } from '../../../../../contract/permissions.ts'
import type { Db } from '../../../../db/client.ts'

/** The account that stands on tips for the operator as their seller: the first who may do everything; null while there is none. */
export async function findDonee(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', 'in', rolesWith('people.setRole'))
    .where('hidden_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
