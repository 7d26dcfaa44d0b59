import { sql } from 'kysely'
import type { Signal } from '../../../../contract/realtime.ts'
import type { Tx } from '../../../db/client.ts'
import { publishEach } from '../../../realtime/publish.ts'
import { listening, listOnline } from './data.ts'

/** An arbitrary number: the lock of the process that is updating presence. */
const PRESENCE = 7_315_604_210

type Seen = { listener: number; here: string[]; gone: string[] }

/** Records who connected to this process and who left; notifies others of people who came online or went offline. */
export async function notePresence(tx: Tx, { listener, here, gone }: Seen): Promise<void> {
  await lockPresence(tx)
  const people = [...here, ...gone]
  const before = await listOnline(tx, people)
  await sql`
    insert into online_people (user_id, listener)
    select id, ${listener} from users where id = any(${here}::uuid[])
    on conflict do nothing`.execute(tx)
  await tx
    .deleteFrom('online_people')
    .where('user_id', '=', sql<string>`any(${gone}::uuid[])`)
    .where('listener', '=', listener)
    .execute()
  const after = await listOnline(tx, people)
  const changed = people.filter((userId) => after.has(userId) !== before.has(userId))
  await publishEach(
    tx,
    changed.map((userId) => presenceOf(userId, after)),
  )
}

/** Removes everybody connected to the process of these names, or to a process that no longer runs. */
export async function clearPresence(tx: Tx, listeners: number[]): Promise<void> {
  await lockPresence(tx)
  const rows = await tx
    .deleteFrom('online_people')
    .where((eb) => eb.or([eb('listener', '=', sql<number>`any(${listeners}::int[])`), eb.not(listening)]))
    .returning('user_id')
    .execute()
  const gone = [...new Set(rows.map(({ user_id }) => user_id))]
  const after = await listOnline(tx, gone)
  const left = gone.filter((userId) => !after.has(userId))
  await publishEach(
    tx,
    left.map((userId) => presenceOf(userId, after)),
  )
}

const presenceOf = (userId: string, online: Set<string>): Signal => ({
  name: 'presence',
  userId,
  online: online.has(userId),
  people: [],
})

/** Two processes that see the same person leave at once must not each assume that the other still has them. */
async function lockPresence(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PRESENCE})`.execute(tx)
}
