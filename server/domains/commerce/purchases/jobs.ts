import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { abandonUnsent } from './actions.ts'
import { findDue } from './data.ts'
import { lookUp } from './recovery/actions.ts'

/** At most so many purchases in one run; the next one comes within a minute. */
const BATCH = 200

export function purchaseJobs(context: Context): Pick<JobHandlers, 'purchases.recover'> {
  return {
    'purchases.recover': async () => {
      const { db, clock, log } = context
      await db.transaction().execute((tx) => abandonUnsent(tx, clock.now()))
      for (const purchase of await findDue(db, clock.now(), BATCH)) {
        try {
          await lookUp(context, purchase)
        } catch (error) {
          // One that can't be decided must not keep the others waiting.
          log.error({ err: error, purchaseId: purchase.id }, 'a purchase could not be recovered')
        }
      }
    },
  }
}
