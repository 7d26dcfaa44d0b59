import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { forgetNotices, lookUpTransaction } from './actions.ts'

/** The background jobs of this folder, by name. */
export const webhookJobs = (context: Context) =>
  ({
    'gateway.look-up': ({ transactionId }) => lookUpTransaction(context, transactionId),
    'gateway.forget-notices': () =>
      context.db.transaction().execute((tx) => forgetNotices(tx, context.clock.now())),
  }) satisfies Partial<JobHandlers>
