import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Harness, startHarness } from '../testing/harness.ts'
import { mailTo, workers } from '../testing/workers.ts'

const MINUTE_MS = 60_000
/** A worker in its own process. */
const CHILD = join(import.meta.dirname, '..', 'testing', 'job-worker.ts')

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
const { gates, release, startWith, put, gate, delivered } = workers(() => harness)
afterEach(release)
afterAll(() => harness.stop())

async function lockAsDead(): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-of-a-killed-process', attempts = 1`.execute(
    harness.context.db,
  )
}

describe('jobs that a killed process left locked', () => {
  test('are worked by the next start', async () => {
    const box = delivered()
    await put('notifications.send', mailTo('a@example.test'))
    await lockAsDead()
    await startWith({ 'notifications.send': box.handler })
    expect(await box.promise).toBe('a@example.test')
  })

  test('are worked within a minute by a worker that lives on, but none of a living one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    gates.push(() => vi.useRealTimers())
    const { db } = harness.context
    await put('posts.submit', {})
    const child = spawn(process.execPath, ['--no-warnings', CHILD], {
      env: { DATABASE_URL: harness.databaseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    gates.push(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    for await (const name of createInterface(child.stdout)) if (name === 'posts.submit') break
    const { rows: at } = await sql<{ worker: string }>`
      select locked_by as worker from graphile_worker.jobs where task_identifier = 'posts.submit' and locked_by is not null`.execute(
      db,
    )
    const posting = gate()
    await startWith({ 'posts.submit': posting.wait })
    await put('posts.submit', {})
    const locks = async () => (await livingWorkers()).filter(({ worker }) => worker === at[0]?.worker).length
    const isQueueLocked = async () => {
      const { rows } = await sql`
        select from graphile_worker._private_job_queues where queue_name = 'posts.submit' and locked_by is not null`.execute(
        db,
      )
      return rows.length === 1
    }
    expect(await Promise.all([locks(), isQueueLocked()])).toEqual([1, true])
    child.kill('SIGKILL')
    await ended
    await expect.poll(locks).toBe(0)
    expect([posting.came, await isQueueLocked()]).toEqual([0, true])
    vi.advanceTimersByTime(MINUTE_MS)
    await posting.first
  })

  test('stay with a worker whose connection broke, which is seen to live again', async () => {
    const mails = gate()
    await put('notifications.send', mailTo('a@example.test'))
    await startWith({ 'notifications.send': mails.wait })
    await mails.first
    const { rows: at } = await sql<{ worker: string }>`
      select locked_by as worker from graphile_worker.jobs where task_identifier = 'notifications.send'`.execute(
      harness.context.db,
    )
    const before = (await livingWorkers()).find(({ worker }) => worker === at[0]?.worker)
    await sql`select pg_terminate_backend(${before?.pid ?? 0}::integer)`.execute(harness.context.db)
    const again = async () => (await livingWorkers()).filter(({ pid }) => pid !== before?.pid)
    await expect.poll(async () => (await again()).map(({ worker }) => worker)).toContain(before?.worker)
    await startWith({ 'notifications.send': mails.wait })
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'notifications.send' and locked_by = ${before?.worker}`.execute(
      harness.context.db,
    )
    expect([mails.came, rows.length]).toEqual([1, 1])
  })
})

/** Workers with jobs that count as alive, and their connections. */
async function livingWorkers(): Promise<{ worker: string; pid: number }[]> {
  const { rows } = await sql<{ worker: string; pid: number }>`
    select distinct locked_by as worker, pid from graphile_worker.jobs, pg_locks
    where locked_by is not null and locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = hashtextextended('worker of jobs ' || locked_by, 0)`.execute(
    harness.context.db,
  )
  return rows
}
