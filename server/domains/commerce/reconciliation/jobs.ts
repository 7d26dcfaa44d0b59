import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { comparePayments } from './actions.ts'
import { postSettlements } from './settlements/actions.ts'

/** The background jobs of this folder, by name. */
export const reconciliationJobs = (context: Context) =>
  ({
    async 'payments.compare'() {
      try {
        await comparePayments(context)
      } finally {
        // Settled batches are moved to the bank account even if charges can't be compared.
        await postSettlements(context)
      }
    },
  }) satisfies Partial<JobHandlers>
