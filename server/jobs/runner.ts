import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type CronItem,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import { definitions, type JobHandlers, jobs } from './catalogue.ts'
import type { Lane } from './job.ts'

type Run = { attempt: number; lastAttempt: boolean }

/** How many jobs of a lane run at once. */
const AT_ONCE: Record<Lane, number> = {
  fast: 4,
  mail: 4,
  // More than the lines of uploads, so that a job of a line that is at work ends at once in a place of its own.
  media: 5,
  // As many as the processor takes at once, so that none holds a place while it waits there.
  posters: 1,
  copies: 1,
  exports: 2,
  // One for each kind, so that while the gateway hangs none waits for another: of each one runs at most.
  gateway: 7,
  renewals: 1,
  store: 2,
  push: 4,
  forum: 2,
  // What is looked up holds up nothing that is to be posted.
  posting: 2,
  bulk: 1,
}

/** Connections of a lane's own: one to hear of new jobs, the others to fetch and finish them, which takes a moment. */
const connectionsOf = (lane: Lane) => (AT_ONCE[lane] <= 2 ? 2 : 3)

/** The queue's view of our handlers: payloads are parsed by the catalogue before they are handled. */
export function taskListOf(handlers: JobHandlers, lane?: Lane): TaskList {
  const own = definitions.filter(([, definition]) => lane === undefined || definition.lane === lane)
  return Object.fromEntries(
    own.map(([name]) => [
      name,
      async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
        const { attempts, max_attempts } = helpers.job
        const handler = handlers[name] as (payload: unknown, run: Run) => Promise<void>
        // What comes from the crontab carries only its time.
        const { _cron, ...own } = (payload ?? {}) as Record<string, unknown>
        await handler(jobs[name].payload.parse(own), {
          attempt: attempts,
          lastAttempt: attempts >= max_attempts,
        })
      },
    ]),
  )
}

/** The crontab of a lane: by their keys one run waits at most, by their queues one runs. */
function cronItemsOf(lane: Lane): CronItem[] {
  return definitions.flatMap(([name, { cron, attempts, lane: itsLane }]) =>
    cron === undefined || itsLane !== lane
      ? []
      : [
          {
            task: name,
            match: cron,
            options: {
              maxAttempts: attempts,
              jobKey: name,
              jobKeyMode: 'preserve_run_at' as const,
              queueName: name,
            },
          },
        ],
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

/** Works the queue until stopped, each lane by itself with a pool that `openPool` makes; stopping waits for the jobs at hand. */
export async function startRunner(options: {
  openPool: (connections: number) => pg.Pool
  handlers: JobHandlers
  log: Logger
}): Promise<{ stop(): Promise<void> }> {
  const pools: pg.Pool[] = []
  const openPool = (connections: number) => {
    const pool = options.openPool(connections)
    pools.push(pool)
    return pool
  }
  const alive = await releaseOrphanedJobs(openPool(1))
  const lanes = await Promise.all(
    (Object.keys(AT_ONCE) as Lane[]).map((lane) => {
      const pool = openPool(connectionsOf(lane))
      return keepWorking(pool, options.log, (events) =>
        run({
          pgPool: pool,
          events,
          taskList: taskListOf(options.handlers, lane),
          parsedCronItems: parseCronItems(cronItemsOf(lane)),
          concurrency: AT_ONCE[lane],
          noHandleSignals: true,
          pollInterval: 2000,
          logger: errorsTo(options.log),
          // Else a job whose end the database did not take down would end the process: nobody waits for that answer.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
        }),
      )
    }),
  )
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
      alive.release(true)
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

/** How long a lane that ended by itself waits before it is started again. */
const PAUSE_MS = 1000

/**
 * Starts a lane, and starts it again whenever it ends by itself, as when the database was away at the end of a job; the
 * jobs that it had are run once more. Throws when it can't be started at all.
 */
async function keepWorking(pool: pg.Pool, log: Logger, start: (events: WorkerEvents) => Promise<Runner>) {
  const stopping = new AbortController()
  const started = async () => {
    const workers: string[] = []
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool }) => workers.push(workerPool.id))
    return { runner: await start(events), workers }
  }
  let lane = await started()
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      await lane.runner.promise
      await wait(PAUSE_MS, undefined, stopping).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        await pool.query('select graphile_worker.force_unlock_workers($1)', [lane.workers])
        lane = await started()
        log.warn('a lane of jobs had ended and was started again')
      } catch (error) {
        log.error({ err: error }, 'a lane of jobs could not be started again yet')
      }
    }
    await lane.runner.stop().catch(() => {})
  })()
  return {
    async stop() {
      stopping.abort()
      await lane.runner.stop().catch(() => {})
      await ended
    },
  }
}

/** Only the queue's errors, and of those only the job's name: payloads carry addresses. */
function errorsTo(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    if (level !== 'error') return
    const { job } = (meta ?? {}) as { job?: { task_identifier?: string } }
    log.error({ job: job?.task_identifier }, message)
  })
}
