import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MassFailure } from '../../../../../contract/constants.ts'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { publish } from '../../../../realtime/publish.ts'
import { audienceOf } from '../../../../viewer.ts'
import { subscriptionAt } from '../../../identity/customers/data.ts'
import { grantSent } from '../../../media/entitlements/actions.ts'
import { notify } from '../../../notifications/actions.ts'
import { conversationIdOf, findWriteAccess } from '../../data.ts'
import { findAttachable } from '../../messages/data.ts'
import { remindManyLater } from '../../reminders/actions.ts'
import { writeRefusal } from '../../rules.ts'
import { workLater } from '../actions.ts'
import { type Addressed, addressed, countAddressed, mayReceive } from '../data.ts'
import { absence, startRefusal } from '../rules.ts'

/**
 * Recipients per transaction. Chats wait for its write to disk, some 10 ms; one signal, limited to 8,000 bytes by the
 * database, holds no more than 80.
 */
export const BATCH = 50

/** A locked mass message, with its owner. */
export type Held = Awaited<ReturnType<typeof holdMassMessage>> & object

/** Locks a mass message until the transaction ends, so that two workers take turns; null if there is none. */
export async function holdMassMessage(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('mass_messages as mass')
    .innerJoin('users as creator', 'creator.id', 'mass.creator_id')
    .selectAll('mass')
    .select(['creator.role', 'creator.hidden_at', 'creator.suspended_at'])
    // A Date would lose the microseconds, and skip people.
    .select(sql<string | null>`mass.reached_at::text`.as('reached_since'))
    .where('mass.id', '=', id)
    // The lock lets its first readers and buyers add rows that refer to it.
    .forNoKeyUpdate('mass')
    .executeTakeFirst()
  return row ?? null
}

const addressedBy = (message: Held): Addressed => ({
  creatorId: message.creator_id,
  audience: message.audience,
  listId: message.list_id,
  excludedListId: message.excluded_list_id,
})

/**
 * Starts sending a scheduled message after rechecking everything that could have changed; tells the creator what can't be
 * sent. Returns whether it is sent to anyone now.
 */
export async function startSending(
  tx: Tx,
  { config, publishingOpen }: Pick<Context, 'config' | 'publishingOpen'>,
  message: Held,
  now: Date,
): Promise<boolean> {
  const { id, creator_id: creatorId, content } = message
  if (message.send_at > now) {
    await workLater(tx, id, message.send_at)
    return false
  }
  const leftOut = await refreshAttachments(tx, id, creatorId)
  const expected = await countAddressed(tx, addressedBy(message))
  const refused =
    absence(message) ??
    startRefusal(
      {
        content,
        attachments: leftOut.kept,
        priceCents: message.price_cents,
        leftOut: leftOut.gone,
        free: leftOut.free,
        audience: message.audience,
        listId: message.list_id,
        expected,
      },
      { publishingOpen, leastCents: config.MIN_PRICE_CENTS },
    )
  await tx
    .updateTable('mass_messages')
    .set(
      refused
        ? { status: 'failed', failure: refused, finished_at: now, left_out: leftOut.gone }
        : { status: 'sending', started_at: now, left_out: leftOut.gone, expected },
    )
    .where('id', '=', id)
    .execute()
  if (refused || leftOut.gone > 0) {
    const data = { sent: refused === null, leftOut: leftOut.gone, ...(refused ? { why: refused } : {}) }
    await notify(tx, { kind: 'mass-message.changed', person: creatorId, data }, { now })
  }
  return refused === null
}

/**
 * Keeps the attachments that can still be sent, in their current versions. Returns how many are kept, how many of those are
 * free for everyone, and how many are gone.
 */
async function refreshAttachments(tx: Tx, id: string, creatorId: string) {
  const attached = await tx
    .deleteFrom('mass_message_attachments')
    .where('mass_message_id', '=', id)
    .returning(['media_id', 'place'])
    .execute()
  const wanted = attached.toSorted((a, b) => a.place - b.place).map(({ media_id }) => media_id)
  const found = new Map((await findAttachable(tx, creatorId, wanted)).map((row) => [row.id, row]))
  const kept = wanted.flatMap((mediaId) => {
    const versionId = found.get(mediaId)?.version_id
    return versionId ? [{ media_id: mediaId, version_id: versionId }] : []
  })
  if (kept.length > 0)
    await tx
      .insertInto('mass_message_attachments')
      .values(kept.map((item, place) => ({ ...item, mass_message_id: id, place })))
      .execute()
  const free = kept.filter(({ media_id }) => found.get(media_id)?.free).length
  return { kept: kept.length, free, gone: wanted.length - kept.length }
}

