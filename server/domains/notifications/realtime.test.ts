import type { UnknownRow } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, createConnections } from '../../realtime/connections.ts'
import { buildFan, type Person } from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { notify } from './actions.ts'
import { markRead } from './inbox/actions.ts'
import { createNotificationDelivery } from './realtime.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('a count that was taken earlier never comes after a later one, however long the notification takes to read', async () => {
  const [person, other] = [await buildFan(harness), await buildFan(harness)]
  const { db } = harness.context
  const reading = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const slowly = db.withPlugin({
    transformQuery: ({ node }) => node,
    // A notification's row comes late, a count at once.
    async transformResult({ result }) {
      if (result.rows.some((row: UnknownRow) => 'kind' in row)) {
        reading.resolve()
        await opened.promise
      }
      return result
    },
  })
  const connections = createConnections()
  const counts: number[] = []
  const [read, otherTold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const connect = ({ id }: Person, heard: (name: string, unread: number) => void) =>
    connections.add({
      viewer: { id },
      conversationId: null,
      emit: (name: string, { unread }: { unread: number }) => heard(name, unread),
    } as unknown as Connection)
  connect(person, (name, unread) => {
    counts.push(unread)
    if (name === 'notifications read') read.resolve()
  })
  connect(other, () => otherTold.resolve())
  const deliver = createNotificationDelivery({ ...harness.context, db: slowly }, connections)

  const now = harness.clock.now()
  await db
    .transaction()
    .execute((tx) => notify(tx, { kind: 'export.ready', person: person.id, data: {} }, { now }))
  const { id: notificationId } = await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow()
  deliver({ name: 'notification.added', notificationId, people: [person.id] })
  await reading.promise
  await db.transaction().execute((tx) => markRead(tx, { userId: person.id, ids: null, now }))
  deliver({ name: 'notifications.read', people: [person.id] })
  // Nobody else waits for it.
  deliver({ name: 'notifications.read', people: [other.id] })
  await otherTold.promise
  opened.resolve()
  await read.promise
  await expect.poll(() => counts).toEqual([1, 0])
})
