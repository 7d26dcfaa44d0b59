import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { PageRequest } from '../../../db/cursor.ts'
import type { Audience } from '../../../viewer.ts'
import { inOwnersOrder, mediaFor, newestFirst, released } from '../data.ts'
import { MAX_WORDS, wordPatterns } from './rules.ts'

/** Somebody who looks at what is their own. */
type Owner = Audience & { id: string }

/** Filters of the library. An item must pass all that were sent. */
export type LibraryFilter = {
  /** All of these words in title, description or the names of tags, unfinished ones too. */
  search?: string | undefined
  /** Any of these. */
  tagIds: string[]
  type?: keyof typeof OF_TYPE | undefined
  visibility?: keyof typeof OF_VISIBILITY | undefined
}

const OF_TYPE = {
  image: sql<boolean>`(media.type = 'image' and media.red_gif = '')`,
  video: sql<boolean>`(media.type = 'video' and media.red_gif = '')`,
  embed: sql<boolean>`media.red_gif <> ''`,
}

const OF_VISIBILITY = {
  public: sql<boolean>`(not media.must_unlock and not media.direct_only)`,
  locked: sql<boolean>`media.must_unlock`,
  store: sql<boolean>`media.show_in_store`,
  search: sql<boolean>`media.show_in_search`,
  promotion: sql<boolean>`media.reddit_promotion`,
  private: sql<boolean>`media.direct_only`,
}

/**
 * Tags that match a word are read once, not once an item; always the same number of words, for one prepared
 * statement.
 */
function hasWords(creatorId: string, search: string): RawBuilder<boolean> {
  const patterns = wordPatterns(search)
  const words = Array.from({ length: MAX_WORDS }, (_, n) => {
    const word = sql<string>`${patterns[n] ?? '%'}::text`
    return sql`(media.title ilike ${word} or media.description ilike ${word} or media.id in (
      select media_id from media_tags join tags on tags.id = tag_id where creator_id = ${creatorId} and name ilike ${word}
    ))`
  })
  return sql<boolean>`(${sql.join(words, sql` and `)})`
}

function hasTag(creatorId: string, tagIds: string[]): RawBuilder<boolean> {
  return sql<boolean>`media.id in (
    select media_id from media_tags where creator_id = ${creatorId} and tag_id = any(${tagIds}::uuid[])
  )`
}

/** Whether an item is in the person's own library and matches the filter. */
function inLibrary(
  ownerId: string,
  { search, tagIds, type, visibility }: LibraryFilter,
): RawBuilder<boolean> {
  const conditions = [
    sql`media.creator_id = ${ownerId} and media.deleted_at is null`,
    ...(tagIds.length > 0 ? [hasTag(ownerId, tagIds)] : []),
    ...(type ? [OF_TYPE[type]] : []),
    ...(visibility ? [OF_VISIBILITY[visibility]] : []),
    ...(search ? [hasWords(ownerId, search)] : []),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Name of the file from which the item's current version was made; null for items made another way. */
const fileName = sql<string | null>`(select file_name from uploads where uploads.id = media.storage_id)`

/** The person's own that is not deleted, in their order. */
export function listLibrary(
  db: Db,
  audience: Owner,
  request: { filter: LibraryFilter; page: PageRequest; now: Date },
) {
  const own = mediaFor(db, audience, request.now).where(inLibrary(audience.id, request.filter))
  return inOwnersOrder(own, request.page).select(fileName.as('file_name')).execute()
}

/** How many items of the own library match, and the first `limit` of them in its order. */
export async function findSelection(
  db: Db,
  ownerId: string,
  { filter, limit }: { filter: LibraryFilter; limit: number },
) {
  const matching = db.selectFrom('media').where(inLibrary(ownerId, filter))
  const { count } = await matching
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (limit === 0) return { count, items: [] }
  const items = await matching
    .select(['id', 'creator_id', 'type', 'red_gif', 'title', 'price_cents', 'tag_ids', 'quarantined_at'])
    .select(['show_in_search', 'reddit_promotion', 'must_unlock', 'show_in_store', 'direct_only'])
    .orderBy('media.rank', 'desc')
    .orderBy('media.id', 'desc')
    .limit(limit)
    .execute()
  return { count, items }
}

/** Of the own library what a subscription or bundle may hold: private items are only ever sent in a chat, and what was taken down is not sold. */
export function listChoices(
  db: Db,
  audience: Owner,
  request: {
    filter: Pick<LibraryFilter, 'search' | 'type'>
    onlyIds: string[] | null
    page: PageRequest
    now: Date
  },
) {
  const { onlyIds } = request
  const { search, type } = request.filter
  const choices = mediaFor(db, audience, request.now)
    .where('media.creator_id', '=', audience.id)
    .where('media.deleted_at', 'is', null)
    .where((eb) => eb.not('media.direct_only'))
    .where(released)
    .$if(onlyIds !== null, (query) =>
      query.where((eb) => eb('media.id', '=', eb.fn.any(eb.val(onlyIds ?? [])))),
    )
    .$if(type !== undefined, (query) => query.where(OF_TYPE[type ?? 'image']))
    .$if(!!search, (query) => query.where(hasWords(audience.id, search ?? '')))
  return inOwnersOrder(choices, request.page).execute()
}

/** Everybody's uploaded items, newest first, for the operator; external gifs have no file to read anything from. */
export function listUploaded(
  db: Db,
  audience: Owner,
  request: { type: 'image' | 'video' | undefined; page: PageRequest; now: Date },
) {
  const { type } = request
  const uploaded = mediaFor(db, audience, request.now)
    .where('media.deleted_at', 'is', null)
    .where(sql<boolean>`media.red_gif = ''`)
    .$if(type !== undefined, (query) => query.where('media.type', '=', type ?? 'image'))
  return newestFirst(uploaded, request.page).execute()
}

/** These items as their owner sees them, in this order, without those that are not theirs or deleted. */
export async function findOwn(db: Db, audience: Owner, mediaIds: string[], now: Date) {
  const rows = await mediaFor(db, audience, now)
    .where('media.id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where('media.creator_id', '=', audience.id)
    .where('media.deleted_at', 'is', null)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(mediaIds)].flatMap((id) => byId.get(id) ?? [])
}

/** Whether all of these are tags. */
export async function areTags(db: Db, tagIds: string[]): Promise<boolean> {
  const wanted = [...new Set(tagIds)]
  if (wanted.length === 0) return true
  const { found } = await db
    .selectFrom('tags')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .executeTakeFirstOrThrow()
  return found === wanted.length
}

/**
 * How far the frame is that was last asked for as the poster of this person's own item; `status` null when none ever
 * was. Null when the item is not theirs or deleted.
 */
export async function findPoster(db: Db, ownerId: string, mediaId: string) {
  const poster = await db
    .selectFrom('media')
    .leftJoin('posters', 'posters.media_id', 'media.id')
    .select('posters.status')
    .where('media.id', '=', mediaId)
    .where('media.creator_id', '=', ownerId)
    .where('media.deleted_at', 'is', null)
    .executeTakeFirst()
  return poster ?? null
}

/** How many of these items are the person's own and not deleted. */
export async function countOwn(db: Db, ownerId: string, mediaIds: string[]): Promise<number> {
  const { own } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('own'))
    .where('id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where('creator_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return own
}
