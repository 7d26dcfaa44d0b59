import { sql } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import { createTurns, type Turns } from '../../../../realtime/turns.ts'
import { audienceOf, type Viewer } from '../../../../viewer.ts'
import { requirePrice } from '../../../commerce/actions.ts'
import { findParties } from '../../../commerce/subscriptions/data.ts'
import { addToGrant, grant } from '../../../media/entitlements/actions.ts'
import { lockConversation } from '../../conversations/actions.ts'
import {
  conversationIdOf,
  countStarted,
  findWriteAccess,
  findWritten,
  type WriteAccess,
  type Writer,
} from '../../data.ts'
import { draftRefusal, mayStart, unansweredRefusal, writeRefusal } from '../../rules.ts'
import { findAttachable, findByClientId, findMessages, type MessageRow } from '../data.ts'
import {
  insertMessages,
  NAMED_ONCE,
  type NewMessage,
  STORED_ONCE,
  storeTogether,
} from '../storing/actions.ts'

export type Draft = {
  content: string
  clientMessageId?: string | undefined
  /** Media ids, in order. */
  mediaIds: string[]
  price?: string | undefined
  replyTo?: string | undefined
}

export type Sending = {
  sender: Pick<Viewer, 'id' | 'isCreator'>
  audience: Writer
  recipientId: string
  /** A fresh result of `findWriteAccess`, if the caller has one. */
  access?: WriteAccess | null
  draft: Draft
  publishingOpen: boolean
  config: Pick<Context['config'], 'MIN_PRICE_CENTS'>
  /** Sent automatically: it doesn't give its recipient the right to reply. */
  automatic?: true
  /** Its recipient is told what it is, and not that of a message as well. */
  announced?: true
  /** The order that the attachments deliver: the recipient keeps them while its payment stands. */
  paidBy?: string
  now: Date
}

const turnsOf = new WeakMap<Db, Turns>()

/** One transaction per conversation waits for its row; otherwise they would use up the database connections. */
function turnsAt(db: Db): Turns {
  const turns = turnsOf.get(db) ?? createTurns()
  turnsOf.set(db, turns)
  return turns
}

/**
 * Stores a message and delivers it to both people afterward. A repeated `clientMessageId` returns the message stored first,
 * and nothing else happens. Opens its own transaction: plain messages share one.
 */
export async function sendMessage(db: Db, sending: Sending): Promise<MessageRow> {
  const { draft, audience, recipientId, now } = sending
  const { access = await findWriteAccess(db, audience, recipientId, now) } = sending
  const known = { ...sending, access }
  try {
    const plain = draft.mediaIds.length === 0 && draft.replyTo === undefined
    const sent =
      plain && !isLimited(known, access)
        ? await sendPlain(db, known, access)
        : await turnsAt(db).take(conversationIdOf(sending.sender.id, recipientId), () =>
            db.transaction().execute((tx) => storeMessage(tx, known)),
          )
    if (typeof sent !== 'string') return sent
    const [message] = await findMessages(db, [sent])
    if (message) return message
    throw new AppError('message_not_found')
  } catch (error) {
    // The message stored first stays acknowledged, whatever was blocked, deleted, or taken down since.
    const again = error instanceof AppError || violates(error, NAMED_ONCE)
    const stored = again ? await findStored(db, sending) : null
    if (stored) return stored
    // Its id is new: the connection broke once it was stored, and it was stored again on another.
    const [own] = access && violates(error, STORED_ONCE) ? await findMessages(db, [access.freshId]) : []
    if (own) return own
    throw error
  }
}

/** Whether it counts toward a limit: conversations that a person may start, messages without a reply. */
const isLimited = ({ automatic }: Sending, access: WriteAccess | null) =>
  access !== null && !automatic && !(access.conversing && (access.wroteBefore || access.tradedBefore))

async function sendPlain(db: Db, sending: Sending, access: WriteAccess | null): Promise<MessageRow> {
  const { message } = await storeTogether(db, allowed(sending, access))
  return message
}

/** The message stored under this client-side id, or null. */
async function findStored(db: Db, { sender, recipientId, draft }: Sending): Promise<MessageRow | null> {
  const { clientMessageId } = draft
  if (clientMessageId === undefined) return null
  const stored = await findByClientId(db, { senderId: sender.id, clientMessageId })
  if (!stored) return null
  const untouched = !stored.edited_at && !stored.deleted_at
  if (
    stored.conversation_id !== conversationIdOf(sender.id, recipientId) ||
    (untouched && stored.content !== draft.content.toWellFormed())
  )
    throw new AppError('idempotency_key_reused')
  return stored
}

/** The message to store. Throws why it can’t be sent, except for limits. */
function allowed(sending: Sending, access: WriteAccess | null): NewMessage {
  const { sender, draft, now } = sending
  const priceCents = draft.price === undefined ? null : requirePrice(sending.config, draft.price)
  const refused =
    writeRefusal(sender.id, access) ??
    draftRefusal(
      { content: draft.content, attachments: draft.mediaIds.length, priceCents },
      { writerIsCreator: sender.isCreator, publishingOpen: sending.publishingOpen },
    )
  if (refused || !access) throw new AppError(refused ?? 'recipient_unavailable')
  return {
    id: access.freshId,
    conversationId: conversationIdOf(sender.id, access.id),
    senderId: sender.id,
    recipientId: access.id,
    clientMessageId: draft.clientMessageId ?? null,
    content: draft.content,
    replyTo: draft.replyTo ?? null,
    priceCents,
    wrote: !sending.automatic,
    now,
  }
}

