import { Readable } from 'node:stream'
import type { z } from 'zod'
import { csvOf } from '../../../../contract/csv.ts'
import { decimalOf, formatMoney } from '../../../../contract/money.ts'
import type { Adjustment } from '../../../../contract/routes/commerce/adjustments.ts'
import { presentPerson } from '../present.ts'
import type { AdjustmentRow, OwnAccounts } from './data.ts'

/** An adjustment as operators see it. */
export function presentAdjustment(row: AdjustmentRow): z.output<typeof Adjustment> {
  const { deciderId, deciderName } = row
  const decided = deciderId !== null && deciderName !== null
  return {
    _id: row.id,
    from: row.from_account,
    to: row.to_account,
    amount: formatMoney(row.amount_cents),
    reference: row.reference,
    date: row.dated,
    reason: row.reason,
    status: row.status,
    proposedBy: presentPerson(row.proposerId, row.proposerName, row.proposerLeavingSince),
    proposedAt: row.proposed_at.toISOString(),
    decidedBy: decided ? presentPerson(deciderId, deciderName, row.deciderLeavingSince) : null,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
  }
}

/** Balances of the platform's own accounts, as text. */
export function presentBooks(accounts: OwnAccounts) {
  return {
    bank: formatMoney(accounts.bankCents),
    processorFees: formatMoney(accounts.processorFeesCents),
    disputeFees: formatMoney(accounts.disputeFeesCents),
    suspense: formatMoney(accounts.suspenseCents),
    suspenseHeld: formatMoney(accounts.suspenseHeldCents),
  }
}

const HEADER = [
  ...['Date', 'Reference', 'From', 'To', 'Amount', 'Currency', 'Status', 'Reason', 'Entered by'],
  ...['Entered at (UTC)', 'Decided by', 'Decided at (UTC)', 'Reason for the decision'],
]

/** Adjustments as a file, written as its batches are read. */
export function presentFile(batches: AsyncIterable<AdjustmentRow[]>): Readable {
  return Readable.from(lines(batches), { objectMode: false })
}

async function* lines(batches: AsyncIterable<AdjustmentRow[]>): AsyncGenerator<string> {
  // The mark makes spreadsheets read it as UTF-8.
  yield `\uFEFF${csvOf([HEADER])}`
  for await (const rows of batches) yield csvOf(rows.map(lineOf))
}

function lineOf(row: AdjustmentRow): string[] {
  const { date, reference, from, to, status, reason, ...adjustment } = presentAdjustment(row)
  return [
    ...[date, reference, from, to, decimalOf(row.amount_cents), row.currency.toUpperCase(), status, reason],
    ...[adjustment.proposedBy.username, adjustment.proposedAt],
    ...[adjustment.decidedBy?.username ?? '', adjustment.decidedAt ?? '', adjustment.decisionReason ?? ''],
  ]
}
