import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { cloneTemplate } from '../server/testing/template.ts'

/** A database of one story's own on the PostgreSQL of the test run, for what a person can't bring about by hand. */
export type StoryDatabase = {
  /** The settings with which the product uses it. */
  environment: { DATABASE_URL: string; SECRET_KEY: string }
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** Has the background job done now that otherwise comes by the clock. */
  runSoon(job: string): Promise<void>
  /** Has everybody wait who writes to this table, until what it answers is called or the test is over. */
  lockTable(table: string): Promise<() => Promise<void>>
  /** Removes it; the product must have ended. */
  dispose(): Promise<void>
}

export async function createStoryDatabase(): Promise<StoryDatabase> {
  const database = await cloneTemplate(inject('databaseUrl'))
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  pool.on('error', () => {})
  return {
    environment: { DATABASE_URL: database.url, SECRET_KEY: 'a secret for stories, long enough to be one' },
    async query<Row extends object>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows
    },
    async runSoon(job) {
      await pool.query('select graphile_worker.add_job($1, $2)', [job, {}])
    },
    async lockTable(table) {
      const client = await pool.connect()
      let held = true
      const unlock = async () => {
        if (!held) return
        held = false
        await client.query('rollback')
        client.release()
      }
      // A test that fails in between holds up no other.
      onTestFinished(unlock)
      await client.query(`begin; lock table ${table} in share mode`)
      return unlock
    },
    async dispose() {
      await pool.end()
      await database.drop()
    },
  }
}