/** Throws `rate_limited` and `unanswered`. Of two concurrent messages the second waits until the first is counted. */
async function refuseTooMany(tx: Tx, { sender, now }: Sending, access: WriteAccess): Promise<void> {
  const conversationId = conversationIdOf(sender.id, access.id)
  if (!access.conversing) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`first contacts ${sender.id}`}, 0))`.execute(tx)
    if (!mayStart(sender, await countStarted(tx, sender.id, { except: conversationId, now })))
      throw new AppError('rate_limited', { retryAfterSeconds: 600 })
  }
  await lockConversation(tx, conversationId)
  const refused = unansweredRefusal({
    ...access,
    ...(await findWritten(tx, conversationId, sender.id)),
  })
  if (refused) throw new AppError(refused)
}

/**
 * `sendMessage` in the caller’s transaction, which fails if a message with the same `clientMessageId` is stored concurrently;
 * returns the message’s id.
 */
export async function storeMessage(tx: Tx, sending: Sending): Promise<string> {
  const { sender, audience, draft, now } = sending
  const { access = await findWriteAccess(tx, audience, sending.recipientId, now) } = sending
  const message = allowed(sending, access)
  if (access && isLimited(sending, access)) await refuseTooMany(tx, sending, access)
  const { id, conversationId, recipientId, priceCents } = message
  // What somebody paid for by a request is sold as well.
  const sold = priceCents !== null || sending.paidBy !== undefined
  const attached = await attachable(tx, sender.id, draft.mediaIds, { sold })
  await refuseForeignReply(tx, conversationId, draft.replyTo)
  const [stored] = await insertMessages(tx, [message], { reminds: !sending.announced })
  if (!stored) throw new AppError('idempotency_key_reused')
  if (attached.length === 0) return id
  await tx
    .insertInto('message_attachments')
    .values(
      attached.map(({ mediaId, versionId }, place) => ({
        message_id: id,
        place,
        media_id: mediaId,
        version_id: versionId,
      })),
    )
    .execute()
  const source = { kind: 'message' as const, id }
  if (sending.paidBy !== undefined)
    await addToGrant(tx, { kind: 'purchase', id: sending.paidBy }, attached, now)
  else if (priceCents === null)
    await grant(tx, { userId: recipientId, source, gives: { media: attached }, now })
  return id
}

/**
 * The items of these ids with their current versions, locked until the transaction ends. Throws `attachment_unavailable` and `attachment_not_ready`, and
 * `attachment_is_free` if they are sold.
 */
export async function attachable(tx: Tx, ownerId: string, mediaIds: string[], { sold }: { sold: boolean }) {
  const wanted = [...new Set(mediaIds)]
  if (wanted.length === 0) return []
  const found = new Map((await findAttachable(tx, ownerId, wanted)).map((row) => [row.id, row]))
  return wanted.map((id) => {
    const row = found.get(id)
    if (sold && row?.free) throw new AppError('attachment_is_free')
    if (row?.version_id) return { mediaId: id, versionId: row.version_id }
    throw new AppError(row?.pending ? 'attachment_not_ready' : 'attachment_unavailable')
  })
}

/** Throws unless the quoted message is in this conversation; one deleted in the meantime still counts. */
async function refuseForeignReply(db: Db, conversationId: string, replyTo: string | undefined) {
  if (replyTo === undefined) return
  const [answered] = await findMessages(db, [replyTo])
  if (answered?.conversation_id !== conversationId) throw new AppError('message_not_found')
}

const NOWHERE = { country: null, region: null }

/**
 * Sends a new subscriber the creator's welcome message, once however often they subscribe; nothing if the creator can't
 * message them.
 */
export async function welcome(
  context: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  const { db, clock, config, publishingOpen } = context
  const parties = await findParties(db, subscriptionId)
  if (!parties) return
  const creator = await db
    .selectFrom('users')
    .innerJoin('chat_settings', 'chat_settings.user_id', 'users.id')
    .select(['users.id', 'role', 'is_creator', 'welcome_message'])
    .where('users.id', '=', parties.creator_id)
    .where('welcome_message', '<>', '')
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  if (!creator) return
  const sender = { id: creator.id, role: creator.role, isCreator: creator.is_creator }
  const clientMessageId = conversationIdOf(creator.id, parties.fan_id)
  try {
    await sendMessage(db, {
      sender,
      audience: { ...audienceOf(sender, NOWHERE), id: sender.id },
      recipientId: parties.fan_id,
      draft: { content: creator.welcome_message, mediaIds: [], clientMessageId },
      publishingOpen,
      config,
      automatic: true,
      now: clock.now(),
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
  }
}
