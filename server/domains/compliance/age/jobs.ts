import type { Clock } from '../../../clock.ts'
import type { Db } from '../../../db/client.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { sweepChecks } from './actions.ts'

export const ageJobs = (context: { db: Db; clock: Clock }) =>
  ({
    'age.sweep': () => context.db.transaction().execute((tx) => sweepChecks(tx, context.clock.now())),
  }) satisfies Partial<JobHandlers>
