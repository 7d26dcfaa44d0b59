import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Finding, Settlement } from '../../../../contract/routes/commerce/reconciliation.ts'
import type { listFindings } from './data.ts'
import type { listSettlements } from './settlements/data.ts'
import { differenceCents, netCents } from './settlements/rules.ts'

/** A difference as operators see it. */
export function presentFinding(
  row: Awaited<ReturnType<typeof listFindings>>[number],
): z.output<typeof Finding> {
  return {
    _id: row.id,
    kind: row.kind,
    transactionId: row.order_id,
    gatewayTransactionId: row.gateway_transaction_id,
    amount: row.amount_cents === null ? null : formatMoney(row.amount_cents),
    since: row.found_at.toISOString(),
    owner: row.ownerId && row.ownerName ? { _id: row.ownerId, username: row.ownerName } : null,
  }
}

/** A settled batch as operators see it. */
export function presentSettlement(
  row: Awaited<ReturnType<typeof listSettlements>>[number],
): z.output<typeof Settlement> {
  const batch = {
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
    chargedBackCents: row.charged_back_cents,
  }
  const own = {
    chargedCents: row.own_charged_cents,
    refundedCents: row.own_refunded_cents,
    chargedBackCents: row.own_charged_back_cents,
  }
  const difference = differenceCents(batch, own)
  return {
    _id: row.id,
    batchId: row.batch_id,
    settledAt: row.settled_at.toISOString(),
    charged: formatMoney(batch.chargedCents),
    refunded: formatMoney(batch.refundedCents),
    chargedBack: formatMoney(batch.chargedBackCents),
    net: formatMoney(netCents(batch)),
    state: row.posted_at !== null ? 'posted' : row.found ? 'differs' : 'waiting',
    difference: difference === null ? null : formatMoney(difference),
  }
}
