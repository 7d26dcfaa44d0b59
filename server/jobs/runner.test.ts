import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Delivery } from '../../contract/notifications.ts'
import { createPool } from '../db/client.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import type { JobHandlers } from './catalogue.ts'
import { enqueue } from './enqueue.ts'
import { startRunner } from './runner.ts'

let harness: Harness
let pool: pg.Pool

beforeAll(async () => {
  harness = await startHarness()
  pool = createPool(harness.databaseUrl, { max: 6, onError: () => {} })
})
afterAll(async () => {
  await pool.end()
  await harness.stop()
})

const mail = {
  id: '01890000-0000-7000-8000-000000000001',
  message: { kind: 'password.reset' as const, address: 'a@example.test' },
}

/** Handlers of which only mail is told apart; resolves with the recipient of the first mail. */
function hearing(): { handlers: JobHandlers; heard: Promise<string> } {
  const { promise, resolve } = Promise.withResolvers<string>()
  const handlers = {
    ...harness.server.jobs,
    'notifications.send': async ({ message }: Delivery) =>
      resolve(message.kind === 'password.reset' ? message.address : ''),
  }
  return { handlers, heard: promise }
}

async function lockAsDead(): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-of-a-killed-process', attempts = 1`,
  )
}

describe('jobs that a killed process left locked', () => {
  test('are worked by the next start', async () => {
    await harness.context.db.transaction().execute((tx) => enqueue(tx, 'notifications.send', mail))
    await lockAsDead()
    const { handlers, heard } = hearing()
    const runner = await startRunner({ pool, handlers, log: pino({ level: 'silent' }), concurrency: 1 })
    expect(await heard).toBe('a@example.test')
    await runner.stop()
  })

  test('stay with their worker while any other worker lives', async () => {
    const { handlers } = hearing()
    const living = await startRunner({ pool, handlers, log: pino({ level: 'silent' }), concurrency: 1 })
    await harness.context.db
      .transaction()
      .execute((tx) => enqueue(tx, 'notifications.send', mail, { delaySeconds: 3600 }))
    await lockAsDead()
    const second = await startRunner({ pool, handlers, log: pino({ level: 'silent' }), concurrency: 1 })
    const { rows } = await pool.query(
      "select locked_by from graphile_worker.jobs where task_identifier = 'notifications.send'",
    )
    expect(rows).toEqual([{ locked_by: 'worker-of-a-killed-process' }])
    await second.stop()
    await living.stop()
  })
})
