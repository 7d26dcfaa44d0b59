import { formatMoney } from '../../../../contract/money.ts'
import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { centsOf } from '../rules.ts'
import { decidePayout, exportPayouts, requestPayout } from './actions.ts'
import { findBalance, listAllPayouts, listPayouts } from './data.ts'
import { downloadExport } from './exports/actions.ts'
import { listExports } from './exports/data.ts'
import { bankFileOf, presentExport } from './exports/present.ts'
import { presentAnyPayout, presentPayout } from './present.ts'
import { MIN_PAYOUT_CENTS } from './rules.ts'

export const payoutHandlers = {
  async balance({ db, viewer, now }) {
    const { pending, available, reserved, onTheWay, paidOut } = await findBalance(db, viewer.id, now)
    return {
      pending: formatMoney(pending),
      available: formatMoney(available),
      reserved: formatMoney(reserved),
      onTheWay: formatMoney(onTheWay),
      paidOut: formatMoney(paidOut),
      minimum: formatMoney(MIN_PAYOUT_CENTS),
    }
  },
  async payouts({ db, viewer, query, now }) {
    const rows = await listPayouts(db, viewer.id, query)
    return toPage(rows, query, (row) => presentPayout(row, now))
  },
  async requestPayout({ db, viewer, body, now }) {
    const row = await requestPayout(db, { userId: viewer.id, cents: centsOf(body.amount), now })
    return presentPayout(row, now)
  },
  async allPayouts({ db, viewer, query, now }) {
    const actorId = viewer.id
    const rows = await listAllPayouts(db, { actorId, showing: query.showing, page: query })
    return toPage(rows, query, (row) => presentAnyPayout(row, { actorId, now }))
  },
  async decidePayout({ db, viewer, body, now }) {
    await decidePayout(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },
  async exportPayouts({ context, db, viewer, body, now }) {
    const by = { actorId: viewer.id, ...body, now }
    const { lines, cents, held } = await exportPayouts(db, context.vault, by)
    return { csv: bankFileOf(lines), count: lines.length, held, total: formatMoney(cents) }
  },
  async payoutExports({ db, query, now }) {
    return toPage(await listExports(db, query), query, (row) => presentExport(row, now))
  },
  async downloadPayoutExport({ context, db, viewer, body, now }) {
    const lines = await downloadExport(db, context.vault, { actorId: viewer.id, ...body, now })
    return { csv: bankFileOf(lines) }
  },
} satisfies Partial<Handlers>
