import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { isOperator } from '../../../../contract/permissions.ts'
import { ATTRIBUTION_DAYS } from '../../../../contract/promotion.ts'
import type { Tx } from '../../../db/client.ts'
import type { PeopleAudience, Viewer } from '../../../viewer.ts'
import { findLastVisit, findVisited } from './data.ts'
import { CODE_BYTES, codeOf } from './rules.ts'

const DAY_MS = 24 * 3_600_000
/** Visits of people who never logged in are kept for so long. */
const KEPT_DAYS = 400

/** A code that no post has; of two that draw the same at once the database refuses one. */
export async function freeCode(
  tx: Tx,
  random: () => Uint8Array = () => randomBytes(CODE_BYTES),
): Promise<string> {
  for (;;) {
    const code = codeOf(random())
    // Held until the transaction ends, by when the post has it.
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`post code ${code}`}, 0))
        and not exists (select from scheduled_posts where code = ${code}) as free`.execute(tx)
    if (rows[0]?.free) return code
  }
}

/**
 * Notes a visit by the post of this code, unless it is its creator's or an operator's; a person's further visits by the
 * same post on one day (UTC) are one. Answers the page that the link leads to, `/` where there is none.
 */
export async function noteVisit(
  tx: Tx,
  visit: { code: string; visitor: Viewer | null; audience: PeopleAudience; now: Date },
): Promise<{ visitId: string | null; path: string }> {
  const { code, visitor, audience, now } = visit
  const item = await findVisited(tx, code, audience, now)
  if (!item) return { visitId: null, path: '/' }
  const profile = `/users/${encodeURIComponent(item.username)}`
  const page = item.media_id === null ? profile : `/media/${item.media_id}`
  const path = item.offer_id === null ? page : `${profile}/offers/${item.offer_id}`
  const isCounted = item.state !== 'canceled' && visitor?.id !== item.user_id && !isOperator(visitor)
  if (!isCounted) return { visitId: null, path }
  if (visitor) {
    // One visit of a person at a time, so that none is counted twice.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`forum visit ${visitor.id}`}, 0))`.execute(tx)
    const last = await findLastVisit(tx, visitor.id, item.user_id)
    if (last?.item_id === item.id && dayOf(last.visited_at) === dayOf(now)) return { visitId: last.id, path }
  }
  const { id } = await tx
    .insertInto('forum_visits')
    .values({ item_id: item.id, user_id: visitor?.id ?? null, visited_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { visitId: id, path }
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** Makes visits of the last days that nobody claimed this person's; those that weren't to be counted are forgotten. */
export async function claimVisits(
  tx: Tx,
  { visitIds, visitor, now }: { visitIds: string[]; visitor: Viewer; now: Date },
): Promise<void> {
  const claimable = sql<boolean>`id = any(${visitIds}::uuid[]) and user_id is null
    and visited_at >= ${new Date(now.getTime() - ATTRIBUTION_DAYS * DAY_MS)}`
  if (isOperator(visitor)) {
    await tx.deleteFrom('forum_visits').where(claimable).execute()
    return
  }
  const own = tx.selectFrom('scheduled_posts').select('id').where('user_id', '=', visitor.id)
  await tx.deleteFrom('forum_visits').where(claimable).where('item_id', 'in', own).execute()
  await tx
    .updateTable('forum_visits')
    .set({
      user_id: visitor.id,
      signed_up: sql<boolean>`visited_at <= (select created_at from users where id = ${visitor.id})`,
    })
    .where(claimable)
    .execute()
}

/** Forgets old visits of nobody who is known. */
export async function forgetVisits(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('forum_visits')
    .where('user_id', 'is', null)
    .where('visited_at', '<', new Date(now.getTime() - KEPT_DAYS * DAY_MS))
    .execute()
}
