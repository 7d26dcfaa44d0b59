import { csvOf } from '../../../../../contract/csv.ts'
import { decimalOf, formatMoney } from '../../../../../contract/money.ts'
import type { Vault } from '../../../../crypto/vault.ts'
import { openDetails } from '../../bank-details/data.ts'
import { presentPerson } from '../../present.ts'
import type { ExportedPayout } from '../data.ts'
import { endedOf, isFileKept } from '../rules.ts'
import type { ExportRow } from './data.ts'

const HEADER = [
  ...['Payout', 'Username', 'Name', 'Email', 'Amount', 'Currency', 'Requested'],
  ...['Account holder', 'Bank country', 'IBAN', 'SWIFT code', 'Routing number', 'Account number'],
]

/** What the bank is told of a payout, in the order of the file's header. */
export function bankLineOf(row: ExportedPayout, vault: Vault): string[] {
  const details = openDetails(vault, row.user_id, row.sealed_details)
  return [
    row.id,
    row.username,
    [row.first_name, row.last_name].filter(Boolean).join(' '),
    row.email,
    decimalOf(row.amount_cents),
    row.currency.toUpperCase(),
    row.requested_at.toISOString(),
    details.accountHolder,
    details.country,
    details.iban ?? '',
    details.swiftCode ?? '',
    details.routingNumber ?? '',
    details.accountNumber ?? '',
  ]
}

/** Those lines as a file that banks and spreadsheets can read. */
export const bankFileOf = (lines: string[][]) => csvOf([HEADER, ...lines])

/** An export as operators see it. */
export function presentExport(row: ExportRow, now: Date) {
  return {
    _id: row.id,
    by: presentPerson(row.exported_by, row.username, row.deletion_requested_at),
    exportedAt: row.exported_at.toISOString(),
    reason: row.reason,
    count: row.count,
    total: formatMoney(row.amount_cents),
    hasFile: isFileKept(row, row.statuses.length, now),
    ...endedOf(row.statuses),
  }
}
