import { formatMoney } from '../../../../contract/money.ts'
import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { findTotals, listTransactions, sumSalesByDay } from './data.ts'
import { presentTransaction } from './present.ts'

export const ledgerHandlers = {
  async transactions({ context, db, viewer, query }) {
    const [rows, { gross, fee, share, commissions, spent }] = await Promise.all([
      listTransactions(db, viewer.id, query),
      findTotals(db, viewer.id),
    ])
    return {
      ...toPage(rows, query, (row) => presentTransaction(row, viewer.id, context.config.BRAND_NAME)),
      totals: {
        gross: formatMoney(gross),
        fee: formatMoney(fee),
        share: formatMoney(share),
        commissions: formatMoney(commissions),
        spent: formatMoney(spent),
      },
    }
  },
  async earnings({ db, viewer, query }) {
    const days = await sumSalesByDay(db, viewer.id, query)
    return {
      days: days.map(({ day, sales, gross, fee, share }) => ({
        day,
        sales,
        gross: formatMoney(gross),
        fee: formatMoney(fee),
        share: formatMoney(share),
      })),
    }
  },
} satisfies Partial<Handlers>
