import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { comparePayments } from './actions.ts'
import { postSettlements } from './settlements/actions.ts'

/** What the background jobs of this folder do, by their names. */
export const reconciliationJobs = (context: Context) =>
  ({
    async 'payments.compare'() {
      try {
        await comparePayments(context)
      } finally {
        // What was settled is moved to the bank account also where charges can't be compared.
        await postSettlements(context)
      }
    },
  }) satisfies Partial<JobHandlers>
