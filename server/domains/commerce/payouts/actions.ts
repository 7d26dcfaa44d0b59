import { sql } from 'kysely'
import { formatMoney } from '../../../../contract/money.ts'
import type { Vault } from '../../../crypto/vault.ts'
import { writeAudit, writeAuditEach } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import type { PayoutStatus } from '../../../db/tables/commerce/payouts.ts'
import { AppError } from '../../../errors.ts'
import { isThereAnother } from '../../identity/roles/data.ts'
import { notify } from '../../notifications/actions.ts'
import { findBankDetails } from '../bank-details/data.ts'
import {
  postPaidReturned,
  postPayout,
  postPayoutPaid,
  postPayoutReturned,
} from '../ledger/payouts/actions.ts'
import { hasOpenFindings } from '../reconciliation/data.ts'
import { countApproved, findForBank, findRecoverers, payoutRow } from './data.ts'
import { keepExport } from './exports/actions.ts'
import { bankLineOf } from './exports/present.ts'
import { askAgainUntil, type Decision, decided, type LaterStatus, MIN_PAYOUT_CENTS, UNPAID } from './rules.ts'

/**
 * Sets an amount of a person's available balance aside to be paid out. Throws `payout_below_minimum`,
 * `bank_details_required` and `payout_exceeds_balance`.
 */
export async function requestPayout(
  db: Tx,
  { userId, cents, now }: { userId: string; cents: number; now: Date },
) {
  if (cents < MIN_PAYOUT_CENTS) throw new AppError('payout_below_minimum')
  if (!(await findBankDetails(db, userId))) throw new AppError('bank_details_required')
  const { id: payoutId } = await db
    .insertInto('payouts')
    .values({ user_id: userId, amount_cents: cents, requested_at: now, changed_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await postPayout(db, { payoutId, userId, cents, now })
  await recordEvents(db, [payoutId], 'requested', { actorId: userId, reason: '', now })
  return payoutRow(db, payoutId)
}

type Deciding = { actorId: string; reason: string; now: Date }

/**
 * An operator's decision, or what the bank made of it; the audit log says why. Money that isn't paid, or has come back, is
 * available again.
 * Throws `payout_not_found`, `payouts_on_hold` for an approval, and what `decided` refuses.
 */
export async function decidePayout(
  db: Tx,
  { payoutId, decision, ...by }: Deciding & { payoutId: string; decision: Decision },
): Promise<void> {
  const payout = await db
    .selectFrom('payouts')
    .innerJoin('users', 'users.id', 'payouts.user_id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .selectAll('payouts')
    .select(['suspended_at', 'due_at'])
    .where('payouts.id', '=', payoutId)
    // A live installation pays out nothing that the sandbox made.
    .where('payouts.livemode', '=', sql<boolean>`installation_livemode()`)
    .forUpdate('payouts')
    .executeTakeFirst()
  if (!payout) throw new AppError('payout_not_found')
  const { actorId } = by
  const recoverers = await findRecoverers(db, payout.user_id)
  // Where everybody who could approve said so of one, each may: else nobody could.
  const isRecovery =
    recoverers.includes(actorId) &&
    (await isThereAnother(db, 'payouts.approve', [...recoverers, payout.user_id]))
  const outcome = decided(payout, decision, {
    actorId,
    isRecovery,
    isSuspended: payout.suspended_at !== null,
  })
  if ('refused' in outcome) throw new AppError(outcome.refused)
  if (decision === 'approve') await requireNoFindings(db)
  const { status } = outcome
  await setStatus(db, [payoutId], status, by)
  const posted = { payoutId, cents: payout.amount_cents, now: by.now }
  if (status === 'paid') await postPayoutPaid(db, posted)
  const cut = UNPAID.includes(status)
    ? await (status === 'returned' ? postPaidReturned : postPayoutReturned)(db, posted)
    : { takenCents: 0, reservedCents: 0 }
  if (status === 'in_transit') return
  const reason = status === 'approved' || status === 'paid' ? null : by.reason
  // A suspended person can't log in to ask again.
  const erasedFrom = UNPAID.includes(status) && !payout.suspended_at ? payout.due_at : null
  const until = erasedFrom && [erasedFrom, askAgainUntil(by.now)].toSorted((a, b) => +a - +b)[1]
  const data = {
    ...{ amount: formatMoney(payout.amount_cents), state: status, reason },
    until: until?.toISOString().slice(0, 10) ?? null,
    cut: presentCut(payout.amount_cents, cut),
  }
  const once = `payout.changed ${payoutId} ${status}`
  await notify(db, { kind: 'payout.changed', person: payout.user_id, data }, { now: by.now, once })
}

/** What of an amount that came back is in the balance, and what isn't; null where all of it is. */
function presentCut(cents: number, cut: { takenCents: number; reservedCents: number }) {
  const { takenCents, reservedCents } = cut
  if (takenCents + reservedCents === 0) return null
  return {
    back: formatMoney(cents - takenCents - reservedCents),
    taken: takenCents > 0 ? formatMoney(takenCents) : null,
    held: reservedCents > 0 ? formatMoney(reservedCents) : null,
  }
}

/** No money leaves while it isn't certain that it came in. */
async function requireNoFindings(db: Tx): Promise<void> {
  if (await hasOpenFindings(db)) throw new AppError('payouts_on_hold')
}

/**
 * Hands the approved payouts to the bank whose people aren't suspended and have details that aren't new: they are in transit from now on, each of
 * them in one export, which is kept; the audit log says who did it. Answers the lines of the file, and how many stay behind. Throws `payouts_on_hold`.
 */
export async function exportPayouts(
  db: Tx,
  vault: Vault,
  by: Deciding,
): Promise<{ lines: string[][]; cents: number; held: number }> {
  await requireNoFindings(db)
  const payouts = await findForBank(db, by.now)
  const lines = payouts.map((payout) => bankLineOf(payout, vault))
  await setStatus(
    db,
    payouts.map(({ id }) => id),
    'in_transit',
    by,
  )
  const cents = payouts.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  const { actorId, reason, now } = by
  const target = { targetKind: 'payouts' as const, targetId: 'bank' }
  const detail = { count: payouts.length, cents }
  await writeAudit(db, { actorId, action: 'payouts.exported', ...target, reason, detail, now })
  await keepExport(db, vault, { payouts, lines, cents, ...by })
  return { lines, cents, held: await countApproved(db) }
}

async function setStatus(
  db: Tx,
  payoutIds: string[],
  status: LaterStatus,
  { actorId, reason, now }: Deciding,
): Promise<void> {
  if (payoutIds.length === 0) return
  await db
    .updateTable('payouts')
    .set({ status, changed_at: now })
    .where('id', '=', sql<string>`any(${payoutIds}::uuid[])`)
    .execute()
  await recordEvents(db, payoutIds, status, { actorId, reason, now })
  const target = { targetKind: 'payout' as const, targetIds: payoutIds }
  await writeAuditEach(db, { actorId, action: `payout.${status}`, ...target, reason, detail: {}, now })
}

async function recordEvents(
  db: Tx,
  payoutIds: string[],
  status: PayoutStatus,
  { actorId, reason, now }: Deciding,
): Promise<void> {
  await sql`
    insert into payout_events (payout_id, status, actor_id, reason, occurred_at)
    select payout_id, ${status}, ${actorId}::uuid, ${reason}, ${now}::timestamptz
    from unnest(${payoutIds}::uuid[]) as payout_id`.execute(db)
}
