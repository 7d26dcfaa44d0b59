import type { Context } from '../../../context.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { refundOrder } from '../../commerce/refunds/actions.ts'
import { markOverdue } from './actions.ts'
import { findLate, findRefundable } from './data.ts'

/** The most requests in one run; the next run follows within minutes. */
const BATCH = 200

/** This folder's background jobs, by name. */
export const customRequestJobs = (context: Context) =>
  ({
    'custom-requests.refund': async () => {
      const { db, clock, log } = context
      for (const requestId of await findLate(db, clock.now(), BATCH)) {
        try {
          await db.transaction().execute((tx) => markOverdue(tx, requestId, clock.now()))
        } catch (error) {
          log.error({ err: error, requestId }, 'a custom request could not be marked as late')
        }
      }
      for (const { orderId, leaving } of await findRefundable(db, clock.now(), BATCH)) {
        try {
          const reason = leaving ? 'An account is deleted before the delivery' : 'Not delivered in time'
          const asked = { cents: null, shownCents: null, reason, idempotencyKey: null }
          await refundOrder(context, { operatorId: null, orderId, ...asked })
        } catch (error) {
          // One that fails must not block the others.
          log.error({ err: error, orderId }, 'a custom request could not be refunded')
        }
      }
    },
  }) satisfies Partial<JobHandlers>