/**
 * Sends to the next people, newest fans first, and records the progress. People who became fans after it started are
 * skipped, and so are attachments that were taken down since. Returns whether more may follow.
 */
export async function sendBatch(tx: Tx, message: Held, now: Date): Promise<boolean> {
  const { id, creator_id: creatorId, price_cents: priceCents } = message
  const leftOut = await dropTakenDown(tx, id)
  const stopped: MassFailure | null =
    absence(message) ??
    (leftOut.gone > 0 && (priceCents !== null || (leftOut.kept === 0 && message.content === ''))
      ? 'attachment_unavailable'
      : null)
  if (leftOut.gone > 0 || stopped)
    await tx
      .updateTable('mass_messages')
      .set((eb) => ({
        left_out: eb('left_out', '+', leftOut.gone),
        ...(stopped ? { status: 'failed', failure: stopped, finished_at: now } : {}),
      }))
      .where('id', '=', id)
      .execute()
  if (stopped === 'attachment_unavailable') {
    const data = { sent: false, stopped: message.sent > 0, leftOut: leftOut.gone, why: stopped }
    await notify(tx, { kind: 'mass-message.changed', person: creatorId, data }, { now })
  }
  if (stopped) {
    await publish(tx, { name: 'conversations.changed', people: [creatorId] })
    return false
  }
  const people = await nextPeople(tx, message)
  const recipients: string[] = []
  for (const person of people)
    if (person.may && !(person.selective && (await refuses(tx, message, person.id, now))))
      recipients.push(person.id)
  const sent = await store(tx, message, recipients, now)
  if (priceCents === null) await grantSent(tx, sent, await listAttached(tx, id), now)
  const messageIds = sent.map((one) => one.id)
  if (sent.length > 0)
    await publish(tx, {
      name: 'messages.sent',
      senderId: creatorId,
      messageIds,
      people: sent.map(({ recipientId }) => recipientId),
    })
  await remindManyLater(tx, { massMessageId: id, messageIds, now })
  const last = people.at(-1)
  const more = people.length === BATCH
  // Everybody left meanwhile, or refuses such messages.
  const failure: MassFailure | null = more || message.sent + sent.length > 0 ? null : 'no_recipients'
  await sql`
    update mass_messages set sent = sent + ${sent.length}, reached_at = ${last?.since ?? null}::timestamptz,
      reached_id = ${last?.id ?? null}::uuid
      ${more ? sql`` : sql`, status = ${failure ? 'failed' : 'sent'}, failure = ${failure}, finished_at = ${now}`}
    where id = ${id}`.execute(tx)
  if (failure) {
    const data = { sent: false, leftOut: leftOut.gone, why: failure }
    await notify(tx, { kind: 'mass-message.changed', person: creatorId, data }, { now })
  }
  if (!more) await publish(tx, { name: 'conversations.changed', people: [creatorId] })
  return more
}

/** Removes the attachments that were taken down since it started; returns how many went, and how many are left. */
async function dropTakenDown(tx: Tx, id: string): Promise<{ gone: number; kept: number }> {
  const { rows } = await sql<{ gone: number; kept: number }>`
    with attached as (
      select place, quarantined_at is not null as is_down
      from mass_message_attachments join media on media.id = media_id where mass_message_id = ${id}
    ), dropped as (
      delete from mass_message_attachments using attached
      where mass_message_id = ${id} and mass_message_attachments.place = attached.place and is_down
    )
    select count(*) filter (where is_down)::int as gone, count(*) filter (where not is_down)::int as kept
    from attached`.execute(tx)
  return rows[0] ?? { gone: 0, kept: 0 }
}

type Next = { id: string; since: string; may: boolean; selective: boolean }

/** The next people of the audience; those who limit who may message them are `selective` and need another check. */
async function nextPeople(tx: Tx, message: Held): Promise<Next[]> {
  const to = addressedBy(message)
  const { rows } = await sql<Next>`
    with next as materialized (
      select chosen.fan_id, chosen.since
      from ${addressed(to)} as chosen
      where chosen.since <= ${message.started_at}
        ${
          message.reached_id === null
            ? sql``
            : sql`and (chosen.since, chosen.fan_id) < (${message.reached_since}::timestamptz, ${message.reached_id}::uuid)`
        }
      order by chosen.since desc, chosen.fan_id desc limit ${sql.lit(BATCH)}
    )
    select next.fan_id as id, next.since::text as since, ${mayReceive(to)} and ${wasAddressed(message)} as may,
      users.is_creator and coalesce(chat_settings.audience, 'everyone') <> 'everyone' as selective
    from next join users on users.id = next.fan_id left join chat_settings on chat_settings.user_id = users.id
    order by next.since desc, next.fan_id desc`.execute(tx)
  return rows
}

