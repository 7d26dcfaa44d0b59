import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Dispute } from '../../../../contract/routes/commerce/disputes.ts'
import { presentPerson } from '../present.ts'
import type { DisputeRow } from './data.ts'

/** A dispute as operators see it. */
export function presentDispute(row: DisputeRow): z.output<typeof Dispute> {
  return {
    _id: row.id,
    transactionId: row.order_id,
    kind: row.kind,
    title: row.title,
    buyer: presentPerson(row.buyer_id, row.buyerUsername, row.buyerLeavingSince),
    creator: presentPerson(row.creator_id, row.creatorUsername, row.creatorLeavingSince),
    amount: formatMoney(row.amount_cents),
    fee: formatMoney(row.fee_cents),
    cause: row.cause,
    caseNumber: row.case_number,
    respondBy: row.respondBy,
    status: row.status,
    openedAt: row.opened_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  }
}
