import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { type PageRequest, rankAndId, rankPositionOf } from '../../../db/cursor.ts'
import { prepare } from '../../../db/prepare.ts'
import type { PromotionTables } from '../../../db/tables/promotion.ts'
import { AppError } from '../../../errors.ts'

/** How the rows of a table are ordered; the largest first, or by name. */
type Order = 'subscribers' | 'name'

export type SubredditFilters = {
  srTagIds: string[]
  excludeTagIds: string[]
  excludeListIds: string[]
  withRemoved: boolean
  search: string
  verificationSetting?: 'required' | 'other' | 'unset' | 'unknown' | undefined
  sellingAccountsAllowed?: boolean | undefined
  ocSettings?: 'none' | 'ocOnly' | 'noOc' | undefined
  boyAndGirlRequired?: boolean | undefined
  couplesOnly?: boolean | undefined
  malesAllowed?: 'true' | 'false' | 'unknown' | undefined
  womenOnly?: 'true' | 'false' | 'unknown' | undefined
  status?: 'todo' | 'pending' | 'done' | 'none' | undefined
  categorized: 'yes' | 'no' | 'all'
  sortBy: Order
}

const NOTES = [
  ...(['id', 'name', 'subscribers', 'verification_type', 'notes', 'categorized'] as const),
  ...(['selling_accounts_allowed', 'oc_settings', 'boy_and_girl_required', 'couples_only'] as const),
  ...(['males_allowed', 'women_only', 'toys_allowed', 'sex_acts_allowed', 'watermark_type'] as const),
  ...(['face_required', 'post_max', 'post_interval', 'post_unit', 'repost_max', 'repost_interval'] as const),
  ...(['repost_unit', 'tag_ids'] as const),
]

/** A subreddit with our own notes on its rules. */
export type NotesRow = Pick<Selectable<PromotionTables['subreddits']>, (typeof NOTES)[number]>

export type SubredditListRow = NotesRow & {
  status: 'todo' | 'pending' | 'done' | null
  confirmed: 'true' | 'pending' | 'false' | 'hidden' | null
  position: string
}

const size = sql<string>`coalesce(subreddits.subscribers, -1)`
const lowerName = sql<string>`lower(subreddits.name)`

/** One row more than the page of the tracked subreddits that pass, with this person’s own verification there. */
export function searchTracked(
  db: Db,
  userId: string,
  { page, filters }: { page: PageRequest; filters: SubredditFilters },
): Promise<SubredditListRow[]> {
  const { cursor, limit } = page
  const { srTagIds, excludeTagIds, excludeListIds, withRemoved, search, status, categorized } = filters
  const byName = filters.sortBy === 'name'
  return trackedRows(db, {
    ...{ userId, limit, skip: cursor === undefined ? (page.skip ?? 0) : 0, byName },
    ...placeOf(cursor, byName),
    ...{ srTagIds, excludeTagIds, excludeListIds, withRemoved },
    containing: search === '' ? null : containing(search),
    withoutRecord: status === 'none',
    status: status === undefined || status === 'none' ? null : status,
    categorized: categorized === 'all' ? null : categorized === 'yes',
    verificationType: filters.verificationSetting ?? null,
    sellingAccountsAllowed: filters.sellingAccountsAllowed ?? null,
    ocSettings: filters.ocSettings ?? null,
    boyAndGirlRequired: filters.boyAndGirlRequired ?? null,
    couplesOnly: filters.couplesOnly ?? null,
    malesAllowed: filters.malesAllowed ?? null,
    womenOnly: filters.womenOnly ?? null,
  })
}

type Searched = {
  userId: string
  limit: number
  skip: number
  byName: boolean
  afterName: string | null
  afterSize: string | null
  afterId: string | null
  srTagIds: string[]
  excludeTagIds: string[]
  excludeListIds: string[]
  withRemoved: boolean
  containing: string | null
  withoutRecord: boolean
  status: string | null
  categorized: boolean | null
  verificationType: string | null
  sellingAccountsAllowed: boolean | null
  ocSettings: string | null
  boyAndGirlRequired: boolean | null
  couplesOnly: boolean | null
  malesAllowed: string | null
  womenOnly: string | null
}

const trackedRows = prepare((db, values: Searched) => {
  const { byName } = values
  const id = sql.ref<string>('subreddits.id')
  // Materialized, because the planner otherwise counts reading the lists once for every subreddit, and plans each
  // call again.
  const query = sql<SubredditListRow>`
    with excluded as materialized (${excludedLists(values)})
    select ${sql.join(NOTES.map((column) => sql.ref(`subreddits.${column}`)))}, own.status, own.confirmed,
      ${byName ? lowerName : rankPositionOf(size, id)} as position
    from subreddits
      ${values.status === null ? sql`left join` : sql`join`}
      verifications as own on own.subreddit_id = subreddits.id and own.user_id = ${values.userId}
    where ${sql.join([...conditions(values), notOnExcludedList], sql` and `)}
    order by ${byName ? sql`${lowerName}` : sql`${size} desc, ${id} desc`}
    limit ${sql.lit(values.limit + 1)} offset ${sql.lit(values.skip)}`
  return { compile: () => query.compile(db) }
})

/** Asked once whether there is such a list at all, so that where there is none no subreddit is looked for on one. */
const notOnExcludedList = sql<SqlBool>`(not exists (select from excluded) or not exists (
  select from subreddit_list_members as member
  where member.subreddit_id = subreddits.id and member.list_id = any(array(select id from excluded)) offset 0
))`

