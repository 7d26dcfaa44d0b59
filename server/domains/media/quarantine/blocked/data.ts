import type { Db } from '../../../../db/client.ts'

/** Whether a file, named by the SHA-256 of its bytes in hex, can't be uploaded again. */
export async function isBlocked(db: Db, sha256: string): Promise<boolean> {
  const found = await db
    .selectFrom('blocked_files')
    .select('sha256')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return found !== undefined
}
