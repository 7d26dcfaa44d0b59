import type { z } from 'zod'
import { csvOf } from '../../../../contract/csv.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Payout } from '../../../../contract/routes/commerce/payouts.ts'
import { presentPerson } from '../present.ts'
import type { ExportedPayout, PayoutRow } from './data.ts'

/** A payout as the one who is paid sees it: an operator's reason only where it didn't come about. */
export function presentPayout(row: PayoutRow): z.output<typeof Payout> {
  const ended = row.status === 'failed' || row.status === 'canceled'
  return {
    _id: row.id,
    amount: formatMoney(row.amount_cents),
    status: row.status,
    requestedAt: row.requested_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    reason: ended ? row.reason : null,
  }
}

/** A payout as operators see it. */
export function presentAnyPayout(row: PayoutRow) {
  return { ...presentPayout(row), person: presentPerson(row.user_id, row.username, row.hidden_at) }
}

const HEADER = ['Payout', 'Username', 'Name', 'Email', 'Amount', 'Currency', 'Requested']

/** What the bank is to pay, as a file that it and spreadsheets read. */
export function presentForBank(rows: ExportedPayout[]): string {
  return csvOf([
    HEADER,
    ...rows.map((row) => [
      row.id,
      row.username,
      [row.first_name, row.last_name].filter(Boolean).join(' '),
      row.email,
      (row.amount_cents / 100).toFixed(2),
      row.currency.toUpperCase(),
      row.requested_at.toISOString(),
    ]),
  ])
}
