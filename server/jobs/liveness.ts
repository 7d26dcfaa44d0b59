import type pg from 'pg'

/** Tracks which queue workers are alive, and frees the jobs of dead ones. */
export type Liveness = {
  /** Marks this worker as alive for as long as this process runs. */
  claim(worker: string): void
  /** Resolves once every process sees the claimed workers as alive; none may take a job before that. Throws while the database is unreachable. */
  claimed(): Promise<void>
  /** Frees jobs that killed processes left locked; the queue itself would wait hours. */
  releaseOrphanedJobs(): Promise<void>
  stop(): Promise<void>
}

/** A shared database lock that marks a worker as alive: it ends with the connection, and so with the process. */
const lockOf = (worker: string) => `hashtextextended('worker of jobs ' || ${worker}, 0)`

/** Uses one pool connection, and opens another when it breaks. */
export function createLiveness(pool: pg.Pool): Liveness {
  const own: string[] = []
  let connected: Promise<pg.PoolClient> | null = null
  let locked: Promise<unknown> | null = null
  let stopped = false

  function connect(): Promise<pg.PoolClient> {
    const connecting = pool.connect()
    const lost = () => {
      if (connected !== connecting) return false
      connected = locked = null
      return true
    }
    connecting.then(
      (client) =>
        client.once('error', () => {
          if (!lost()) return
          client.release(true)
          // Reconnect right away, as jobs are running; if the database is unreachable, the next check tries again.
          claimed().catch(() => {})
        }),
      lost,
    )
    return connecting
  }

  let last: Promise<unknown> = Promise.resolve()
  /** One query at a time, as on any connection. */
  function query(text: string): Promise<unknown> {
    const answer = last.then(async () => {
      // Nobody would give back a connection that is opened now, which the pool's end would wait for.
      if (stopped) throw new Error('the worker has stopped')
      connected ??= connect()
      return (await connected).query(text, [own])
    })
    last = answer.catch(() => {})
    return answer
  }

  async function claimed(): Promise<void> {
    // Shared, because a connection that broke only on our side keeps its lock for a while. The database notices a lost
    // machine within two minutes.
    locked ??= query(`
      select pg_advisory_lock_shared(${lockOf('worker')}), set_config('tcp_keepalives_idle', '60', false),
        set_config('tcp_keepalives_interval', '15', false), set_config('tcp_keepalives_count', '4', false)
      from unnest($1::text[]) as worker`)
    const attempt = locked
    await attempt.catch((error: unknown) => {
      if (locked === attempt) locked = null
      throw error
    })
  }

  return {
    claim(worker) {
      own.push(worker)
      locked = null
    },
    claimed,
    async releaseOrphanedJobs() {
      await claimed()
      await query(`
        select graphile_worker.force_unlock_workers(array_agg(worker)) from (
          select distinct locked_by as worker from graphile_worker.jobs where locked_by is not null
        ) as at_work
        where worker <> all($1::text[]) and pg_try_advisory_xact_lock(${lockOf('worker')})
        having count(*) > 0`)
    },
    async stop() {
      stopped = true
      const last = connected
      connected = null
      await last?.then((client) => client.release(true)).catch(() => {})
    },
  }
}
