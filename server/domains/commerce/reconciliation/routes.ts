import { formatMoney } from '../../../../contract/money.ts'
import type { Handlers } from '../../../handler.ts'
import { resolveFinding, takeFinding } from './actions.ts'
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
        owner: row.ownerId && row.ownerName ? { _id: row.ownerId, username: row.ownerName } : null,
      })),
    }
  },
  async takeFinding({ db, viewer, body, now }) {
    await takeFinding(db, { ...body, actorId: viewer.id, now })
    return { success: true }
  },
  async resolveFinding({ db, viewer, body, now }) {
    await resolveFinding(db, { ...body, actorId: viewer.id, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
