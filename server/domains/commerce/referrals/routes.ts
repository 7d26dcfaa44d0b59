import { formatMoney } from '../../../../contract/money.ts'
import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { cancelCommissions } from './actions.ts'
import {
  type CommissionRow,
  countReferred,
  findReferrerBalance,
  listCommissions,
  listMonths,
} from './data.ts'

export const referralHandlers = {
  async referralFigures({ db, viewer, now }) {
    const { pending, available, reserved } = await findReferrerBalance(db, viewer.id, now)
    const months = await listMonths(db, viewer.id, now)
    return {
      signUps: await countReferred(db, viewer.id),
      pending: formatMoney(pending),
      available: formatMoney(available),
      reserved: formatMoney(reserved),
      months: months.map(({ month, cents }) => ({ month, earned: formatMoney(cents) })),
    }
  },

  async commissions({ db, viewer, query, now }) {
    const rows = await listCommissions(db, viewer.id, query)
    return toPage(rows, query, (row) => presentCommission(row, now))
  },

  async cancelCommissions({ db, viewer, body, now }) {
    const { count, cents } = await cancelCommissions(db, { ...body, actorId: viewer.id, now })
    return { count, amount: formatMoney(cents) }
  },
} satisfies Partial<Handlers>

function presentCommission(row: CommissionRow, now: Date) {
  const { cents, returnedCents } = row
  const isPending = [row.available_at, row.putOffUntil].some((until) => until !== null && until > now)
  return {
    _id: row.id,
    amount: formatMoney(cents),
    returned: returnedCents > 0 ? formatMoney(returnedCents) : null,
    side: row.side,
    sharedCode: row.sharedCode,
    earnedAt: row.occurred_at.toISOString(),
    status: statusOf(row, isPending),
  }
}

function statusOf({ isCanceled, returnedCents, reservedCents, cents }: CommissionRow, isPending: boolean) {
  if (isCanceled) return 'canceled' as const
  if (returnedCents >= cents) return 'returned' as const
  if (reservedCents > 0) return 'onHold' as const
  return isPending ? ('pending' as const) : ('available' as const)
}
