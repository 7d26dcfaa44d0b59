import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { StartError } from '../errors.ts'

/**
 * Says whether money is real in this database from now on; rows of money take it from there. Throws a `StartError`
 * when it holds what belongs to the other kind, so that sandbox money and real money never meet, and when its clock was
 * moved and it's no `trial`: beside a real service nothing happens before its time.
 */
export async function enterMode(
  db: Db,
  { livemode, trial }: { livemode: boolean; trial: boolean },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('installation')
      .select(['livemode', 'sample_data_at', 'clock_offset_ms'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!trial && before.clock_offset_ms > 0) {
      throw new StartError(
        'The clock of this database was moved, which must never meet a real service: start with a new DATA_DIR or DATABASE_URL, or with no real service.',
      )
    }
    if (before.livemode === livemode) return
    const tried = livemode && before.sample_data_at !== null
    if (tried || (await holdsMoney(transaction, !livemode))) {
      throw new StartError(
        livemode
          ? 'This database was used with the sandbox: it holds sample accounts or sandbox money, which must never meet a real payment account: start with a new DATA_DIR or DATABASE_URL.'
          : 'This database holds real payments: set the AUTHORIZENET_* settings again, or try things on another DATA_DIR or DATABASE_URL.',
      )
    }
    await transaction.updateTable('installation').set({ livemode }).execute()
  })
}

/** Whether any table with a mode has a row of this one; a table that comes later is found by its column. */
async function holdsMoney(db: Db, livemode: boolean): Promise<boolean> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'livemode' and table_schema = current_schema() and table_name <> 'installation'`.execute(
    db,
  )
  for (const { name } of tables) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from ${sql.id(name)} where livemode = ${livemode}) as found`.execute(db)
    if (rows[0]?.found) return true
  }
  return false
}
