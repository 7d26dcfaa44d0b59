import { formatMoney } from '../../../../contract/money.ts'
import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { findTotals, listTransactions } from './data.ts'
import { presentTransaction } from './present.ts'

export const ledgerHandlers = {
  async transactions({ db, viewer, query }) {
    const rows = await listTransactions(db, viewer.id, query)
    const { gross, fee, share, spent } = await findTotals(db, viewer.id)
    return {
      ...toPage(rows, query, (row) => presentTransaction(row, viewer.id)),
      totals: {
        gross: formatMoney(gross),
        fee: formatMoney(fee),
        share: formatMoney(share),
        spent: formatMoney(spent),
      },
    }
  },
} satisfies Partial<Handlers>
