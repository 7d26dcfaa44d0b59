import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { refundOrder } from '../../commerce/refunds/actions.ts'
import { markOverdue } from './actions.ts'
import { findLate, findRefundable } from './data.ts'

/** At most so many requests in one run; the next one comes within minutes. */
const BATCH = 200

/** What the background jobs of this folder do, by their names. */
export const customRequestJobs = (context: Context) =>
  ({
    'custom-requests.refund': async () => {
      const { db, clock, log } = context
      for (const requestId of await findLate(db, clock.now(), BATCH))
        await db.transaction().execute((tx) => markOverdue(tx, requestId, clock.now()))
      for (const { orderId, leaving } of await findRefundable(db, clock.now(), BATCH)) {
        try {
          const reason = leaving ? 'An account is deleted before the delivery' : 'Not delivered in time'
          const asked = { cents: null, reason, idempotencyKey: null }
          await refundOrder(context, { operatorId: null, orderId, ...asked })
        } catch (error) {
          // One that can't be given back must not keep the others waiting.
          log.error({ err: error, orderId }, 'a custom request could not be refunded')
        }
      }
    },
  }) satisfies Partial<JobHandlers>
