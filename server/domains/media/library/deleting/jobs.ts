import type { Context } from '../../../../context.ts'
import { purgeVersions } from '../../versions/actions.ts'

const BATCH = 200

/** Gives up versions that were replaced or deleted long ago and belong to nobody. Safe to run twice, and at the same time. */
export async function purgeMedia({ db, clock }: Context): Promise<void> {
  let found: number
  do {
    found = await purgeVersions(db, clock.now(), BATCH)
  } while (found === BATCH)
}
