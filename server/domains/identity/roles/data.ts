import { type Expression, sql } from 'kysely'
import { type Permission, rolesWith } from '../../../../contract/permissions.ts'
import type { Db } from '../../../db/client.ts'

/** Whether somebody but these has this permission and can use it: who is suspended or being deleted can't. */
export async function isThereAnother(db: Db, permission: Permission, besides: string[]): Promise<boolean> {
  const other = await others(db, permission, sql`${besides}::uuid[]`).limit(1).executeTakeFirst()
  return other !== undefined
}

/** Those people, for another query: `besides` is an array of ids. */
export function others(db: Db, permission: Permission, besides: Expression<unknown>) {
  return holders(db, permission).where('id', '<>', sql<string>`all(${besides})`)
}

/** Whether this person has the permission and can use it, so that what they proposed still counts. */
export async function isHolder(db: Db, permission: Permission, userId: string): Promise<boolean> {
  return (await holders(db, permission).where('id', '=', userId).executeTakeFirst()) !== undefined
}

function holders(db: Db, permission: Permission) {
  return db
    .selectFrom('users')
    .select('id')
    .where('role', 'in', rolesWith(permission))
    .where('hidden_at', 'is', null)
}
