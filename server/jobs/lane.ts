import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Runner, WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Liveness } from './liveness.ts'

/** How long to wait before restarting a lane that stopped by itself. */
const PAUSE_MS = 1000
/** How often to look whether the database has answered all that a lane asked it. */
const LOOK_AGAIN_MS = 10

/**
 * Starts a lane, and restarts it whenever it stops by itself, for example because the database was unreachable when a job
 * ended; its jobs then run once more. Throws when the lane can't be started at all.
 */
export async function keepWorking(options: {
  pool: pg.Pool
  start: (events: WorkerEvents) => Promise<Runner>
  liveness: Liveness
  log: Logger
}): Promise<{ stop(): Promise<void> }> {
  const { pool, liveness, log } = options
  const stopping = new AbortController()
  const started = async () => {
    const workers: string[] = []
    const idle = Promise.withResolvers<void>()
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool: { id } }) => {
      workers.push(id)
      liveness.claim(id)
    })
    // The queue keeps for good what it first read of its kinds of jobs, a failure as well: such a lane never works, so it ends.
    let [hasRead, isEnding] = [false, false]
    for (const event of ['worker:getJob:empty', 'job:start'] as const)
      events.on(event, () => (hasRead = true))
    events.on('worker:getJob:error', ({ worker: { workerPool } }) => {
      if (hasRead || isEnding) return
      isEnding = true
      // Once its other workers know as well.
      setImmediate(() => void Promise.resolve(workerPool.gracefulShutdown()).catch(() => {}))
    })
    events.on('pool:gracefulShutdown:complete', () => idle.resolve())
    events.on('pool:gracefulShutdown:error', () => idle.resolve())
    const runner = await options.start(events)
    // The runner's own end never comes once the ends of two jobs were refused, and may wait a minute for its crontab's next try.
    return { runner, workers, over: idle.promise.then(() => answered(pool)) }
  }
  let lane = await started()
  const end = () => lane.runner.stop().catch(() => {})
  const ended = (async () => {
    for (;;) {
      if (stopping.signal.aborted) void end()
      await lane.over
      void end()
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
  })()
  return {
    async stop() {
      stopping.abort()
      void end()
      await ended
    },
  }
}

/** The queue releases its listening connection twice where that breaks during a stop: what the second throws, nobody catches. */
export function releasedOnce(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool)
  type Connected = Parameters<typeof connect>[0]
  const once = (connected: Connected) =>
    connect((error, client, release) => {
      let released = false
      if (error) return connected(error, undefined, release)
      connected(undefined, client, (reason) => {
        if (!released) release(reason)
        released = true
      })
    })
  return Object.assign(pool, {
    connect: (connected?: Connected) => (connected ? once(connected) : connect()),
  })
}

/** Resolves once all that was asked by this pool is answered: the queue doesn't wait for each end of a job to be taken down. */
async function answered(pool: pg.Pool): Promise<void> {
  do await wait(LOOK_AGAIN_MS)
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount)
}
