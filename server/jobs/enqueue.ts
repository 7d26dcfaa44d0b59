import { sql } from 'kysely'
import type { Tx } from '../db/client.ts'
import { type JobName, type JobPayload, jobs } from './catalogue.ts'

/**
 * Puts a job into the queue inside the caller's transaction: it runs after the commit, and is gone with a rollback.
 * `key` makes it the only waiting job of that key; `delaySeconds` holds it back.
 */
export async function enqueue<N extends JobName>(
  db: Tx,
  name: N,
  payload: JobPayload<N>,
  options: { key?: string; delaySeconds?: number; maxAttempts?: number } = {},
): Promise<void> {
  const json = JSON.stringify(jobs[name].parse(payload))
  await sql`
    select graphile_worker.add_job(
      ${name}, ${json}::json,
      run_at := now() + make_interval(secs => ${options.delaySeconds ?? 0}),
      max_attempts := ${options.maxAttempts ?? 10},
      job_key := ${options.key ?? null}
    )
  `.execute(db)
}
