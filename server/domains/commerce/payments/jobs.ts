import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { closeUnpaid } from '../orders/actions.ts'
import { abandonUnsent } from './actions.ts'
import { findDue } from './data.ts'
import { lookUp } from './recovery/actions.ts'
import { lateChargesAfter } from './rules.ts'

/** At most so many payments in one run; the next one comes within a minute. */
const BATCH = 200

/** The background jobs of this folder, by name. */
export const paymentJobs = (context: Context) =>
  ({
    'purchases.recover': async () => {
      const { db, clock, log } = context
      await db.transaction().execute((tx) => abandonUnsent(tx, clock.now()))
      await db.transaction().execute((tx) => closeUnpaid(tx, lateChargesAfter(clock.now()), clock.now()))
      for (const payment of await findDue(db, clock.now(), BATCH)) {
        try {
          // It would keep each of the others waiting as long as this one; the next run begins with those.
          if (!(await lookUp(context, payment))) return
        } catch (error) {
          // One that can't be decided must not keep the others waiting.
          log.error({ err: error, paymentId: payment.id }, 'a payment could not be recovered')
        }
      }
    },
  }) satisfies Partial<JobHandlers>
