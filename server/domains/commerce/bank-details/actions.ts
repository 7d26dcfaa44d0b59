import { sql } from 'kysely'
import { wrongBankFields } from '../../../../contract/bank.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { notify } from '../../notifications/actions.ts'
import { type BankDetailsRow, PURPOSE } from './data.ts'
import { type Details, heldUntil, keptOf, lastFourOf } from './rules.ts'

/** Seals where a person wants to be paid, in place of what was there, and tells them. Throws `invalid_input` by field. */
export async function saveBankDetails(
  db: Tx,
  vault: Vault,
  { userId, now, ...entered }: Details & { userId: string; now: Date },
): Promise<BankDetailsRow> {
  const wrong = wrongBankFields(entered)
  if (Object.keys(wrong).length > 0) throw new AppError('invalid_input', { details: wrong })
  const details = keptOf(entered)
  const row = { country: details.country, last_four: lastFourOf(details), changed_at: now }
  const values = { ...row, sealed_details: vault.seal(PURPOSE, userId, JSON.stringify(details)) }
  const { added } = await db
    .insertInto('bank_details')
    .values({ ...values, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    // PostgreSQL notes an updating transaction there, and none for a new row.
    .returning(sql<boolean>`xmax = 0`.as('added'))
    .executeTakeFirstOrThrow()
  const data = { lastFour: row.last_four, until: heldUntil(now).toISOString().slice(0, 10), added }
  await notify(db, { kind: 'bank-details.changed', person: userId, data }, { now })
  return row
}

/** Seals the details of everybody with the newest secret; answers how many were sealed with another one. */
export async function resealBankDetails(tx: Tx, vault: Vault): Promise<number> {
  const rows = await tx.selectFrom('bank_details').selectAll().forUpdate().execute()
  const old = rows.filter(({ sealed_details }) => !vault.isCurrent(sealed_details))
  for (const { user_id, sealed_details } of old)
    await tx
      .updateTable('bank_details')
      .set({ sealed_details: vault.seal(PURPOSE, user_id, vault.open(PURPOSE, user_id, sealed_details)) })
      .where('user_id', '=', user_id)
      .execute()
  return old.length
}
