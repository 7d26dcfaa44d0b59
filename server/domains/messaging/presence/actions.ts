import type { Tx } from '../../../db/client.ts'
import { publish } from '../../../realtime/publish.ts'
import { isOnline } from './data.ts'

type Seen = { userId: string; listener: number; here: boolean }

/** Notes whether somebody is connected to this process; tells others when they are online, or no longer, because of it. */
export async function notePresence(tx: Tx, { userId, listener, here }: Seen): Promise<void> {
  // Two processes that see the same person go at once must not each take the other for a reason to keep silent.
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const before = await isOnline(tx, userId)
  if (here)
    await tx
      .insertInto('online_people')
      .values({ user_id: userId, listener })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await tx
      .deleteFrom('online_people')
      .where('user_id', '=', userId)
      .where('listener', '=', listener)
      .execute()
  const online = await isOnline(tx, userId)
  if (online !== before) await publish(tx, { name: 'presence', userId, online, people: [] })
}

/** Forgets whoever was connected to the process of this name. */
export async function clearPresence(tx: Tx, listener: number): Promise<void> {
  const gone = await tx
    .deleteFrom('online_people')
    .where('listener', '=', listener)
    .returning('user_id')
    .execute()
  for (const { user_id: userId } of gone)
    if (!(await isOnline(tx, userId)))
      await publish(tx, { name: 'presence', userId, online: false, people: [] })
}
