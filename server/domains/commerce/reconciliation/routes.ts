import { formatMoney } from '../../../../contract/money.ts'
import type { Handlers } from '../../../handler.ts'
import { listFindings } from './data.ts'

export const reconciliationHandlers = {
  async findings({ db }) {
    const rows = await listFindings(db)
    return {
      items: rows.map((row) => ({
        _id: row.id,
        kind: row.kind,
        transactionId: row.order_id,
        gatewayTransactionId: row.gateway_transaction_id,
        amount: row.amount_cents === null ? null : formatMoney(row.amount_cents),
        since: row.found_at.toISOString(),
      })),
    }
  },
} satisfies Partial<Handlers>
