import type { Context } from '../../../context.ts'
import { sealRecords } from '../../../db/chains.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { releaseDue } from './actions.ts'
import { findWithDuePending } from './data.ts'

/** At most so many people in one round; rounds go on until nobody is left. */
const BATCH = 500

/** The background jobs of this folder, by name. */
export const ledgerJobs = ({ db, clock }: Context) =>
  ({
    'records.seal': () => sealRecords(db),
    'ledger.release': async () => {
      const now = clock.now()
      let people: string[]
      do {
        people = await findWithDuePending(db, now, BATCH)
        // A transaction for each person, so that nobody's sales wait for the release of others' shares.
        for (const userId of people) await db.transaction().execute((tx) => releaseDue(tx, userId, now))
      } while (people.length === BATCH)
    },
  }) satisfies Partial<JobHandlers>
