import type { Db } from '../../../db/client.ts'

/** Whether what this creator sells carries the name of whoever looks at it. */
export async function wantsWatermark(db: Db, creatorId: string): Promise<boolean> {
  const { watermark } = await db
    .selectFrom('profiles')
    .select('watermark')
    .where('user_id', '=', creatorId)
    .executeTakeFirstOrThrow()
  return watermark
}
