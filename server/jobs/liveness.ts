import type pg from 'pg'

/** Says which workers of the queue live, and frees the jobs of those that don't. */
export type Liveness = {
  /** This worker lives from now on, as long as this process does. */
  claim(worker: string): void
  /** Ends when all see that the claimed workers live, before which none may take a job; throws while the database is away. */
  claimed(): Promise<void>
  /** Frees the jobs that killed processes left locked, which the queue itself would do after hours only. */
  releaseOrphanedJobs(): Promise<void>
  stop(): Promise<void>
}

/** By this lock of the database, held shared, others see that a worker lives: it ends with the connection, and so with the process. */
const lockOf = (worker: string) => `hashtextextended('worker of jobs ' || ${worker}, 0)`

/** Over one connection of the pool, which is made again when it breaks. */
export function createLiveness(pool: pg.Pool): Liveness {
  const own: string[] = []
  let connected: Promise<pg.PoolClient> | null = null
  let locked: Promise<unknown> | null = null

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
          // At once, as jobs are at hand; where the database is away, the next look tries again.
          claimed().catch(() => {})
        }),
      lost,
    )
    return connecting
  }

  let last: Promise<unknown> = Promise.resolve()
  /** One after the other, as a connection takes them. */
  function query(text: string): Promise<unknown> {
    const answer = last.then(async () => {
      connected ??= connect()
      return (await connected).query(text, [own])
    })
    last = answer.catch(() => {})
    return answer
  }

  async function claimed(): Promise<void> {
    // Shared, as a connection that broke on this side alone holds its own for a while. The database notices a machine
    // that is gone within two minutes.
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
      const last = connected
      connected = null
      await last?.then((client) => client.release(true)).catch(() => {})
    },
  }
}
