import type { Tx } from '../../../db/client.ts'

/** Sets whether what this creator sells carries the name of whoever looks at it, from their next look on. */
export async function setWatermark(db: Tx, creatorId: string, enabled: boolean): Promise<void> {
  await db.updateTable('profiles').set({ watermark: enabled }).where('user_id', '=', creatorId).execute()
}
