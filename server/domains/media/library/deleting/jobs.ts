import type { Context } from '../../../../context.ts'
import { endHolds, purgeVersions } from '../../versions/actions.ts'

const BATCH = 200

/** Gives up versions that were replaced or deleted long ago and belong to nobody, and what was held long enough. Safe to run twice, and at the same time. */
export async function purgeMedia({ db, clock }: Context): Promise<void> {
  await endHolds(db, clock.now())
  let found: number
  do {
    found = await purgeVersions(db, clock.now(), BATCH)
  } while (found === BATCH)
}
