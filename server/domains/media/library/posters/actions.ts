import type { Tx } from '../../../../db/client.ts'

/** Writes down that a frame of this video is being made its poster; `label` tells it from those asked for before. */
export async function beginPoster(db: Tx, { mediaId, label }: { mediaId: string; label: string }) {
  await db
    .insertInto('posters')
    .values({ media_id: mediaId, label, status: 'preparing' })
    .onConflict((conflict) => conflict.column('media_id').doUpdateSet({ label, status: 'preparing' }))
    .execute()
}

/** Writes down how that ended. Nothing changes when another frame was asked for meanwhile. */
export async function endPoster(
  db: Tx,
  { mediaId, label }: { mediaId: string; label: string },
  status: 'ready' | 'failed',
): Promise<void> {
  await db
    .updateTable('posters')
    .set({ status })
    .where('media_id', '=', mediaId)
    .where('label', '=', label)
    .execute()
}
