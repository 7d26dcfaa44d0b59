import pino from 'pino'
import { createPool } from '../db/client.ts'
import { type JobHandlers, jobs } from '../jobs/catalogue.ts'
import { startRunner } from '../jobs/runner.ts'

/** A process that works the queue of the database in `DATABASE_URL`; it prints each job that it takes, and never finishes one. */
const handlers = Object.fromEntries(
  Object.keys(jobs).map((name) => [
    name,
    async () => {
      process.stdout.write(`${name}\n`)
      await new Promise(() => {})
    },
  ]),
) as unknown as JobHandlers

await startRunner({
  openPool: (max) => createPool(process.env.DATABASE_URL ?? '', { max, onError: () => {} }),
  handlers,
  log: pino({ level: 'silent' }),
})
