import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { type PageRequest, rankAndId, rankPositionOf } from '../../../db/cursor.ts'
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

export type SubredditListRow = {
  id: string
  name: string
  subscribers: number | null
  verification_type: 'required' | 'other' | 'unset' | 'unknown'
  categorized: boolean
  tag_ids: string[]
  status: 'todo' | 'pending' | 'done' | null
  confirmed: 'true' | 'pending' | 'false' | 'hidden' | null
  position: string
}

const size = sql<string>`coalesce(subreddits.subscribers, -1)`
const lowerName = sql<string>`lower(subreddits.name)`

/** One row more than the page of the tracked subreddits that pass, with this person’s own verification there. */
export async function searchTracked(
  db: Db,
  userId: string,
  { page, filters }: { page: PageRequest; filters: SubredditFilters },
): Promise<SubredditListRow[]> {
  const { sortBy } = filters
  const id = sql.ref<string>('subreddits.id')
  const excluded = await excludedLists(db, userId, filters)
  const { rows } = await sql<SubredditListRow>`
    select subreddits.id, subreddits.name, subreddits.subscribers, subreddits.verification_type,
      subreddits.categorized, subreddits.tag_ids, own.status, own.confirmed,
      ${sortBy === 'name' ? lowerName : rankPositionOf(size, id)} as position
    from subreddits
      ${filters.status === undefined || filters.status === 'none' ? sql`left join` : sql`join`}
      verifications as own on own.subreddit_id = subreddits.id and own.user_id = ${userId}
    where ${sql.join([...conditions(filters), notOn(excluded), behindCursor(page.cursor, sortBy, id)], sql` and `)}
    order by ${sortBy === 'name' ? sql`${lowerName}` : sql`${size} desc, ${id} desc`}
    limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.cursor === undefined ? (page.skip ?? 0) : 0)}`.execute(
    db,
  )
  return rows
}

function conditions(filters: SubredditFilters): RawBuilder<SqlBool>[] {
  const { search, srTagIds, excludeTagIds, status, categorized } = filters
  const equal = (column: string, value: unknown) =>
    value === undefined ? [] : [sql<SqlBool>`${sql.ref(`subreddits.${column}`)} = ${value}`]
  return [
    ...(search === '' ? [] : [sql<SqlBool>`${lowerName} like ${containing(search)}`]),
    ...(srTagIds.length === 0 ? [] : [sql<SqlBool>`subreddits.tag_ids @> ${srTagIds}::uuid[]`]),
    ...(excludeTagIds.length === 0 ? [] : [sql<SqlBool>`not subreddits.tag_ids && ${excludeTagIds}::uuid[]`]),
    ...equal('verification_type', filters.verificationSetting),
    ...equal('selling_accounts_allowed', filters.sellingAccountsAllowed),
    ...equal('oc_settings', filters.ocSettings),
    ...equal('boy_and_girl_required', filters.boyAndGirlRequired),
    ...equal('couples_only', filters.couplesOnly),
    ...equal('males_allowed', filters.malesAllowed),
    ...equal('women_only', filters.womenOnly),
    ...(categorized === 'all'
      ? []
      : [
          categorized === 'yes'
            ? sql<SqlBool>`subreddits.categorized`
            : sql<SqlBool>`not subreddits.categorized`,
        ]),
    ...(status === undefined
      ? []
      : [status === 'none' ? sql<SqlBool>`own.user_id is null` : sql<SqlBool>`own.status = ${status}`]),
  ]
}

/** The pattern of names that contain what was typed, `r/` in front of it or not. */
export function containing(search: string): string {
  const part = search.toLowerCase().replace(/^\/?r\//, '')
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}

function notOn(lists: string[]): RawBuilder<SqlBool> {
  if (lists.length === 0) return sql<SqlBool>`true`
  return sql<SqlBool>`not exists (
    select from subreddit_list_members as member
    where member.subreddit_id = subreddits.id and member.list_id = any(${lists}::uuid[]) offset 0
  )`
}

function behindCursor(
  cursor: string | undefined,
  sortBy: Order,
  id: Expression<string>,
): RawBuilder<SqlBool> {
  if (cursor === undefined) return sql<SqlBool>`true`
  if (sortBy === 'name') return sql<SqlBool>`${lowerName} > ${nameIn(cursor)}`
  const { rank, id: last } = rankAndId(cursor)
  if (!/^-?\d{1,10}$/.test(rank)) throw new AppError('bad_cursor')
  return sql<SqlBool>`(${size}, ${id}) < (${rank}::bigint::integer, ${last}::uuid)`
}

/** The name that a cursor of names stands at; throws `bad_cursor`. */
export function nameIn(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!/^[a-z0-9_-]{2,25}$/.test(name)) throw new AppError('bad_cursor')
  return name
}

/** The lists whose subreddits are left out: those that were named and are this person’s to see, and those that say so unless they are wanted. */
async function excludedLists(
  db: Db,
  userId: string,
  { excludeListIds: named, withRemoved }: Pick<SubredditFilters, 'excludeListIds' | 'withRemoved'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('subreddit_lists')
    .select('id')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)]))
    .where((eb) =>
      eb.or([
        ...(withRemoved ? [] : [eb('remove_from_search', '=', true)]),
        eb('id', '=', sql<string>`any(${named}::uuid[])`),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
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

export function listTags(db: Db) {
  return db.selectFrom('subreddit_tags').select(['id', 'name']).orderBy(sql`lower(name)`).execute()
}
