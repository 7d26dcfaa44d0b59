import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { closeUnpaid } from '../orders/actions.ts'
import { abandonUnsent } from './actions.ts'
import { findDue } from './data.ts'
import { keepItsCard } from './keeping/actions.ts'
import { findUnkept } from './keeping/data.ts'
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
      /** Stops where the gateway doesn't answer: it would keep each of the others waiting as long; the next run begins with those. */
      const askAboutEach = async <P extends { id: string }>(
        due: P[],
        ask: (payment: P) => Promise<boolean>,
      ) => {
        for (const payment of due) {
          try {
            if (!(await ask(payment))) return
          } catch (error) {
            // One that can't be decided must not keep the others waiting.
            log.error({ err: error, paymentId: payment.id }, 'a payment could not be recovered')
          }
        }
      }
      await askAboutEach(await findDue(db, clock.now(), BATCH), (payment) => lookUp(context, payment))
      await askAboutEach(await findUnkept(db, clock.now(), BATCH), ({ id }) => keepItsCard(context, id))
    },
  }) satisfies Partial<JobHandlers>
