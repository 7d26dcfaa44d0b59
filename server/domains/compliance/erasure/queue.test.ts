import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildUser } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { leave } from '../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('jobs of an address go with its account, and stay of another that ends with it or only speaks of it', async () => {
  const { context } = harness
  const ann = await buildUser(harness, { email: 'ann@quiet.test' })
  await leave(harness, ann)
  harness.clock.advance(30 * DAY_MS)
  await harness.runJobs()
  const joann = await buildUser(harness, { email: 'joann@quiet.test' })
  const queue = (kind: string, payload: string) =>
    sql`
    select graphile_worker.add_job('notifications.send', ${payload}::json, job_key := ${kind}, run_at := now() + interval '1 year')
  `.execute(context.db)
  await queue('hers', JSON.stringify({ message: { address: ann.email } }))
  await queue('typed', JSON.stringify({ message: { address: 'Ann@Quiet.test' } }))
  await queue('other', JSON.stringify({ message: { address: joann.email } }))
  await queue('longer', JSON.stringify({ message: { address: `${ann.email}.example` } }))
  await queue('spoken', JSON.stringify({ message: { text: `A letter to "${ann.email}`, half: '\ud83d' } }))
  await harness.server.jobs['account.erase']({}, { attempt: 1, lastAttempt: false })
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker._private_jobs where key = any('{hers,typed,other,longer,spoken}') order by key
  `.execute(context.db)
  expect(rows.map(({ key }) => key)).toEqual(['longer', 'other', 'spoken'])
})
