import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { comparePayments } from './actions.ts'

/** What the background jobs of this folder do, by their names. */
export const reconciliationJobs = (context: Context) =>
  ({
    'payments.compare': () => comparePayments(context),
  }) satisfies Partial<JobHandlers>
