import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { abandonUnsent } from './actions.ts'
import { findDue } from './data.ts'
import { lookUp } from './recovery/actions.ts'

/** At most so many purchases in one run; the next one comes within a minute. */
const BATCH = 200

export const purchaseJobs = (context: Context) =>
  ({
    'purchases.recover': async () => {
      const { db, clock, log } = context
      await db.transaction().execute((tx) => abandonUnsent(tx, clock.now()))
      for (const purchase of await findDue(db, clock.now(), BATCH)) {
        try {
          // It would keep each of the others waiting as long as this one; the next run begins with those.
          if (!(await lookUp(context, purchase))) return
        } catch (error) {
          // One that can't be decided must not keep the others waiting.
          log.error({ err: error, purchaseId: purchase.id }, 'a purchase could not be recovered')
        }
      }
    },
  }) satisfies Partial<JobHandlers>
