import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFan, buildSession, buildUser } from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ rateLimits: true })
})
afterAll(() => harness?.stop())

test('the sweep forgets what is past use, and nothing else', async () => {
  const { db, clock } = harness.context
  const [early, late] = [await buildFan(harness), await buildUser(harness, { verified: false })]
  await harness.api.as(late).send('POST', '/users/resendemailconfirmation', { body: {} })
  const key = { route: 'x', request_hash: 'x', status: 200, response: '{}' }
  await db
    .insertInto('idempotency_keys')
    .values({ ...key, user_id: early.id, key: 'old', created_at: clock.now() })
    .execute()
  await sql`insert into rate_limits (key, points, expire) values ('over', 1, 1)`.execute(db)
  clock.advance(8 * DAY_MS)
  await db
    .insertInto('idempotency_keys')
    .values({ ...key, user_id: early.id, key: 'new', created_at: clock.now() })
    .execute()
  clock.advance(22 * DAY_MS)
  await db.updateTable('idempotency_keys').set({ created_at: clock.now() }).where('key', '=', 'new').execute()
  await buildSession(harness, late.id)
  await harness.api.as(late).send('POST', '/users/resendemailconfirmation', { body: {} })

  await harness.server.jobs['identity.sweep']({}, { attempt: 1, lastAttempt: false })

  const sessions = await db.selectFrom('sessions').select('user_id').execute()
  expect(sessions).toEqual([{ user_id: late.id }])
  expect(await db.selectFrom('idempotency_keys').select('key').execute()).toEqual([{ key: 'new' }])
  const limits = await sql<{ key: string }>`select key from rate_limits`.execute(db)
  expect(limits.rows.map((row) => row.key)).toEqual([`resendEmailConfirmation:user:${late.id}`])
})
