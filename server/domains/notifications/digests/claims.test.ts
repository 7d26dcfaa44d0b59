import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession } from '../../../testing/builders.ts'
import { channels } from '../../../testing/channels.ts'
import { until } from '../../../testing/chat.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { emailsTo } from '../../../testing/security.ts'
import { notify } from '../actions.ts'

/** What changes around the moment in which a digest is claimed. */

const scene = channels()
const { as, sale, advanceTo } = scene
const digests = () =>
  scene.harness.server.jobs['notifications.digests']({}, { attempt: 1, lastAttempt: false })

test('what is being told while a digest finds nothing else comes with it, or with the next one', async () => {
  const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
  const { db } = scene.harness.context
  await sale(creator, fan)
  await as(creator).call(routes.readNotifications, { body: {} })
  advanceTo(9)
  const [told, commits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const selling = db.transaction().execute(async (tx) => {
    const data = {
      from: fan.username,
      fromId: fan.id,
      title: 'A photo',
      amount: '$4',
      item: 'single' as const,
    }
    await notify(tx, { kind: 'sale.made', person: creator.id, data }, { now: scene.harness.clock.now() })
    told.resolve()
    await commits.promise
  })
  await told.promise
  const looking = digests()
  await Promise.race([looking, until(async () => (await waitingForLocks(db, 'notification_settings')) > 0)])
  commits.resolve()
  await Promise.all([selling, looking])
  for (let day = 0; day < 2; day++) {
    advanceTo(10)
    await digests()
  }
  expect(await emailsTo(scene.harness, creator.email)).toHaveLength(1)
})

test('a digest that waits isn’t sent of what no emails are wanted of by then', async () => {
  const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
  await sale(creator, fan)
  advanceTo(10)
  await digests()
  const renewed = as({ token: await buildSession(scene.harness, creator.id) })
  await renewed.call(routes.setNotificationTopic, { body: { topic: 'sales', email: 'off' } })
  expect(await emailsTo(scene.harness, creator.email)).toEqual([])
})

test('an account whose digest can’t be made keeps nobody else waiting, and gets it once it can', async () => {
  const { db } = scene.harness.context
  const [creator, fan, other] = [
    await buildCreator(scene.harness),
    await buildFan(scene.harness),
    await buildCreator(scene.harness),
  ]
  await sale(creator, fan)
  await sale(other, fan)
  await sql`create function refuses() returns trigger language plpgsql as 'begin raise exception $$not now$$; end'`.execute(
    db,
  )
  await sql`create trigger refuses before update on notification_settings for each row
    when (new.user_id = ${sql.lit(creator.id)}) execute function refuses()`.execute(db)
  // The longest waiting comes first.
  await sql`update notification_settings set next_digest_at = next_digest_at + interval '1 minute'
    where user_id = ${other.id}`.execute(db)
  advanceTo(10)
  await digests()
  const count = async ({ email }: { email: string }) => (await emailsTo(scene.harness, email)).length
  expect([await count(creator), await count(other)]).toEqual([0, 1])
  await sql`drop function refuses cascade`.execute(db)
  await digests()
  expect([await count(creator), await count(other)]).toEqual([1, 1])
})
