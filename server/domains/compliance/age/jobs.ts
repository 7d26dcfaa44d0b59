import type { Clock } from '../../../clock.ts'
import type { Db } from '../../../db/client.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { sweepChecks } from './actions.ts'

export function ageJobs(context: { db: Db; clock: Clock }): Pick<JobHandlers, 'age.sweep'> {
  return { 'age.sweep': () => context.db.transaction().execute((tx) => sweepChecks(tx, context.clock.now())) }
}
