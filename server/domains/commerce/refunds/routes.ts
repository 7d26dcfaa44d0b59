import { inBatchThatFailed } from '../../../../contract/errors/commerce.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { centsOf } from '../rules.ts'
import { refundOrder, requireNoneMade } from './actions.ts'
import { findRefund } from './data.ts'
import { requireToldOf } from './gateway-refunds/actions.ts'
import { recordGivenOutside, sendOutside } from './recording/actions.ts'
import { failedBatchOf, refundAnswer } from './rules.ts'

export const refundHandlers = {
  async refund({ context, db, viewer, body, idempotencyKey, answer }) {
    const { transactionId: orderId, amount, left, reason } = body
    const refundId = await refundOrder(context, {
      operatorId: viewer.id,
      orderId,
      cents: centsOf(amount),
      shownCents: centsOf(left),
      reason,
      idempotencyKey,
    })
    const { id, status, failure, amount_cents } = await findRefund(db, refundId)
    const outcome = refundAnswer(status, failure)
    if (typeof outcome === 'string') throw refusalOf(outcome, failure)
    answer.status(outcome)
    return { _id: id, transactionId: orderId, status, amount: formatMoney(amount_cents) }
  },
  async sendOutside({ context, db, viewer, body, now }) {
    const { transactionId: orderId, ...given } = body
    const outside = { orderId, ...given, operatorId: viewer.id, now }
    if (given.sending) {
      await requireNoneMade(context, outside)
      await requireToldOf(context, outside)
    }
    await context.db.transaction().execute((tx) => sendOutside(tx, outside))
    return presentRefund(db, body)
  },
  async refundOutside({ db, viewer, body, now }) {
    const { transactionId: orderId, ...given } = body
    await recordGivenOutside(db, { orderId, ...given, operatorId: viewer.id, now })
    return presentRefund(db, body)
  },
} satisfies Partial<Handlers>

function refusalOf(code: ErrorCode, failure: string | null): AppError {
  const batch = failedBatchOf(failure)
  const details = batch === null ? {} : { details: { batch: inBatchThatFailed(batch) } }
  return new AppError(code, { ...details, isOutcome: true })
}

async function presentRefund(
  db: Db,
  { transactionId, refundId }: { transactionId: string; refundId: string },
) {
  const { id, status, asked_cents } = await findRefund(db, refundId)
  return { _id: id, transactionId, status, amount: formatMoney(asked_cents) }
}
