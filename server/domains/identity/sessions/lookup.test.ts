import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFan, buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const DAY_MS = 24 * 3600 * 1000

it('tells everybody apart who calls in the same moment, and lets nobody in without a live session', async () => {
  const { db, clock } = harness.context
  const people: Person[] = []
  for (let index = 0; index < 8; index++) people.push(await buildFan(harness))
  const [first, second] = people
  const elsewhere = { token: await buildSession(harness, first?.id ?? '') }
  const over = { token: await buildSession(harness, second?.id ?? '') }
  await db
    .updateTable('sessions')
    .set({ expires_at: clock.now() })
    .where('user_id', '=', second?.id ?? '')
    .where('id', '=', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', second?.id ?? '')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .execute()
  const unknown = { token: 'x'.repeat(43) }
  const callers = [...people, elsewhere, over, unknown, ...people]
  const answers = await Promise.all(
    callers.map((caller) =>
      harness.api
        .as(caller)
        .call(routes.me, {})
        .then(
          ({ _id }) => _id,
          (error: { status: number }) => error.status,
        ),
    ),
  )
  const ids = people.map(({ id }) => id)
  expect(answers).toEqual([...ids, first?.id, 401, 401, ...ids])
  clock.advance(31 * DAY_MS)
  await expect(harness.api.as(elsewhere).call(routes.me, {})).rejects.toMatchObject({ status: 401 })
})
