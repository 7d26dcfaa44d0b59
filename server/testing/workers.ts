import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import type { Delivery } from '../../contract/notifications.ts'
import { createPool } from '../db/client.ts'
import type { JobHandlers, JobName, JobPayload } from '../jobs/catalogue.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { startRunner } from '../jobs/runner.ts'
import type { Harness } from './harness.ts'

/** A requested email to an address that nobody has. */
export const mailTo = (address: string): Delivery => ({
  id: randomUUID(),
  message: { kind: 'password.reset', address },
})
export const addressOf = ({ message }: Delivery) => ('address' in message ? message.address : '')

/** Workers of a file's server, whose jobs a test can hold back. */
export function workers(server: () => Harness) {
  /** What a test has to release: its jobs, then its workers. */
  const gates: (() => void)[] = []
  const runners: { stop(): Promise<void> }[] = []

  /** Ends the workers, and forgets their jobs, after each test. */
  async function release() {
    for (const open of gates.splice(0)) open()
    for (const runner of runners.splice(0)) await runner.stop()
    await sql`delete from graphile_worker._private_jobs`.execute(server().context.db)
    // A lane that stopped before it could start again leaves its queue locked, which only a job would have freed.
    await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(
      server().context.db,
    )
  }

  /** Starts a worker, by `databaseUrl` where that is another address; `onLog` gets the messages of its log. */
  async function startWith(
    handlers: Partial<JobHandlers>,
    options: { databaseUrl?: string; onLog?: (message: string) => void; stopWithinMs?: number } = {},
  ) {
    const { databaseUrl = server().databaseUrl, onLog = () => {}, stopWithinMs } = options
    const runner = await startRunner({
      openPool: (max) => createPool(databaseUrl, { max, onError: () => {}, answerTimeoutMs: 0 }),
      handlers: { ...server().server.jobs, ...handlers },
      log: pino({ base: null }, { write: (line) => onLog((JSON.parse(line) as { msg: string }).msg) }),
      ...(stopWithinMs === undefined ? {} : { stopWithinMs }),
    })
    runners.push(runner)
    return runner
  }

  const put = <N extends JobName>(name: N, payload: JobPayload<N>, options?: Parameters<typeof enqueue>[3]) =>
    server()
      .context.db.transaction()
      .execute((tx) => enqueue(tx, name, payload, options))

  /** Blocks jobs until the test is over; counts how many started. */
  function gate() {
    const { promise, resolve } = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    gates.push(resolve)
    const at = {
      came: 0,
      first: arrived.promise,
      async wait() {
        at.came++
        arrived.resolve()
        await promise
      },
    }
    return at
  }

  /** Sends emails as usual, and resolves when the first one arrived. */
  function delivered() {
    const { promise, resolve } = Promise.withResolvers<string>()
    const handler: JobHandlers['notifications.send'] = async (delivery, run) => {
      await server().server.jobs['notifications.send'](delivery, run)
      resolve(addressOf(delivery))
    }
    return { handler, promise }
  }

  return { gates, release, startWith, put, gate, delivered }
}
