import { sql } from 'kysely'
import { type AuditAction, type AuditTarget, BY_SERVER } from '../../../../contract/audit.ts'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import { startOfDay } from '../../commerce/ledger/data.ts'
import { findPerson } from '../age/data.ts'

/** Which entries somebody looks for. */
export type Sought = {
  /** An operator’s id, or `server`. */
  actor?: string | undefined
  action?: AuditAction | undefined
  about?: string | undefined
  from?: string | undefined
  to?: string | undefined
  timeZone: string
}

/** A person beside an entry: no id of nobody, and who is leaving has no profile. */
type PersonOf<Prefix extends string> = { [Key in `${Prefix}_id` | `${Prefix}_username`]: string | null } & {
  [Key in `${Prefix}_leaving`]: boolean | null
}

export type EntryRow = {
  id: string
  position: string
  action: AuditAction
  target_kind: AuditTarget
  target_id: string
  reason: string
  detail: Record<string, unknown>
  occurred_at: Date
  /** Whether the target can still be opened. */
  exists: boolean
  payout_cents: number | null
} & PersonOf<'actor'> &
  PersonOf<'owner'> &
  PersonOf<'person'>

/**
 * Entries of the audit log, newest first, one more than the page holds. Each filter, and an actor with an action, has an
 * index in this order, so that page 1,000 costs what page 1 costs; what else is asked for is looked for along one of them.
 */
export async function listEntries(db: Db, sought: Sought, page: PageRequest): Promise<EntryRow[]> {
  const found = matching(db, sought, sought.about ? await findTarget(db, sought.about) : null, page.cursor)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  const { rows } = await sql<EntryRow>`
    select entry.id, action, target_kind, target_id, entry.reason, detail, occurred_at, payouts.amount_cents as payout_cents,
      actor.id as actor_id, actor.username as actor_username, actor.deletion_requested_at is not null as actor_leaving,
      owner.id as owner_id, owner.username as owner_username, owner.deletion_requested_at is not null as owner_leaving,
      person.id as person_id, person.username as person_username, person.deletion_requested_at is not null as person_leaving,
      case target_kind
        when 'user' then owner.id is not null and owner.deletion_requested_at is null
        when 'media' then media.id is not null and media.deleted_at is null
        when 'subreddit' then subreddits.id is not null
        when 'subreddit-list' then subreddit_lists.id is not null
        else true
      end as exists,
      ${positionOf(sql`occurred_at`, sql`entry.id`)} as position
    from ${found.as('entry')}
      left join media on media.id = ${idOf('media')}
      left join payouts on payouts.id = ${idOf('payout')}
      left join subreddit_lists on subreddit_lists.id = ${idOf('subreddit-list')}
      left join subreddits on lower(subreddits.name) = case
        when target_kind = 'subreddit' and action <> 'subreddit-tag.added' then lower(target_id) end
      left join users as actor on actor.id = entry.actor_id
      left join users as owner on owner.id = coalesce(
        ${idOf('user')}, media.creator_id, payouts.user_id, (detail ->> 'creatorId')::uuid)
      left join users as person on person.id = coalesce(
        detail ->> 'customerId', detail ->> 'subscriberId', detail ->> 'moderatorId')::uuid
    order by occurred_at desc, entry.id desc`.execute(db)
  return rows
}

/** The entries behind the cursor that meet every filter. */
function matching(
  db: Db,
  { actor, action, from, to, timeZone }: Sought,
  targetId: string | null,
  cursor: string | undefined,
) {
  let found = db.selectFrom('audit_log').selectAll()
  // True of every entry; the indexes of no filter and of one say so, to be used by nothing that has more (migration 0146).
  const filters = [actor, action].filter((filter) => filter !== undefined).length
  if (targetId === null && filters < 2)
    found = found.where(filters === 0 ? 'target_id' : 'target_kind', '<>', EMPTY)
  // Null equals nothing, so the order of the index has to be asked for from its first column on.
  if (actor === BY_SERVER) found = found.where('actor_id', 'is', null).orderBy('actor_id', 'desc')
  else if (actor !== undefined) found = found.where('actor_id', '=', actor)
  if (action !== undefined) found = found.where('action', '=', action)
  if (targetId !== null) found = found.where(sql`lower(target_id)`, '=', targetId.toLowerCase())
  if (from !== undefined) found = found.where('occurred_at', '>=', startOfDay(from, timeZone))
  if (to !== undefined) found = found.where('occurred_at', '<', startOfDay(to, timeZone, 1))
  if (cursor === undefined) return found
  return found.where((eb) => after(cursor, eb.ref('occurred_at'), eb.ref('audit_log.id')))
}

/** As the indexes write it: a parameter would hide from the planner that it is the same. */
const EMPTY = sql.lit('')

/** The id of a target of this kind; what entries of other kinds are about may be a name. */
const idOf = (kind: AuditTarget) => sql`case when target_kind = ${sql.lit(kind)} then target_id::uuid end`

/** The id of the person who is called so; without one, and after `r/`, the text is a subreddit’s name, or an id itself. */
async function findTarget(db: Db, about: string): Promise<string> {
  const [, subreddit] = /^r\/(.+)$/i.exec(about) ?? []
  return subreddit ?? (await findPerson(db, about))?.id ?? about
}

/** Everybody with an entry in the audit log, by username. Read from one entry of each to the first of the next. */
export async function listActors(db: Db) {
  const { rows } = await sql<{ id: string; username: string; leaving: boolean }>`
    with recursive actors as (
      (select actor_id from audit_log where actor_id is not null order by actor_id limit 1)
      union all
      select (select actor_id from audit_log where actor_id > actors.actor_id order by actor_id limit 1)
        from actors where actor_id is not null
    )
    select id, username, deletion_requested_at is not null as leaving
    from actors join users on users.id = actor_id order by lower(username), id`.execute(db)
  return rows
}
