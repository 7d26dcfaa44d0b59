import type { Tx } from '../../../db/client.ts'
import { findPerformer } from './data.ts'

/** Adds a person who is depicted in this creator's media; one of this name, whatever its case, is returned instead. */
export async function addPerformer(
  db: Tx,
  performer: { creatorId: string; name: string; now: Date },
): Promise<{ id: string; name: string }> {
  const { creatorId, name, now } = performer
  const added = await db
    .insertInto('performers')
    .values({ creator_id: creatorId, name, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst()
  const stored = added ?? (await findPerformer(db, creatorId, name))
  if (!stored) throw new Error('a performer was neither added nor found')
  return stored
}
