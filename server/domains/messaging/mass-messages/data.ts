import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf } from '../../../db/cursor.ts'
import type { MessagingTables } from '../../../db/tables/messaging.ts'
import { type Choice, chosenFans } from '../fan-lists/data.ts'

type Audience = MessagingTables['mass_messages']['audience']

/** A mass message's audience. */
export type Addressed = {
  creatorId: string
  audience: Audience
  listId: string | null
  excludedListId: string | null
}

/** A mass message's audience as `fan_id` and `since`, including people whom it can't be sent to. */
export function addressed({ creatorId, audience, listId }: Addressed): RawBuilder<unknown> {
  // A deleted list has no audience.
  const choice: Choice =
    audience === 'list' ? { showing: 'list', listId: listId ?? creatorId } : { showing: audience }
  return chosenFans(creatorId, choice)
}

/** Whether the person of the `users` row may receive a mass message of this creator. */
export function mayReceive({ creatorId, excludedListId }: Addressed): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    users.hidden_at is null and users.id <> ${creatorId}
    and not exists (select from blocks where blocker_id = users.id and blocked_id = ${creatorId} offset 0)
    and not exists (select from blocks where blocker_id = ${creatorId} and blocked_id = users.id offset 0)
    ${
      excludedListId === null
        ? sql``
        : sql`and not exists (
      select from fan_list_members where list_id = ${excludedListId} and fan_id = users.id offset 0)`
    }
  )`
}

/** How many people a mass message would reach now. */
export async function countAddressed(db: Db, to: Addressed): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(*) as people from ${addressed(to)} as chosen join users on users.id = chosen.fan_id
    where ${mayReceive(to)}`.execute(db)
  return rows[0]?.people ?? 0
}

/** How many mass messages this creator created since then. */
export async function countMade(db: Db, creatorId: string, since: Date): Promise<number> {
  const { made } = await db
    .selectFrom('mass_messages')
    .select((eb) => eb.fn.countAll<number>().as('made'))
    .where('creator_id', '=', creatorId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return made
}

/** How many other mass messages of this creator are sent on the same day (UTC), including sent and unsent ones. */
export async function countGoing(
  db: Db,
  creatorId: string,
  { on, except }: { on: Date; except: string | null },
): Promise<number> {
  const day = sql<Date>`date_trunc('day', ${on}::timestamptz, 'UTC')`
  const { going } = await db
    .selectFrom('mass_messages')
    .select((eb) => eb.fn.countAll<number>().as('going'))
    .where('creator_id', '=', creatorId)
    .where('send_at', '>=', day)
    .where('send_at', '<', sql<Date>`${day} + interval '24 hours'`)
    .where('status', '<>', 'failed')
    .where('id', 'is distinct from', except)
    .executeTakeFirstOrThrow()
  return going
}

function massMessages(db: Db) {
  return db
    .selectFrom('mass_messages as mass')
    .leftJoin('fan_lists as list', 'list.id', 'mass.list_id')
    .leftJoin('fan_lists as excluded', 'excluded.id', 'mass.excluded_list_id')
    .selectAll('mass')
    .select(['list.name as list_name', 'excluded.name as excluded_list_name'])
    .select(
      sql<string[]>`array(
        select media_id from mass_message_attachments where mass_message_id = mass.id order by place)`.as(
        'media_ids',
      ),
    )
    .select(
      sql<{ opened: number; bought: number; share_cents: number }>`(
        select jsonb_build_object('opened', coalesce(sum(opened), 0), 'bought', coalesce(sum(bought), 0),
          'share_cents', coalesce(sum(share_cents), 0))
        from mass_message_figures where mass_message_id = mass.id)`.as('figures'),
    )
}

export type MassMessageRow = NonNullable<Awaited<ReturnType<typeof findMassMessage>>>

/** One row more than the page of a creator’s mass messages, the latest first. */
export function listMassMessages(db: Db, creatorId: string, page: PageRequest) {
  const [at, id] = [sql.ref<Date>('mass.send_at'), sql.ref<string>('mass.id')]
  return massMessages(db)
    .select(positionOf(at, id).as('position'))
    .where('mass.creator_id', '=', creatorId)
    .$if(page.cursor !== undefined, (query) => query.where(after(page.cursor ?? '', at, id)))
    .orderBy('mass.send_at', 'desc')
    .orderBy('mass.id', 'desc')
    .limit(sql.lit(page.limit + 1))
    .execute()
}

/** One of a creator’s mass messages. */
export function findMassMessage(db: Db, creatorId: string, id: string) {
  return massMessages(db)
    .where('mass.creator_id', '=', creatorId)
    .where('mass.id', '=', id)
    .executeTakeFirst()
}