/** Whether the person of the `users` row was of the audience already when it began: fans count from what came first. */
function wasAddressed({ audience, creator_id: creatorId, started_at: startedAt }: Held): RawBuilder<SqlBool> {
  switch (audience) {
    case 'followers':
      return sql`exists (
        select from follows
        where following_id = ${creatorId} and follower_id = users.id and created_at <= ${startedAt} offset 0)`
    case 'subscribers':
      return sql`${subscriptionAt(sql`users.id`, { creatorId, at: startedAt })} = 'current'`
    case 'expired':
      return sql`${subscriptionAt(sql`users.id`, { creatorId, at: startedAt })} = 'ended'`
    case 'list':
      // Its members count from when they were added.
      return sql`true`
  }
}

/** Whether a creator who limits incoming messages refuses one of this sender. */
async function refuses(tx: Tx, message: Held, personId: string, now: Date): Promise<boolean> {
  const sender = { id: message.creator_id, role: message.role, isCreator: true }
  const writer = { ...audienceOf(sender, { country: null, region: null }), id: sender.id }
  return writeRefusal(sender.id, await findWriteAccess(tx, writer, personId, now)) !== null
}

function listAttached(tx: Tx, id: string) {
  return tx
    .selectFrom('mass_message_attachments')
    .select(['media_id as mediaId', 'version_id as versionId'])
    .where('mass_message_id', '=', id)
    .orderBy('place')
    .execute()
}

/**
 * Stores one message for each of these people in one statement. It doesn't open a reply to anyone who couldn't write before,
 * and doesn't reorder the sender's conversations.
 */
async function store(tx: Tx, message: Held, recipients: string[], now: Date) {
  const { id, creator_id: creatorId, content, price_cents: priceCents } = message
  if (recipients.length === 0) return []
  const conversations = recipients.map((recipient) => conversationIdOf(creatorId, recipient))
  const { rows } = await sql<{ id: string; recipientId: string }>`
    with given as materialized (
      select uuidv7() as id, conversation_id, recipient_id
      from unnest(${conversations}::uuid[], ${recipients}::uuid[]) as each (conversation_id, recipient_id)
      where not exists (
        select from messages where mass_message_id = ${id} and messages.conversation_id = each.conversation_id offset 0
      )
    ), conversation as (
      insert into conversations (id, low_id, high_id, revision, last_message_id, created_at)
      select conversation_id, least(recipient_id, ${creatorId}::uuid), greatest(recipient_id, ${creatorId}::uuid), 1, id,
        ${now}::timestamptz
      -- In one order everywhere, so that statements wait for each other in turn.
      from given order by conversation_id
      on conflict (id) do update
        set revision = conversations.revision + 1, last_message_id = excluded.last_message_id
      returning id, revision
    ), message as (
      insert into messages (id, conversation_id, position, revision, sender_id, content, created_at, price_cents,
        mass_message_id)
      select given.id, conversation.id, revision, revision, ${creatorId}::uuid, ${content}, ${now}::timestamptz,
        ${priceCents}::int, ${id}::uuid
      from given join conversation on conversation.id = given.conversation_id
    ), members as (
      insert into conversation_members (conversation_id, user_id, other_id, last_at, unread)
      select given.conversation_id, place.user_id, place.other_id, place.last_at, place.unread
      -- After the conversations, as whoever else writes there locks its members after it.
      from given join conversation on conversation.id = given.conversation_id cross join lateral (values
        (recipient_id, ${creatorId}::uuid, ${now}::timestamptz, 1), (${creatorId}::uuid, recipient_id, 'epoch', 0)
      ) as place (user_id, other_id, last_at, unread)
      on conflict (conversation_id, user_id) do update set
        last_at = greatest(conversation_members.last_at, excluded.last_at),
        unread = conversation_members.unread + excluded.unread
    ), attached as (
      insert into message_attachments (message_id, place, media_id, version_id)
      select given.id, place, media_id, version_id from given cross join mass_message_attachments
      where mass_message_id = ${id}
    )
    select id, recipient_id as "recipientId" from given`.execute(tx)
  return rows
}