function conditions(values: Searched): RawBuilder<SqlBool>[] {
  const { srTagIds, excludeTagIds, afterName, afterSize, afterId } = values
  const equal = (column: string, value: string | boolean | null) =>
    value === null ? [] : [sql<SqlBool>`${sql.ref(column)} = ${value}`]
  return [
    ...(values.containing === null ? [] : [sql<SqlBool>`${lowerName} like ${values.containing}`]),
    ...(srTagIds.length === 0 ? [] : [sql<SqlBool>`subreddits.tag_ids @> ${srTagIds}::uuid[]`]),
    ...(excludeTagIds.length === 0 ? [] : [sql<SqlBool>`not subreddits.tag_ids && ${excludeTagIds}::uuid[]`]),
    ...equal('subreddits.verification_type', values.verificationType),
    ...equal('subreddits.selling_accounts_allowed', values.sellingAccountsAllowed),
    ...equal('subreddits.oc_settings', values.ocSettings),
    ...equal('subreddits.boy_and_girl_required', values.boyAndGirlRequired),
    ...equal('subreddits.couples_only', values.couplesOnly),
    ...equal('subreddits.males_allowed', values.malesAllowed),
    ...equal('subreddits.women_only', values.womenOnly),
    ...(values.categorized === null
      ? []
      : [sql<SqlBool>`${values.categorized ? sql`` : sql`not `}subreddits.categorized`]),
    ...equal('own.status', values.status),
    ...(values.withoutRecord ? [sql<SqlBool>`own.user_id is null`] : []),
    ...(afterName === null ? [] : [sql<SqlBool>`${lowerName} > ${afterName}`]),
    ...(afterSize === null
      ? []
      : [sql<SqlBool>`(${size}, subreddits.id) < (${afterSize}::bigint::integer, ${afterId}::uuid)`]),
  ]
}

/** The pattern of names that contain what was typed, `r/` in front of it or not. */
export function containing(search: string): string {
  const part = search.toLowerCase().replace(/^\/?r\//, '')
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}

/** The lists whose subreddits are left out: those named that are this person’s to see, and those that say so unless they are wanted. */
function excludedLists({ userId, excludeListIds: named, withRemoved }: Searched): RawBuilder<unknown> {
  const wanted = [
    ...(withRemoved ? [] : [sql`remove_from_search`]),
    ...(named.length === 0 ? [] : [sql`id = any(${named}::uuid[])`]),
  ]
  return sql`select id from subreddit_lists where (user_id = ${userId} or user_id is null)
    and (${wanted.length === 0 ? sql`false` : sql.join(wanted, sql` or `)})`
}

/** Where a page begins; throws `bad_cursor`. */
function placeOf(
  cursor: string | undefined,
  byName: boolean,
): Pick<Searched, 'afterName' | 'afterSize' | 'afterId'> {
  if (cursor === undefined) return { afterName: null, afterSize: null, afterId: null }
  if (byName) return { afterName: nameIn(cursor), afterSize: null, afterId: null }
  const { rank, id } = rankAndId(cursor)
  if (!/^-?\d{1,10}$/.test(rank)) throw new AppError('bad_cursor')
  return { afterName: null, afterSize: rank, afterId: id }
}

/** The name that a cursor of names stands at; throws `bad_cursor`. */
export function nameIn(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!/^[a-z0-9_-]{2,25}$/.test(name)) throw new AppError('bad_cursor')
  return name
}

/** Of these names those that are tracked, with their ids, whatever letters are capital. */
export function findByNames(db: Db, names: string[]) {
  const lower = names.map((name) => name.toLowerCase())
  return db
    .selectFrom('subreddits')
    .select(['id', 'name', 'watermark_type'])
    .where(sql`lower(name)`, '=', sql`any(${lower}::text[])`)
    .execute()
}

const withReading = (db: Db) =>
  db
    .selectFrom('subreddits')
    .leftJoin('subreddit_readings as reading', 'reading.subreddit_id', 'subreddits.id')
    .selectAll('subreddits')
    .select(['reading.state', 'reading.read_at', 'reading.changed_at', 'reading.changed_parts'])

/** One tracked subreddit with when the forum was last asked. */
export function findSubreddit(db: Db, name: string) {
  return withReading(db).where(lowerName, '=', name.toLowerCase()).executeTakeFirst()
}
export type SubredditRow = NonNullable<Awaited<ReturnType<typeof findSubreddit>>>

/** One row more than the page of everything known of all, by name. */
export function listSubreddits(db: Db, page: PageRequest) {
  return withReading(db)
    .select(lowerName.as('position'))
    .$if(page.cursor !== undefined, (query) => query.where(lowerName, '>', nameIn(page.cursor ?? '')))
    .orderBy(lowerName)
    .limit(page.limit + 1)
    .offset(page.cursor === undefined ? (page.skip ?? 0) : 0)
    .execute()
}

/** The names of all tracked subreddits. */
export async function listNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('subreddits').select('name').orderBy(lowerName).execute()
  return rows.map(({ name }) => name)
}

/** Every tag that subreddits may carry, by name. */
export function listTags(db: Db) {
  return db.selectFrom('subreddit_tags').select(['id', 'name']).orderBy(sql`lower(name)`).execute()
}
