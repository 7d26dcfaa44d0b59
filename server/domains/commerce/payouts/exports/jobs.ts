import type { Context } from '../../../../context.ts'
import type { JobHandlers } from '../../../../jobs/catalogue.ts'
import { forgetExports } from './actions.ts'

/** The background jobs of this folder, by name. */
export const exportJobs = ({ db, clock }: Context) =>
  ({
    'payouts.forget': () => db.transaction().execute((tx) => forgetExports(tx, clock.now())),
  }) satisfies Partial<JobHandlers>
