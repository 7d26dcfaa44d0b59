import { runMigrations as migrateJobs } from 'graphile-worker'
import { Migrator } from 'kysely/migration'
import type { Pool } from './client.ts'
import { migrations } from './migrations/index.ts'

/** Brings the database to the newest shape, the queue's own tables included. Safe to run twice and by two processes at once. */
export async function migrate(db: Pool, connectionString: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  await migrateJobs({ connectionString })
}
