import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { findDueRefunds } from './data.ts'
import { lookUpRefund } from './recovery/actions.ts'

/** At most so many refunds in one run; the next one comes within a minute. */
const BATCH = 200

/** The background jobs of this folder, by name. */
export const refundJobs = (context: Context) =>
  ({
    'refunds.recover': async () => {
      const { db, clock, log } = context
      for (const { id } of await findDueRefunds(db, clock.now(), BATCH)) {
        try {
          // It would keep each of the others waiting as long as this one; the next run begins with those.
          if (!(await lookUpRefund(context, id))) return
        } catch (error) {
          // One that can't be decided must not keep the others waiting.
          log.error({ err: error, refundId: id }, 'a refund could not be recovered')
        }
      }
    },
  }) satisfies Partial<JobHandlers>
