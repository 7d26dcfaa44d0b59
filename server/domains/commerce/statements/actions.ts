import { writeAudit } from '../../../db/audit.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { findHolder, findMonths, findMovements, type Holder } from './data.ts'
import { finishedMonths, type Statement, statementOf } from './rules.ts'

/**
 * A person's statement of a finished month, from the kept sums of the ledger. Throws `statement_not_found` for a month that
 * isn't over, and for one before anything moved.
 */
export async function makeStatement(
  db: Db,
  { holder, month, now }: { holder: Holder; month: string; now: Date },
): Promise<Statement> {
  const months = await findMonths(db, holder.id)
  const listed = finishedMonths(months, now).find((one) => one.month === month)
  if (!listed) throw new AppError('statement_not_found')
  const opening = listed.closingCents - listed.changeCents
  return statementOf(month, opening, await findMovements(db, holder.id, month))
}

/** Finds whose statement an operator asks for, and writes down that they did. Throws `user_not_found`. */
export async function openStatement(
  db: Tx,
  asked: { username: string; month: string; actorId: string; reason: string; now: Date },
): Promise<Holder> {
  const { username, month, actorId, reason, now } = asked
  const holder = await findHolder(db, { username })
  if (!holder) throw new AppError('user_not_found')
  const target = { targetKind: 'user' as const, targetId: holder.id }
  await writeAudit(db, { actorId, action: 'statement.opened', ...target, reason, detail: { month }, now })
  return holder
}
