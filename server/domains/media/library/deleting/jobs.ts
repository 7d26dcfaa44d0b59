import type { Context } from '../../../../context.ts'
import { purgeDeleted } from './actions.ts'

const BATCH = 200

/** Gives up what was deleted long ago and belongs to nobody. Safe to run twice, and at the same time. */
export async function purgeMedia({ db, clock }: Context): Promise<void> {
  let found: number
  do {
    found = await purgeDeleted(db, clock.now(), BATCH)
  } while (found === BATCH)
}
