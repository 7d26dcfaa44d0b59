import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/client.ts'
import { type JobName, type JobPayload, jobs } from './catalogue.ts'
import type { JobDefinition } from './job.ts'

/** The priority of jobs that nobody waits for: every other one that is due in their lane goes first. */
export const LATER = 10
/** The priority of jobs that come before those, and after what somebody can't go on without, such as a link. */
export const SOON = 5

type Priority = typeof LATER | typeof SOON

/**
 * Puts a job into the queue inside the caller's transaction: it runs after the commit, and is gone with a rollback.
 * `key` makes it the only waiting job of that key, in place of one that waits already; `runAt`, by our clock, holds it
 * back, or `waitMs`, for so long by the queue's own. One that runs under its key goes on beside the new one, and is not tried again.
 */
export async function enqueue<N extends JobName>(
  tx: Tx,
  name: N,
  payload: JobPayload<N>,
  options: { key?: string; runAt?: Date; waitMs?: number; priority?: Priority } = {},
): Promise<void> {
  const definition: JobDefinition = jobs[name]
  const json = JSON.stringify(definition.payload.parse(payload))
  const single = definition.single ? name : null
  // The queue goes by the system's clock, which ours is ahead of in a sandbox that was moved.
  await sql`
    select graphile_worker.add_job(
      ${name}, ${json}::json,
      queue_name := ${single ?? (definition.inTurn ? name : null)},
      run_at := coalesce(
        clock_timestamp() + ${options.waitMs ?? null}::bigint * interval '1 millisecond',
        ${options.runAt ?? null}::timestamptz
          - (select clock_offset_ms * interval '1 millisecond' from installation)
      ),
      max_attempts := ${definition.attempts},
      priority := ${options.priority ?? null}::integer,
      job_key := ${options.key ?? single},
      job_key_mode := ${single ? 'preserve_run_at' : 'replace'}
    )
  `.execute(tx)
}

/**
 * How many jobs a statement puts into the queue for its own rows, of which `rows` selects `payload` (json), `key` and
 * `run_at` by our clock; one that waits under its key already keeps its time.
 */
export function countEnqueued(
  name: JobName,
  rows: RawBuilder<unknown>,
  priority?: Priority,
): RawBuilder<number> {
  const { attempts, inTurn }: JobDefinition = jobs[name]
  // Most have none, and pay for no call then.
  return sql`(
    select count(*) from (select array(
      select row(${name}, payload, ${sql.lit(inTurn ? name : null)},
        run_at - (select clock_offset_ms * interval '1 millisecond' from installation),
        ${sql.lit(attempts)}, key, ${sql.lit(priority ?? null)}, null)::graphile_worker.job_spec
      from (${rows}) as job
    ) as specs) as due, lateral graphile_worker.add_jobs(due.specs, true) where cardinality(due.specs) > 0
  )`
}

/** Puts many jobs of one name into the queue by one statement; one that waits under its key already keeps its time. */
export async function enqueueMany<N extends JobName>(
  tx: Tx,
  name: N,
  each: { payload: JobPayload<N>; key?: string; runAt?: Date }[],
  { priority }: { priority?: Priority | undefined } = {},
): Promise<void> {
  if (each.length === 0) return
  const { payload: schema }: JobDefinition = jobs[name]
  // One statement can't replace a job that it has just put in, so of each key the last comes alone.
  const last = new Map(each.map((job) => [job.key ?? Symbol('no key'), job]))
  const rows = [...last.values()].map(({ payload, key, runAt }) => ({
    payload: schema.parse(payload),
    key,
    run_at: runAt,
  }))
  const given = sql`
    select payload, key, run_at from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (payload json, key text, run_at timestamptz)`
  await sql`select ${countEnqueued(name, given, priority)}`.execute(tx)
}
