import { expect, test } from 'vitest'
import { disputes } from '../../../testing/money/disputes.ts'
import { emailsTo } from '../../../testing/security.ts'

const DAY_MS = 24 * 3600 * 1000
const scene = disputes()

test('who disputed an earlier month, and never canceled, isn’t told that they did', async () => {
  await scene.buy('subscription')
  scene.harness.clock.advance(32 * DAY_MS)
  scene.operator = { ...scene.operator, token: await scene.recentSession(scene.operator) }
  await scene.harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const [first] = await scene.harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'paid')
    .orderBy('period')
    .execute()
  expect((await scene.dispute(first?.id ?? '')).status).toBe(200)
  scene.harness.clock.advance(61_000)
  const mails = await emailsTo(scene.harness, scene.fan.email)
  expect(mails.filter(({ subject }) => subject.startsWith('You canceled')).map(({ text }) => text)).toEqual(
    [],
  )
})
