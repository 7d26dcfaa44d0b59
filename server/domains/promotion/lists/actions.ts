import { sql } from 'kysely'
import type { AuditAction } from '../../../../contract/audit.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import { MAX_SUBREDDIT_LISTS } from '../../../../contract/promotion.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { findByNames } from '../subreddits/data.ts'

/** The writer of a list: its owner, or an operator for everybody's. */
export type Editor = { id: string; keepsAll: boolean }

/** Creates an empty list, with `siteWide` one for everybody. Throws `subreddit_list_exists` and `subreddit_lists_full`. */
export async function createList(
  tx: Tx,
  editor: Editor,
  { title, siteWide, now }: { title: string; siteWide: boolean; now: Date },
): Promise<string> {
  if (siteWide && !editor.keepsAll) throw new AppError('forbidden')
  const userId = siteWide ? null : editor.id
  await sql`select pg_advisory_xact_lock(hashtextextended(${`subreddit lists ${userId}`}, 0))`.execute(tx)
  const { held } = await tx
    .selectFrom('subreddit_lists')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('user_id', 'is not distinct from', userId)
    .executeTakeFirstOrThrow()
  if (held >= MAX_SUBREDDIT_LISTS) throw new AppError('subreddit_lists_full')
  const { id } = await refusing('subreddit_lists_title', 'subreddit_list_exists', () =>
    tx
      .insertInto('subreddit_lists')
      .values({ user_id: userId, title, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  if (siteWide) await audit(tx, editor.id, { action: 'subreddit-list.created', listId: id, now })
  return id
}

/**
 * Replaces what a list holds, its title and whether it removes from search; what is undefined stays. Throws
 * `subreddit_list_not_found`, `subreddit_list_exists` and `subreddit_not_found`.
 */
export async function updateList(
  tx: Tx,
  editor: Editor,
  change: {
    listId: string
    title?: string | undefined
    subreddits?: string[] | undefined
    removeFromSearch?: boolean | undefined
    now: Date
  },
): Promise<void> {
  const { listId, title, subreddits, removeFromSearch, now } = change
  const { siteWide, ...before } = await holdList(tx, editor, listId)
  await refusing('subreddit_lists_title', 'subreddit_list_exists', () =>
    tx
      .updateTable('subreddit_lists')
      .set({
        title: title ?? before.title,
        remove_from_search: removeFromSearch ?? before.remove_from_search,
      })
      .where('id', '=', listId)
      .execute(),
  )
  if (subreddits) await fillList(tx, listId, subreddits)
  if (siteWide) await audit(tx, editor.id, { action: 'subreddit-list.updated', listId, now })
}

/** Makes these the subreddits of a list. Throws `subreddit_not_found`. */
async function fillList(tx: Tx, listId: string, subreddits: readonly string[]): Promise<void> {
  const names = [...new Set(subreddits.map((name) => name.toLowerCase()))]
  const found = await findByNames(tx, names)
  if (found.length < names.length) throw new AppError('subreddit_not_found')
  const ids = found.map(({ id }) => id)
  await tx
    .deleteFrom('subreddit_list_members')
    .where('list_id', '=', listId)
    .where('subreddit_id', '<>', sql<string>`all(${ids}::uuid[])`)
    .execute()
  if (ids.length > 0)
    // An operator may remove one at this moment.
    await refusing('subreddit_list_members_subreddit_id_fkey', 'subreddit_not_found', () =>
      tx
        .insertInto('subreddit_list_members')
        .values(ids.map((id) => ({ list_id: listId, subreddit_id: id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
}

/** Deletes a list. Throws `subreddit_list_not_found`. */
export async function deleteList(tx: Tx, editor: Editor, listId: string, now: Date): Promise<void> {
  const { siteWide } = await holdList(tx, editor, listId)
  await tx.deleteFrom('subreddit_lists').where('id', '=', listId).execute()
  if (siteWide) await audit(tx, editor.id, { action: 'subreddit-list.deleted', listId, now })
}

/** Locks a list that this person may change; another’s isn’t there for them. */
async function holdList(tx: Tx, editor: Editor, listId: string) {
  const list = await tx
    .selectFrom('subreddit_lists')
    .select(['user_id', 'title', 'remove_from_search'])
    .where('id', '=', listId)
    .forUpdate()
    .executeTakeFirst()
  const { user_id, ...held } = requireEditable(editor, list)
  return { ...held, siteWide: user_id === null }
}

/** Throws `subreddit_list_not_found` for another’s list, and `forbidden` for one for everybody. */
export function requireEditable<List extends { user_id: string | null }>(
  editor: Editor,
  list: List | undefined,
): List {
  if (!list || (list.user_id !== null && list.user_id !== editor.id))
    throw new AppError('subreddit_list_not_found')
  if (list.user_id === null && !editor.keepsAll) throw new AppError('forbidden')
  return list
}

/** Writes, and says so by an error of ours where the database refuses it because of this constraint. */
async function refusing<T>(constraint: string, code: ErrorCode, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw violates(error, constraint) ? new AppError(code) : error
  }
}

function audit(
  tx: Tx,
  actorId: string,
  { action, listId, now }: { action: AuditAction; listId: string; now: Date },
) {
  const reason = 'Kept a list of subreddits for everybody.'
  return writeAudit(tx, {
    actorId,
    action,
    targetKind: 'subreddit-list',
    targetId: listId,
    reason,
    detail: {},
    now,
  })
}
