import { sql } from 'kysely'
import { MAX_FAN_LISTS } from '../../../../contract/constants.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { countAllowed } from './data.ts'

/** Creates or renames a list; returns its id. Throws `fan_list_not_found`, `fan_list_exists`, and `fan_lists_full`. */
export async function saveList(
  tx: Tx,
  creatorId: string,
  { listId, name, now }: { listId: string | undefined; name: string; now: Date },
): Promise<string> {
  try {
    if (listId !== undefined) {
      await holdList(tx, creatorId, listId)
      await tx.updateTable('fan_lists').set({ name }).where('id', '=', listId).execute()
      return listId
    }
    await sql`select pg_advisory_xact_lock(hashtextextended(${`fan lists ${creatorId}`}, 0))`.execute(tx)
    const { lists } = await tx
      .selectFrom('fan_lists')
      .select((eb) => eb.fn.countAll<number>().as('lists'))
      .where('creator_id', '=', creatorId)
      .executeTakeFirstOrThrow()
    if (lists >= MAX_FAN_LISTS) throw new AppError('fan_lists_full')
    const { id } = await tx
      .insertInto('fan_lists')
      .values({ creator_id: creatorId, name, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    throw violates(error, 'fan_lists_name') ? new AppError('fan_list_exists') : error
  }
}

/** Deletes a list. Throws `fan_list_not_found`, and `fan_list_in_use` while a message that may still go out uses it. */
export async function deleteList(tx: Tx, creatorId: string, listId: string): Promise<void> {
  await holdList(tx, creatorId, listId)
  const waiting = await tx
    .selectFrom('mass_messages')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['scheduled', 'sending']),
        // Sent again, it would lose whom it is for, or whom it leaves out.
        eb.and([eb('status', '=', 'failed'), eb('sent', '=', 0)]),
      ]),
    )
    .where((eb) => eb.or([eb('list_id', '=', listId), eb('excluded_list_id', '=', listId)]))
    .executeTakeFirst()
  if (waiting) throw new AppError('fan_list_in_use')
  await tx.deleteFrom('fan_lists').where('id', '=', listId).execute()
}

/**
 * Adds people to a list and removes others. Throws `fan_list_not_found`, `fan_list_full`, `user_not_found` for somebody
 * who is neither a fan nor in a conversation with the creator, and `fan_never_wrote` for whom only the creator wrote to.
 */
export async function changeList(
  tx: Tx,
  creatorId: string,
  change: { listId: string; add: string[]; remove: string[]; now: Date },
): Promise<void> {
  const { listId, now } = change
  const add = [...new Set(change.add)]
  await holdList(tx, creatorId, listId)
  if ((await countAllowed(tx, creatorId, add, 'list')) < add.length) {
    const known = await countAllowed(tx, creatorId, add, 'note')
    throw new AppError(known < add.length ? 'user_not_found' : 'fan_never_wrote')
  }
  if (change.remove.length > 0)
    await tx
      .deleteFrom('fan_list_members')
      .where('list_id', '=', listId)
      .where('fan_id', '=', sql<string>`any(${change.remove}::uuid[])`)
      .execute()
  if (add.length === 0) return
  try {
    await tx
      .insertInto('fan_list_members')
      .values(add.map((fanId) => ({ list_id: listId, fan_id: fanId, added_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } catch (error) {
    throw violates(error, 'fan_lists_size') ? new AppError('fan_list_full') : error
  }
}

async function holdList(tx: Tx, creatorId: string, listId: string): Promise<void> {
  const list = await tx
    .selectFrom('fan_lists')
    .select('id')
    .where('id', '=', listId)
    .where('creator_id', '=', creatorId)
    .forUpdate()
    .executeTakeFirst()
  if (!list) throw new AppError('fan_list_not_found')
}

/** Saves a creator’s note on a fan, or removes it if it is empty. Throws `user_not_found`. */
export async function setNote(
  tx: Tx,
  creatorId: string,
  { fanId, note, now }: { fanId: string; note: string; now: Date },
): Promise<void> {
  if (note === '') {
    await tx.deleteFrom('fan_notes').where('creator_id', '=', creatorId).where('fan_id', '=', fanId).execute()
    return
  }
  if ((await countAllowed(tx, creatorId, [fanId], 'note')) === 0) throw new AppError('user_not_found')
  const set = { note, changed_at: now }
  await tx
    .insertInto('fan_notes')
    .values({ creator_id: creatorId, fan_id: fanId, ...set })
    .onConflict((conflict) => conflict.columns(['creator_id', 'fan_id']).doUpdateSet(set))
    .execute()
}
