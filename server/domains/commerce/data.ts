import { type RawBuilder, sql } from 'kysely'
import { MAX_MEDIA_SELECTED } from '../../../contract/constants.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import type { Audience, Companion } from '../../viewer.ts'
import { sellable } from '../media/data.ts'
import { findCovers } from '../media/viewing/data.ts'

/**
 * The items that a creator may add to a product. Others that it already contains stay, in case they become available
 * again.
 */
export function offered(db: Db, creatorId: string) {
  return db.selectFrom('media').select('id').where('creator_id', '=', creatorId).where(sellable)
}

/** The viewer of a product, and the time. */
export type Looking = {
  context: Pick<Context, 'signer'>
  audience: Audience
  companion: Companion
  now: Date
}

/** The covers of what is sold, as this viewer may see them. */
export function coversOf(
  { context, audience, companion, now }: Looking,
  db: Db,
  rows: { cover_media_id: string | null }[],
) {
  const mediaIds = rows.flatMap(({ cover_media_id: id }) => id ?? [])
  return findCovers(db, audience, { mediaIds, signer: context.signer, companion, now })
}

/** Whether anybody ever had this subscription or bundle, or may be paying for it at this moment. */
export function wasSold(kind: 'subscription' | 'bundle', id: RawBuilder<unknown>): RawBuilder<boolean> {
  const held =
    kind === 'subscription' ? sql`exists (select from subscriptions where plan_id = ${id}) or` : sql``
  return sql<boolean>`(${held}
    exists (
      select from orders where item_id = ${id} and kind = ${sql.lit(kind)} and kind in ('subscription', 'bundle')
        and status <> 'void'
    )
    or exists (
      select from offers join offer_redemptions as taken on taken.offer_id = offers.id
      where ${kind === 'subscription' ? sql`offers.plan_id` : sql`offers.bundle_id`} = ${id}
        and taken.released_at is null
    ))`
}

/** The items to add to a product, and those to remove. */
export type HeldChange = { editorId: string; add: string[]; remove: string[] }

/** Refuses what would hold more than can be edited together. */
export function requireRoom(held: number): void {
  if (held > MAX_MEDIA_SELECTED)
    throw new AppError('invalid_input', {
      details: { mediaIds: `It can hold at most ${MAX_MEDIA_SELECTED} items.` },
    })
}

/** Something on sale, which is neither deleted nor retired until the transaction ends; undefined where it is. */
export function holdOnSale(db: Tx, table: 'subscription_plans' | 'bundles', id: string) {
  return db
    .selectFrom(table)
    .select(['creator_id', 'price_cents'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('retired_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** How something that is sold is to be shown; undefined stays as it is. */
export type ShowingChange = { description?: string | undefined; coverMediaId?: string | null | undefined }

/** The columns of such a change. Throws `invalid_input` naming `coverMediaId` for what is no cover. */
export async function showingColumns(db: Db, creatorId: string, change: ShowingChange) {
  const { description, coverMediaId: id } = change
  if (id && !(await offered(db, creatorId).where('id', '=', id).executeTakeFirst()))
    throw new AppError('invalid_input', {
      details: { coverMediaId: 'This item was deleted or made private. Choose another cover.' },
    })
  return {
    ...(description === undefined ? {} : { description }),
    ...(id === undefined ? {} : { cover_media_id: id }),
  }
}

/**
 * The same items without repetitions, in their order, once all of them are the creator's own, not deleted and not
 * private, and held so until the end; else throws `invalid_input` naming those that aren't: `mediaIds.2`.
 */
export async function requireOwnMedia(db: Tx, creatorId: string, mediaIds: string[]): Promise<string[]> {
  const distinct = [...new Set(mediaIds)]
  if (distinct.length === 0) return distinct
  const own = await offered(db, creatorId).where('id', 'in', distinct).orderBy('id').forShare().execute()
  if (own.length === distinct.length) return distinct
  throw goneItemsError('mediaIds', mediaIds, own, 'Some of these items were deleted or made private.')
}

/** `invalid_input` for the items of this field that aren't among those that were found, each by its place: `mediaIds.2`. */
export function goneItemsError(
  field: string,
  mediaIds: string[],
  found: { id: string }[],
  text: string,
): AppError {
  const left = new Set(found.map(({ id }) => id))
  const gone = mediaIds.flatMap((id, place) => (left.has(id) ? [] : [[`${field}.${place}`, text]]))
  return new AppError('invalid_input', { details: Object.fromEntries(gone) })
}

/** Something that happened by itself: how often, and how much of it in cents, null where no money moved. */
export type Happening = { what: string; count: number; cents: number | null }

/** Renewals, released shares and settled batches after `from`, up to and including `until`. */
export async function listHappened(
  db: Db,
  { from, until }: { from: Date; until: Date },
): Promise<Happening[]> {
  const within = (column: string) => sql`${sql.ref(column)} > ${from} and ${sql.ref(column)} <= ${until}`
  const { rows } = await sql<Happening>`
    select 'Renewals charged' as what, count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents
      from payments where off_session and status in ('captured', 'refunded', 'disputed') and ${within('decided_at')}
    union all
    select 'Renewals declined', count(*)::int, null
      from payments where off_session and status = 'declined' and ${within('decided_at')}
    union all
    select 'Subscriptions that ended', count(*)::int, null
      from subscriptions where status in ('canceled', 'expired') and ${within('ended_at')}
    union all
    select 'Earnings that became available', count(*)::int, coalesce(-sum(amount_cents), 0)::bigint
      from postings join journals on journals.id = journal_id
        join ledger_accounts as account on account.id = account_id
      where journals.kind = 'release' and account.kind in ('creator_available', 'referrer_available')
        and ${within('occurred_at')}
    union all
    select 'Batches settled', count(*)::int, coalesce(sum(charged_cents - refunded_cents - charged_back_cents), 0)::bigint
      from settlements where ${within('posted_at')}
    union all
    select 'Differences found', count(*)::int, null from findings where ${within('found_at')}`.execute(db)
  return rows
}
