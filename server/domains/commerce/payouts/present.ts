import type { z } from 'zod'
import { formatMoney } from '../../../../contract/money.ts'
import type { Payout } from '../../../../contract/routes/commerce/payouts.ts'
import { heldUntil } from '../bank-details/rules.ts'
import { presentPerson } from '../present.ts'
import type { AnyPayoutRow, PayoutRow, Recovery } from './data.ts'
import { needsAnother, OPEN, UNPAID } from './rules.ts'

/** A payout as the one who is paid sees it: an operator's reason only where it didn't come about. */
export function presentPayout(row: PayoutRow, now: Date): z.output<typeof Payout> {
  return {
    _id: row.id,
    amount: formatMoney(row.amount_cents),
    status: row.status,
    requestedAt: row.requested_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    reason: UNPAID.includes(row.status) ? row.reason : null,
    hold: UNSENT.includes(row.status) ? holdOf(row, now) : null,
  }
}

/** What keeps a payout from the bank; what takes somebody to end it comes first. */
function holdOf(row: PayoutRow, now: Date): z.output<typeof Payout>['hold'] {
  const { suspended_at: suspendedAt, bankChangedAt: changedAt, findingsSince } = row
  // One that was asked for later is held from then on.
  const heldSince = (from: Date) =>
    new Date(Math.max(from.getTime(), row.requested_at.getTime())).toISOString()
  if (suspendedAt) return { why: 'suspended', since: suspendedAt.toISOString(), until: null }
  if (!changedAt) return { why: 'noDetails', since: null, until: null }
  if (findingsSince) return { why: 'differences', since: heldSince(findingsSince), until: null }
  const until = heldUntil(changedAt)
  if (until <= now) return null
  return { why: 'newDetails', since: heldSince(changedAt), until: until.toISOString() }
}

/** Those that haven't gone to the bank. */
const UNSENT: readonly PayoutRow['status'][] = ['requested', 'approved']

/** A payout as operators see it. Whose it is they have to know for as long as it is open, also of who is leaving. */
export function presentAnyPayout(row: AnyPayoutRow, { actorId, now }: { actorId: string; now: Date }) {
  const { status, availableCents, suspended_at: suspendedAt, deletion_requested_at: leavingSince } = row
  const isOpen = OPEN.includes(status)
  const isUnsent = UNSENT.includes(status)
  const owedCents = isUnsent ? Math.max(0, -(availableCents ?? 0)) : 0
  return {
    ...presentPayout(row, now),
    person: presentPerson(row.user_id, row.username, isOpen ? null : leavingSince),
    accountFlags: [
      ...(suspendedAt && isUnsent ? (['suspended'] as const) : []),
      ...(leavingSince && isOpen ? (['leaving'] as const) : []),
    ],
    owes: owedCents > 0 ? formatMoney(owedCents) : null,
    bankLastFour: row.bankLastFour,
    recovered: (row.recovered ?? []).map(presentRecovery),
    needsAnother: needsAnother(row, { actorId, isRecovery: row.isRecovery }),
  }
}

function presentRecovery({ status, at, reason, cents, ...operator }: Recovery) {
  const { operatorId, operatorUsername, operatorLeavingSince } = operator
  return {
    status,
    amount: formatMoney(cents),
    by: presentPerson(
      operatorId,
      operatorUsername,
      operatorLeavingSince ? new Date(operatorLeavingSince) : null,
    ),
    at: new Date(at).toISOString(),
    reason,
  }
}
