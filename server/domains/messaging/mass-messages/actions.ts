import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { requirePrice } from '../../commerce/actions.ts'
import { findList } from '../fan-lists/data.ts'
import { attachable } from '../messages/sending/actions.ts'
import { type Addressed, countAddressed, countGoing, countMade } from './data.ts'
import { saveRefusal, unsendRefusal } from './rules.ts'

const DAY_MS = 24 * 3600 * 1000

export type Saving = {
  creatorId: string
  /** The message to change: it is scheduled, or nobody received it. */
  massMessageId?: string | undefined
  content: string
  mediaIds: string[]
  price?: string | undefined
  audience: Addressed['audience']
  listId?: string | undefined
  excludedListId?: string | undefined
  /** If absent, it is sent right away. */
  sendAt?: string | undefined
  publishingOpen: boolean
  config: Pick<Context['config'], 'MIN_PRICE_CENTS'>
  now: Date
}

/**
 * Stores a mass message and the one job that sends it; returns its id. Throws what `saveRefusal` returns, the reason why a
 * file can't be attached, and `mass_message_started` if it is too late for a change.
 */
export async function saveMassMessage(tx: Tx, saving: Saving): Promise<string> {
  const { creatorId, massMessageId, content, now } = saving
  // Two concurrent calls would both count as the day's last.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mass messages ${creatorId}`}, 0))`.execute(tx)
  if (massMessageId !== undefined) await holdUnsent(tx, creatorId, massMessageId)
  const priceCents = saving.price === undefined ? null : requirePrice(saving.config, saving.price)
  const to: Addressed = {
    creatorId,
    audience: saving.audience,
    listId: saving.audience === 'list' ? (saving.listId ?? null) : null,
    excludedListId: saving.excludedListId ?? null,
  }
  const sendAt = saving.sendAt === undefined ? null : new Date(saving.sendAt)
  const madeToday =
    massMessageId === undefined ? await countMade(tx, creatorId, new Date(now.getTime() - DAY_MS)) : 0
  const goingThatDay = await countGoing(tx, creatorId, { on: sendAt ?? now, except: massMessageId ?? null })
  const refused = saveRefusal(
    { ...to, content, attachments: saving.mediaIds.length, priceCents, sendAt },
    { publishingOpen: saving.publishingOpen, madeToday, goingThatDay },
    now,
  )
  if (refused) throw new AppError(refused)
  for (const listId of [to.listId, to.excludedListId])
    if (listId !== null && !(await findList(tx, creatorId, listId, 'hold')))
      throw new AppError('fan_list_not_found')
  const attached = await attachable(tx, creatorId, saving.mediaIds, { sold: priceCents !== null })
  const expected = await countAddressed(tx, to)
  if (expected === 0 && !sendAt) throw new AppError('mass_message_for_nobody')
  const set = {
    creator_id: creatorId,
    content: content.toWellFormed(),
    price_cents: priceCents,
    audience: to.audience,
    list_id: to.listId,
    excluded_list_id: to.excludedListId,
    status: sendAt ? ('scheduled' as const) : ('sending' as const),
    send_at: sendAt ?? now,
    started_at: sendAt ? null : now,
    finished_at: null,
    failure: null,
    left_out: 0,
    reached_at: null,
    reached_id: null,
    expected,
  }
  const { id } = await (massMessageId === undefined
    ? tx
        .insertInto('mass_messages')
        .values({ ...set, created_at: now })
        .returning('id')
    : tx.updateTable('mass_messages').set(set).where('id', '=', massMessageId).returning('id')
  ).executeTakeFirstOrThrow()
  await tx.deleteFrom('mass_message_attachments').where('mass_message_id', '=', id).execute()
  if (attached.length > 0)
    await tx
      .insertInto('mass_message_attachments')
      .values(
        attached.map(({ mediaId, versionId }, place) => ({
          mass_message_id: id,
          place,
          media_id: mediaId,
          version_id: versionId,
        })),
      )
      .execute()
  await workLater(tx, id, sendAt ?? undefined)
  return id
}

/** Enqueues the sending or unsending of a mass message, as its state requires; at most one job of it waits. */
export function workLater(tx: Tx, massMessageId: string, runAt?: Date): Promise<void> {
  const key = `messages.mass ${massMessageId}`
  return enqueue(tx, 'messages.mass', { massMessageId }, { key, ...(runAt ? { runAt } : {}) })
}

/** Deletes a mass message that nobody received. Throws `mass_message_not_found` and `mass_message_started`. */
export async function cancelMassMessage(tx: Tx, creatorId: string, id: string): Promise<void> {
  await holdUnsent(tx, creatorId, id)
  await tx.deleteFrom('mass_messages').where('id', '=', id).execute()
}

/** Stops and unsends a mass message. Throws `mass_message_not_found` and what `unsendRefusal` returns. */
export async function unsendMassMessage(
  tx: Tx,
  { creatorId, id, now }: { creatorId: string; id: string; now: Date },
): Promise<void> {
  const message = await hold(tx, creatorId, id)
  const refused = unsendRefusal(message, now)
  if (refused) throw new AppError(refused)
  await tx
    .updateTable('mass_messages')
    .set({ status: 'unsending', failure: null, reached_at: null, reached_id: null })
    .where('id', '=', id)
    .execute()
  await workLater(tx, id)
}

/** Holds what has gone to nobody and is on its way to nobody. */
async function holdUnsent(tx: Tx, creatorId: string, id: string): Promise<void> {
  const { status, sent } = await hold(tx, creatorId, id)
  const isUnsent = status === 'scheduled' || (status === 'failed' && sent === 0)
  if (!isUnsent) throw new AppError('mass_message_started')
}

async function hold(tx: Tx, creatorId: string, id: string) {
  const message = await tx
    .selectFrom('mass_messages')
    .select(['status', 'started_at', 'price_cents', 'sent'])
    .where('id', '=', id)
    .where('creator_id', '=', creatorId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!message) throw new AppError('mass_message_not_found')
  return message
}
