import { setTimeout as wait } from 'node:timers/promises'
import {
  type CronItem,
  parseCronItems,
  run,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import { definitions, type JobHandlers, jobs } from './catalogue.ts'
import type { Lane } from './job.ts'
import { keepWorking, releasedOnce } from './lane.ts'
import { createLiveness } from './liveness.ts'

type Run = { attempt: number; lastAttempt: boolean }

/** How many jobs of a lane run at once. */
const AT_ONCE: Record<Lane, number> = {
  fast: 4,
  mail: 4,
  // More than the upload lines, so that a job whose line is busy gets a place of its own and ends right away.
  media: 5,
  // As many as the video processor runs at once, so that no job holds a place while it waits for it.
  posters: 1,
  copies: 1,
  exports: 2,
  // One per kind of job, so that none waits for another while the gateway hangs: each kind runs one at a time.
  gateway: 7,
  renewals: 1,
  store: 2,
  push: 4,
  forum: 2,
  // Look-ups don't delay posts.
  posting: 2,
  bulk: 1,
}

/** All lanes; a worker works each of them. */
export const LANES = Object.keys(AT_ONCE) as Lane[]

/** Connections of one lane: one listens for new jobs, the others fetch and finish jobs, which takes a moment. */
const connectionsOf = (lane: Lane) => (AT_ONCE[lane] <= 2 ? 2 : 3)

/** Our handlers as the queue calls them: payloads are parsed by the catalogue first. */
export function taskListOf(handlers: JobHandlers, lane?: Lane): TaskList {
  const own = definitions.filter(([, definition]) => lane === undefined || definition.lane === lane)
  return Object.fromEntries(
    own.map(([name]) => [
      name,
      async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
        const { attempts, max_attempts } = helpers.job
        const handler = handlers[name] as (payload: unknown, run: Run) => Promise<void>
        // Crontab jobs carry only their time.
        const { _cron, ...own } = (payload ?? {}) as Record<string, unknown>
        await handler(jobs[name].payload.parse(own), {
          attempt: attempts,
          lastAttempt: attempts >= max_attempts,
        })
      },
    ]),
  )
}

/** The crontab of a lane: the key allows one waiting run, the queue one running. */
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

/** How often a worker looks for jobs that killed processes left behind, in milliseconds. */
const LOOK_EVERY_MS = 60_000

/** How long a stop waits for running jobs, and for a database that doesn't answer, in milliseconds. */
const STOP_WITHIN_MS = 20_000

/**
 * Works the queue until stopped, each lane with a pool made by `openPool`. Stopping waits for running jobs, but for no longer
 * than `stopWithinMs`: what runs then runs once more after the next start.
 */
export async function startRunner(options: {
  openPool: (connections: number) => pg.Pool
  handlers: JobHandlers
  log: Logger
  stopWithinMs?: number
}): Promise<{ stop(): Promise<void> }> {
  const { log, stopWithinMs = STOP_WITHIN_MS } = options
  const pools: pg.Pool[] = []
  const openPool = (connections: number) => {
    const pool = releasedOnce(options.openPool(connections))
    pools.push(pool)
    return pool
  }
  const liveness = createLiveness(openPool(1))
  const lanes: { stop(): Promise<void> }[] = []
  const startLane = async (lane: Lane) => {
    const pool = openPool(connectionsOf(lane))
    const start = (events: WorkerEvents) =>
      run({
        pgPool: pool,
        events,
        taskList: taskListOf(options.handlers, lane),
        parsedCronItems: parseCronItems(cronItemsOf(lane)),
        concurrency: AT_ONCE[lane],
        // Checked before each job is taken.
        forbiddenFlags: () => liveness.claimed().then(() => []),
        noHandleSignals: true,
        pollInterval: 2000,
        logger: errorsTo(log),
        // Otherwise a job whose result the database didn't record would end the process, as nothing awaits that query.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      })
    lanes.push(await keepWorking({ pool, start, liveness, log }))
  }
  let looking = Promise.resolve()
  let look: NodeJS.Timeout | undefined
  async function end(): Promise<void> {
    clearInterval(look)
    await Promise.all([looking, ...lanes.map((lane) => lane.stop())])
    await liveness.stop()
    await Promise.all(pools.map((pool) => pool.end()))
  }
  async function endInTime(): Promise<void> {
    const inTime = new AbortController()
    const late = wait(stopWithinMs, 'late', inTime).catch(() => 'in time')
    if ((await Promise.race([end(), late])) === 'late')
      log.error(
        'jobs, or what they asked the database, did not end in time; those jobs run again after the next start',
      )
    inTime.abort()
  }
  try {
    await liveness.releaseOrphanedJobs()
    const starting = LANES.map(startLane)
    const failed = (await Promise.allSettled(starting)).find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  } catch (error) {
    await endInTime()
    throw error
  }
  look = setInterval(() => {
    looking = liveness
      .releaseOrphanedJobs()
      .catch((error) => log.error({ err: error }, 'no worker could be looked for that was killed'))
  }, LOOK_EVERY_MS)
  let ended: Promise<void> | undefined
  return { stop: () => (ended ??= endInTime()) }
}

/** Logs only the queue's errors, with only the job's name: payloads carry addresses. */
function errorsTo(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    if (level !== 'error') return
    const { job } = (meta ?? {}) as { job?: { task_identifier?: string } }
    log.error({ job: job?.task_identifier }, message)
  })
}
