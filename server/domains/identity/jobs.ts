import type { Clock } from '../../clock.ts'
import type { Db } from '../../db/client.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { sweep } from './actions.ts'

/** The background jobs of this folder, by name. */
export const identityJobs = ({ db, clock }: { db: Db; clock: Clock }) =>
  ({
    async 'identity.sweep'() {
      const now = clock.now()
      const systemNow = new Date(now.getTime() - clock.offset())
      await db.transaction().execute((tx) => sweep(tx, { now, systemNow }))
    },
  }) satisfies Partial<JobHandlers>
