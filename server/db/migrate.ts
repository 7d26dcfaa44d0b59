import { runMigrations as migrateJobs } from 'graphile-worker'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Pool } from './client.ts'
import { migrations } from './migrations/index.ts'

/** Brings the database to the newest shape, the queue's own tables included. Safe to run twice and by two processes at once. */
export async function migrate(db: Pool, connectionString: string): Promise<void> {
  await db.connection().execute(async (one) => {
    if (await isMigrated(one)) return
    // Filling a column of a large table, or waiting for the process that does, takes longer than a call may.
    await sql`set statement_timeout = 0`.execute(one)
    const migrator = new Migrator({ db: one, provider: { getMigrations: async () => migrations } })
    const { error } = await migrator.migrateToLatest()
    await sql`reset statement_timeout`.execute(one)
    if (error) throw error
  })
  await migrateJobs({ connectionString })
}

/** Whether just these migrations have run. The library reads the whole catalog twice before it looks. */
async function isMigrated(db: Pool): Promise<boolean> {
  const { rows: table } = await sql<{
    isThere: boolean
  }>`select to_regclass('kysely_migration') is not null as "isThere"`.execute(db)
  if (!table[0]?.isThere) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.length === Object.keys(migrations).length && rows.every(({ name }) => name in migrations)
}
