import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import { type JobName, type JobPayload, jobs } from './catalogue.ts'
import type { JobDefinition } from './job.ts'

const CLOCK_OFFSET = sql`(select clock_offset_ms * interval '1 millisecond' from installation)`

/** SQL of the time by which the queue starts jobs, as our clock shows it. */
export const queueTime: RawBuilder<Date> = sql`now() + ${CLOCK_OFFSET}`

/** Priority of jobs that nobody waits for: all other due jobs of their lane run first. */
export const LATER = 10
/** Priority between those and jobs that a person is blocked on, such as a link by email. */
export const SOON = 5

type Priority = typeof LATER | typeof SOON

/** The latest turn, a `smallint`; those beyond it are worked in the order in which they came. */
const LAST_TURN = 32_767

/** Whose job it is, by our clock, where people take turns. */
type Turn = { person: string; now: Date }

/**
 * The turn of a person's next job of this name: after their own last one, else with the first of those that wait, so that people
 * take turns however many jobs each of them has waiting. A running job's turn is over, and that of one that failed and isn't due
 * again has yet to come: who joined them would be ahead of all that wait.
 */
async function findTurn(tx: Tx, name: JobName, { person, now }: Turn): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${name} ${person}`}, 0))`.execute(tx)
  const { rows } = await sql<{ turn: number }>`
    select least(
      coalesce(
        max(priority) filter (where flags ? ${person} and not is_later) + 1,
        min(priority) filter (where not is_running and not is_later),
        min(priority) filter (where is_running),
        min(priority),
        0
      ),
      ${LAST_TURN}
    ) as turn
    from graphile_worker.jobs, lateral (select
      locked_at is not null as is_running,
      locked_at is null and attempts > 0 and run_at + ${CLOCK_OFFSET} > ${now}::timestamptz as is_later
    ) as state
    where task_identifier = ${name} and (is_running or attempts < max_attempts)`.execute(tx)
  return rows[0]?.turn ?? 0
}

/**
 * Enqueues a job in the caller's transaction: it runs after the commit, and a rollback discards it. `key` makes it the
 * only waiting job with that key, replacing one that waits already. `runAt`, by our clock, or `waitMs`, by the queue's own,
 * delays it. A job already running under the key continues, and isn't retried. `turnOf` names the person whose job it is,
 * where people take turns; then all jobs of its lane must have one, as the turn is the priority.
 */
export async function enqueue<N extends JobName>(
  tx: Tx,
  name: N,
  payload: JobPayload<N>,
  options: { key?: string; runAt?: Date; waitMs?: number; priority?: Priority; turnOf?: Turn } = {},
): Promise<void> {
  const { turnOf } = options
  const definition: JobDefinition = jobs[name]
  const json = JSON.stringify(definition.payload.parse(payload))
  const single = definition.single ? name : null
  const priority = turnOf ? await findTurn(tx, name, turnOf) : (options.priority ?? null)
  // The queue uses the system clock; ours is ahead of it in a sandbox whose clock was moved.
  await sql`
    select graphile_worker.add_job(
      ${name}, ${json}::json,
      queue_name := ${single ?? (definition.inTurn ? name : null)},
      run_at := coalesce(
        clock_timestamp() + ${options.waitMs ?? null}::bigint * interval '1 millisecond',
        ${options.runAt ?? null}::timestamptz - ${CLOCK_OFFSET}
      ),
      max_attempts := ${definition.attempts},
      priority := ${priority}::integer,
      flags := ${turnOf ? [turnOf.person] : null}::text[],
      job_key := ${options.key ?? single},
      job_key_mode := ${single ? 'preserve_run_at' : 'replace'}
    )
  `.execute(tx)
}

/** Enqueues a run of each of these now, in one statement; one that waits already keeps its time. For jobs without a payload. */
export async function enqueueRuns(tx: Tx, names: JobName[]): Promise<void> {
  if (names.length === 0) return
  const rows = names.map((name) => {
    const { attempts, single }: JobDefinition = jobs[name]
    return { name, attempts, single: single ? name : null }
  })
  await sql`
    select graphile_worker.add_jobs(array(
      select row(name, '{}'::json, single, clock_timestamp(), attempts, single, null, null)::graphile_worker.job_spec
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (name text, attempts integer, single text)
    ), true)`.execute(tx)
}

/** Wakes a worker of every lane, for what is due already. */
export async function wakeWorkers(db: Db): Promise<void> {
  await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
}

/** Takes the job that waits under this key out of the queue; one that runs already continues, and isn't retried. */
export async function discard(tx: Tx, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(tx)
}

/**
 * SQL with which a statement enqueues jobs for its own rows. `rows` selects `payload` (json), `key`, and `run_at` by our
 * clock; a job already waiting under its key keeps its time.
 */
export function countEnqueued(
  name: JobName,
  rows: RawBuilder<unknown>,
  priority?: Priority,
): RawBuilder<number> {
  const { attempts, single, inTurn }: JobDefinition = jobs[name]
  // Most statements enqueue nothing, and then skip the call.
  return sql`(
    select count(*) from (select array(
      select row(${name}, payload, ${sql.lit(single || inTurn ? name : null)},
        run_at - ${CLOCK_OFFSET},
        ${sql.lit(attempts)}, key, ${sql.lit(priority ?? null)}, null)::graphile_worker.job_spec
      from (${rows}) as job
    ) as specs) as due, lateral graphile_worker.add_jobs(due.specs, true) where cardinality(due.specs) > 0
  )`
}

/** Enqueues many jobs of one name in one statement; a job already waiting under its key keeps its time. */
export async function enqueueMany<N extends JobName>(
  tx: Tx,
  name: N,
  each: { payload: JobPayload<N>; key?: string; runAt?: Date }[],
  { priority }: { priority?: Priority | undefined } = {},
): Promise<void> {
  if (each.length === 0) return
  const { payload: schema }: JobDefinition = jobs[name]
  // One statement can't replace a job that it just enqueued, so only the last of each key is sent.
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
