import { formatMoney } from '../../../../contract/money.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { centsOf } from '../rules.ts'
import { refundOrder } from './actions.ts'
import { findRefund } from './data.ts'
import { recordGivenOutside } from './recording/actions.ts'
import { refundAnswer } from './rules.ts'

export const refundHandlers = {
  async refund({ context, db, viewer, body, idempotencyKey, answer }) {
    const { transactionId: orderId, amount, reason } = body
    const refundId = await refundOrder(context, {
      operatorId: viewer.id,
      orderId,
      cents: centsOf(amount),
      reason,
      idempotencyKey,
    })
    const { id, status, failure, amount_cents } = await findRefund(db, refundId)
    const outcome = refundAnswer(status, failure)
    if (typeof outcome === 'string') throw new AppError(outcome)
    answer.status(outcome)
    return { _id: id, transactionId: orderId, status, amount: formatMoney(amount_cents) }
  },
  async refundOutside({ db, viewer, body, now }) {
    const { transactionId: orderId, document, reason } = body
    const given = { orderId, document, reason, operatorId: viewer.id, now }
    const { id, status, amount_cents } = await findRefund(db, await recordGivenOutside(db, given))
    return { _id: id, transactionId: orderId, status, amount: formatMoney(amount_cents) }
  },
} satisfies Partial<Handlers>
