import { parseCronItems, run, type TaskList, Logger as WorkerLogger } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type JobHandlers, type JobName, jobs, schedule } from './catalogue.ts'

/** The queue's view of our handlers: payloads are parsed by the catalogue before they are handled. */
export function taskListOf(handlers: JobHandlers): TaskList {
  return Object.fromEntries(
    (Object.keys(jobs) as JobName[]).map((name) => [
      name,
      async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
        const { attempts, max_attempts } = helpers.job
        const handler = handlers[name] as (
          payload: unknown,
          run: { attempt: number; lastAttempt: boolean },
        ) => Promise<void>
        // What comes from the crontab carries only its time.
        const { _cron, ...own } = (payload ?? {}) as Record<string, unknown>
        await handler(jobs[name].parse(own), { attempt: attempts, lastAttempt: attempts >= max_attempts })
      },
    ]),
  )
}

/** Any number of ours: whoever works this database's queue holds this lock as long as their process lives. */
const WORKERS_ALIVE = 7_315_604_201

/**
 * Frees the jobs that a killed process left locked, which the queue itself would do after hours only. Proven by the
 * database: while any worker lives it holds the lock shared, so whoever gets it alone knows that all others are dead.
 */
async function releaseOrphanedJobs(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect()
  const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [WORKERS_ALIVE])
  if (rows[0]?.alone) {
    await client.query(`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs where locked_by is not null having count(*) > 0`)
  }
  await client.query('select pg_advisory_lock_shared($1)', [WORKERS_ALIVE])
  if (rows[0]?.alone) await client.query('select pg_advisory_unlock($1)', [WORKERS_ALIVE])
  return client
}

/** Works the queue until stopped; stopping waits for the jobs at hand. */
export async function startRunner(options: {
  pool: pg.Pool
  handlers: JobHandlers
  log: Logger
  concurrency: number
}): Promise<{ stop(): Promise<void> }> {
  const alive = await releaseOrphanedJobs(options.pool)
  const runner = await run({
    pgPool: options.pool,
    taskList: taskListOf(options.handlers),
    parsedCronItems: parseCronItems([...schedule]),
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2000,
    logger: new WorkerLogger(() => (level, message, meta) => {
      if (level === 'error')
        options.log.error(
          { job: (meta as { job?: { task_identifier?: string } } | undefined)?.job?.task_identifier },
          message,
        )
    }),
  })
  return {
    async stop() {
      await runner.stop()
      alive.release(true)
    },
  }
}
