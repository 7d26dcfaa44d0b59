import { toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findOrderBalance } from '../ledger/data.ts'
import { listWithheld } from '../referrals/data.ts'
import { findForOutside } from '../refunds/rules.ts'
import {
  findOperatorPayment,
  listAttempts,
  listGivenBack,
  listOperatorPayments,
  listReferrers,
  listRefusedRefunds,
  listTransfersMissing,
  listUndecided,
  listWaitingRefunds,
} from './operator/data.ts'
import {
  presentOperatorPayment,
  presentPaymentDetail,
  presentTransfer,
  presentUndecided,
} from './operator/present.ts'

export const paymentHandlers = {
  async payments({ db, query }) {
    return toPage(await listOperatorPayments(db, query, query), query, presentOperatorPayment)
  },
  async undecidedPayments({ db, now }) {
    const refunds = [...(await listRefusedRefunds(db)), ...(await listWaitingRefunds(db, now))]
    const rows = [...(await listUndecided(db, now)), ...refunds]
    const transfers = await listTransfersMissing(db)
    return { items: [...rows.map(presentUndecided), ...transfers.map(presentTransfer)] }
  },
  async payment({ db, params: { transactionId } }) {
    const order = await findOperatorPayment(db, transactionId)
    if (!order) throw new AppError('not_found')
    const givenBack = await listGivenBack(db, transactionId)
    const balance = await findOrderBalance(db, transactionId)
    return presentPaymentDetail(order, {
      balance,
      referrers: await listReferrers(db, balance),
      withheld: await listWithheld(db, transactionId),
      attempts: await listAttempts(db, transactionId),
      ...givenBack,
      outside: findForOutside(givenBack.refunds.toReversed()),
    })
  },
} satisfies Partial<Handlers>
