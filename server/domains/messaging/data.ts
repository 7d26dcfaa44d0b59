import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { prepareTogether } from '../../db/together.ts'
import type { PeopleAudience } from '../../viewer.ts'
import { subscribedTo } from '../media/entitlements/data.ts'
import { blockedBy, reachable, shown, visible } from '../profiles/data.ts'

/** A logged-in person who reads or writes. */
export type Writer = PeopleAudience & { id: string }

/** The id of the conversation of two people: a UUID of version 8 derived from their ids. */
export function conversationIdOf(one: string, other: string): string {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  const hex = hash('sha256', first < second ? `${first} ${second}` : `${second} ${first}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b11) | 0b1000).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The facts that decide whether one person may message another; null if the other is not available to them. */
export async function findWriteAccess(db: Db, writer: Writer, otherId: string, now: Date) {
  const { id, isCreator, reachesAll, viewsAll, place } = writer
  const [row] = await writeAccess(db, {
    writerId: id,
    isCreator,
    reachesAll,
    viewsAll,
    country: place.country || null,
    region: place.region || null,
    otherId,
    conversationId: conversationIdOf(id, otherId),
    now,
  })
  return row ?? null
}

type Asked = {
  writerId: string
  isCreator: boolean
  reachesAll: boolean
  viewsAll: boolean
  country: string | null
  region: string | null
  otherId: string
  conversationId: string
  now: Date
}

const ASKED = {
  writerId: 'uuid',
  country: 'text',
  region: 'text',
  otherId: 'uuid',
  conversationId: 'uuid',
  now: 'timestamptz',
} as const

const writeAccess = prepareTogether(ASKED, (db, { country, region, ...asked }: Asked) => {
  const { otherId, conversationId, now } = asked
  const writer = { ...asked, id: asked.writerId, place: { country, region } }
  // Queried only if the creator limits who may message them.
  const whereNeeded = (exists: RawBuilder<boolean>) =>
    sql<boolean>`case when coalesce(chat_settings.audience, 'everyone') <> 'everyone' then ${exists} else false end`
  const subscription = (chat: boolean) => subscribedTo(sql`users.id`, { userId: writer.id, now, chat })
  return (
    db
      .selectFrom('users')
      .leftJoin('chat_settings', 'chat_settings.user_id', 'users.id')
      .leftJoin('conversation_members as other', (join) =>
        join.on('other.conversation_id', '=', conversationId).onRef('other.user_id', '=', 'users.id'),
      )
      .leftJoin('conversation_members as me', (join) =>
        join.on('me.conversation_id', '=', conversationId).on('me.user_id', '=', writer.id),
      )
      .select(['users.id', 'users.is_creator as isCreator', 'chat_settings.audience'])
      .select([
        sql<boolean>`other.user_id is not null`.as('conversing'),
        sql<boolean>`coalesce(other.wrote, false)`.as('wroteBefore'),
        sql<number>`coalesce(me.written, 0)`.as('written'),
        sql<boolean>`case when other.wrote then false else ${traded(writer.id, sql`users.id`)} end`.as(
          'tradedBefore',
        ),
        sql<boolean>`users.hidden_at is not null`.as('hidden'),
        sql<boolean>`${reachable(writer, 'users')}`.as('reachable'),
        sql<boolean>`${blockedBy(writer.id)}`.as('blocked'),
        whereNeeded(
          sql`exists (select from follows where follower_id = ${writer.id} and following_id = users.id offset 0)`,
        ).as('follows'),
        whereNeeded(subscription(false)).as('subscribes'),
        whereNeeded(subscription(true)).as('subscribesWithChat'),
        // The new message id comes with this query, so that the insert needs no `returning`.
        sql<string>`uuidv7()`.as('freshId'),
      ])
      .where('users.id', '=', otherId)
      // People hidden from search are visible only in existing conversations.
      .where((eb) =>
        eb.or([eb('other.user_id', 'is not', null), eb('users.id', '=', writer.id), shown(writer)]),
      )
  )
})

/** Whether one of these two ever bought from the other or subscribed to them. */
const traded = (oneId: string, otherId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from fans
  where (creator_id, fan_id) in ((${oneId}, ${otherId}), (${otherId}, ${oneId})) and (buys or subscription <> 'none')
  offset 0
)`

export type WriteAccess = NonNullable<Awaited<ReturnType<typeof findWriteAccess>>>

/** Whether the person of the `users` row lets this viewer see more of them than their name. */
export const showsPicture = (viewer: Writer) => visible(viewer, 'users')

const HOUR_MS = 3600 * 1000

/** How many other conversations the person started within the last hour. */
export async function countStarted(
  db: Db,
  userId: string,
  { except, now }: { except: string; now: Date },
): Promise<number> {
  const since = new Date(now.getTime() - HOUR_MS)
  const { started } = await db
    .selectFrom('conversation_members as me')
    .innerJoin('conversations', 'conversations.id', 'me.conversation_id')
    .select((eb) => eb.fn.countAll<number>().as('started'))
    .where('me.user_id', '=', userId)
    .where('me.last_at', '>', since)
    .where('me.wrote', '=', true)
    .where('me.conversation_id', '<>', except)
    .where('conversations.created_at', '>', since)
    .executeTakeFirstOrThrow()
  return started
}

/** How many messages this person sent in a conversation, and whether the other one replied; zero if it hasn't started. */
export async function findWritten(db: Db, conversationId: string, userId: string) {
  return db
    .selectFrom('conversation_members as me')
    .innerJoin('conversation_members as other', (join) =>
      join
        .onRef('other.conversation_id', '=', 'me.conversation_id')
        .onRef('other.user_id', '=', 'me.other_id'),
    )
    .select(['me.written', 'other.wrote as wroteBefore'])
    .where('me.conversation_id', '=', conversationId)
    .where('me.user_id', '=', userId)
    .executeTakeFirst()
}
