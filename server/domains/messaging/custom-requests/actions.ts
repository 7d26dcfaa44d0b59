import { formatMoney } from '../../../../contract/money.ts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Viewer } from '../../../viewer.ts'
import { requirePrice } from '../../commerce/actions.ts'
import { findRefundableCents } from '../../commerce/ledger/data.ts'
import { closeOrder } from '../../commerce/orders/actions.ts'
import { takeGrantTurn } from '../../media/entitlements/actions.ts'
import { hasCurrentVersions } from '../../media/entitlements/data.ts'
import { notify } from '../../notifications/actions.ts'
import { withdraw } from '../../notifications/inbox/actions.ts'
import { findWriteAccess, type Writer } from '../data.ts'
import { changeMessage, emptyMessage } from '../messages/actions.ts'
import { findMessages } from '../messages/data.ts'
import { storeMessage } from '../messages/sending/actions.ts'
import { writeRefusal } from '../rules.ts'
import { countOpen, findRequest, findUnderWay, type RequestRow } from './data.ts'
import { factsOf } from './present.ts'
import {
  acceptedPriceRefusal,
  deliverBy,
  newRequestRefusal,
  type RequestAction,
  requestRefusal,
} from './rules.ts'

/** The acting person, and the time and settings that apply. */
export type By = {
  sender: Pick<Viewer, 'id' | 'isCreator'>
  audience: Writer
  config: Pick<Context['config'], 'MIN_PRICE_CENTS'>
  publishingOpen: boolean
  now: Date
}

/**
 * Sends a creator a custom request, as a message in their conversation; returns the request's id. Throws the reason why they
 * can't be messaged, and what `newRequestRefusal` returns.
 */
export async function createRequest(
  tx: Tx,
  by: By,
  asked: { creatorId: string; requestMessage: string; maxMinutes: number; pricePerMinute: string },
): Promise<string> {
  const { creatorId, requestMessage, maxMinutes, pricePerMinute } = asked
  const minutePriceCents = requirePrice(by.config, pricePerMinute)
  // Locks the conversation, so that no other request between the two is created at the same time.
  const draft = { content: requestMessage, mediaIds: [] }
  const messageId = await storeMessage(tx, { ...by, recipientId: creatorId, draft, announced: true })
  const creator = await tx
    .selectFrom('users')
    .select(['id', 'is_creator'])
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow()
  const refused = newRequestRefusal(
    { maxMinutes, minutePriceCents },
    { isCreator: creator.is_creator, open: await countOpen(tx, by.sender.id, creatorId) },
  )
  if (refused) throw new AppError(refused)
  const { id } = await tx
    .insertInto('custom_requests')
    .values({
      fan_id: by.sender.id,
      creator_id: creator.id,
      message: requestMessage.toWellFormed(),
      max_minutes: maxMinutes,
      minute_price_cents: minutePriceCents,
      created_at: by.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('messages').set({ custom_request_id: id }).where('id', '=', messageId).execute()
  await tell(tx, await lockRequest(tx, id, by.sender.id), { state: 'requested', to: 'creator', now: by.now })
  return id
}

/**
 * Accepts a request at a price, or changes that price: the earlier offer can't be paid anymore. Throws what
 * `requestRefusal` returns, and the reason why the fan can't be messaged.
 */
export async function acceptRequest(
  tx: Tx,
  by: By,
  { requestId, price, deliveryDays }: { requestId: string; price: string | undefined; deliveryDays: number },
): Promise<void> {
  const { request } = await requireChangeable(tx, 'accept', requestId, by.sender.id)
  const offered = formatMoney(request.max_minutes * request.minute_price_cents)
  const priceCents = requirePrice(by.config, price ?? offered)
  const unreachable = writeRefusal(
    by.sender.id,
    await findWriteAccess(tx, by.audience, request.fan_id, by.now),
  )
  const refused = unreachable ?? acceptedPriceRefusal(priceCents)
  if (refused) throw new AppError(refused)
  const changesTerms = request.price_cents !== priceCents || request.delivery_days !== deliveryDays
  if (changesTerms) await closeOrders(tx, requestId, by.now)
  await tx
    .updateTable('custom_requests')
    .set({ status: 'accepted', price_cents: priceCents, delivery_days: deliveryDays, answered_at: by.now })
    .where('id', '=', requestId)
    .execute()
  await showChange(tx, request)
  if (changesTerms) await withdrawOffer(tx, request, by.now)
  const told = {
    state: 'accepted',
    to: 'fan',
    amount: formatMoney(priceCents),
    before: request.price_cents === null ? null : formatMoney(request.price_cents),
    terms: termsOf(priceCents, deliveryDays),
    now: by.now,
  } as const
  await tell(tx, request, told)
}

/** Declines an unpaid request. Throws what `requestRefusal` returns. */
export async function declineRequest(
  tx: Tx,
  by: Pick<By, 'sender' | 'now'>,
  { requestId, reason }: { requestId: string; reason: string },
): Promise<void> {
  const { request } = await requireChangeable(tx, 'decline', requestId, by.sender.id)
  await closeOrders(tx, requestId, by.now)
  const values = { price_cents: null, delivery_days: null, reason: reason || null, answered_at: by.now }
  await tx
    .updateTable('custom_requests')
    .set({ status: 'declined', ...values })
    .where('id', '=', requestId)
    .execute()
  await showChange(tx, request)
  await withdrawOffer(tx, request, by.now)
  await tell(tx, request, { state: 'declined', to: 'fan', now: by.now })
}

/** Deletes one's own unpaid request, with its message. Throws what `requestRefusal` returns. */
export async function deleteRequest(
  tx: Tx,
  by: Pick<By, 'sender' | 'now'>,
  { requestId }: { requestId: string },
): Promise<void> {
  const { request } = await requireChangeable(tx, 'delete', requestId, by.sender.id)
  await closeOrders(tx, requestId, by.now)
  const otherId = request.creator_id
  // Lock the conversation before its message, whose link to the request goes with it.
  await change(tx, request, (revision, message) =>
    emptyMessage(tx, { revision, message, otherId, now: by.now }),
  )
  await tx.deleteFrom('custom_requests').where('id', '=', requestId).execute()
  const once = onceOf(request, 'requested')
  await withdraw(tx, [{ person: request.creator_id, once }], by.now)
  await withdrawOffer(tx, request, by.now)
}

/**
 * Delivers a paid request, once: sends a message whose media belong to the fan while the payment stands, in the versions
 * sent. Throws what `requestRefusal` returns, the reason why the message can't be sent, and `attachments_owned`.
 */
export async function deliverRequest(
  tx: Tx,
  by: By,
  { requestId, mediaIds, content }: { requestId: string; mediaIds: string[]; content: string },
): Promise<void> {
  const asked = await tx
    .selectFrom('custom_requests')
    .select('fan_id')
    .where('id', '=', requestId)
    .executeTakeFirst()
  // What they buy, or get by another request, in the same moment isn't new either.
  if (asked) await takeGrantTurn(tx, asked.fan_id)
  const { request, orderId } = await requireChangeable(tx, 'deliver', requestId, by.sender.id)
  if (await hasCurrentVersions(tx, request.fan_id, mediaIds)) throw new AppError('attachments_owned')
  const messageId = await storeMessage(tx, {
    ...by,
    recipientId: request.fan_id,
    draft: { content, mediaIds },
    announced: true,
    ...(orderId === null ? {} : { paidBy: orderId }),
  })
  await tx.updateTable('messages').set({ custom_request_id: requestId }).where('id', '=', messageId).execute()
  await tx.updateTable('custom_requests').set({ delivered_at: by.now }).where('id', '=', requestId).execute()
  await showChange(tx, request)
  await tell(tx, request, { state: 'delivered', to: 'fan', messageId, now: by.now })
}

/**
 * Marks a paid request that can only be refunded from now on: it is late, which its creator is told, or one of the two is
 * leaving before it is due.
 */
export async function markOverdue(tx: Tx, requestId: string, now: Date): Promise<void> {
  const request = await lockRequest(tx, requestId, null)
  const { order_id: orderId, ...underWay } = await findUnderWay(tx, requestId)
  if (!request || orderId === null) return
  if (requestRefusal('deliver', knownOf(request), request.creator_id, underWay)) return
  const { counts_from: countsFrom, delivery_days: days } = request
  if (countsFrom === null || days === null) return
  const leaving = deliverBy(new Date(countsFrom), days) > now
  await tx
    .updateTable('custom_requests')
    .set({ overdue_at: now, leaving })
    .where('id', '=', requestId)
    .execute()
  await showChange(tx, request)
  // Nothing may name a person who is leaving; the creator is told of the refund itself.
  if (leaving) return
  const { fan_id: fromId, username: from, message_id: messageId } = request
  const amount = formatMoney(await findRefundableCents(tx, orderId))
  const data = { state: 'overdue' as const, from, fromId, messageId, amount }
  const once = `custom.sold ${requestId} overdue`
  await notify(tx, { kind: 'custom.sold', person: request.creator_id, data }, { now, once })
}

/** The request, locked until the transaction ends, if this person may do this to it. */
async function requireChangeable(tx: Tx, action: RequestAction, requestId: string, personId: string) {
  const request = await lockRequest(tx, requestId, personId)
  const { order_id: orderId, ...underWay } = await findUnderWay(tx, requestId)
  const refused = requestRefusal(action, request && knownOf(request), personId, underWay)
  if (refused || !request) throw new AppError(refused ?? 'custom_request_not_found')
  if (request.hidden) throw new AppError('custom_request_not_found')
  return { request, orderId }
}

const knownOf = (row: RequestRow) => ({ ...factsOf(row), fanId: row.fan_id, creatorId: row.creator_id })

/**
 * Locks a request before its orders, like a purchase; orders are locked before the conversation, like a capture. With a
 * person, returns the request only if it is theirs.
 */
async function lockRequest(tx: Tx, requestId: string, personId: string | null): Promise<RequestRow | null> {
  const locked = await tx
    .selectFrom('custom_requests')
    .select('fan_id')
    .where('id', '=', requestId)
    .forUpdate()
    .executeTakeFirst()
  await tx
    .selectFrom('orders')
    .select('id')
    .where('kind', '=', 'custom')
    .where('item_id', '=', requestId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return locked ? findRequest(tx, requestId, personId ?? locked.fan_id, null) : null
}

/** Closes unpaid orders, so that late charges for them are refunded. */
async function closeOrders(tx: Tx, requestId: string, now: Date): Promise<void> {
  const open = await tx
    .selectFrom('orders')
    .select('id')
    .where('kind', '=', 'custom')
    .where('item_id', '=', requestId)
    .where('status', '=', 'open')
    .execute()
  for (const { id } of open) await closeOrder(tx, id, now)
}

/** Shows both people the updated request. */
function showChange(tx: Tx, request: RequestRow): Promise<void> {
  return change(tx, request, async (revision, { id }) => {
    await tx.updateTable('messages').set({ revision }).where('id', '=', id).execute()
  })
}

async function change(
  tx: Tx,
  { message_id: messageId, fan_id, creator_id }: RequestRow,
  work: Parameters<typeof changeMessage>[2],
): Promise<void> {
  const [message] = messageId === null ? [] : await findMessages(tx, [messageId])
  if (message) await changeMessage(tx, { message, people: [fan_id, creator_id] }, work)
}

/** Takes back what the fan was told of an offer that can't be paid anymore. */
async function withdrawOffer(tx: Tx, request: RequestRow, now: Date): Promise<void> {
  const { price_cents: priceCents, delivery_days: days, fan_id: person } = request
  if (priceCents === null || days === null) return
  const once = onceOf(request, 'accepted', termsOf(priceCents, days))
  await withdraw(tx, [{ person, once }], now)
}

const termsOf = (priceCents: number, days: number) => `${formatMoney(priceCents)} ${days}`

/** Under what a notification of a request is told once; changed terms count as a new one. */
const onceOf = ({ id }: RequestRow, state: string, terms = '') => `custom.changed ${id} ${state} ${terms}`

/** Tells one of the two what happened to a request, without its text. */
async function tell(
  tx: Tx,
  request: RequestRow | null,
  news: {
    state: 'requested' | 'accepted' | 'declined' | 'delivered'
    to: 'fan' | 'creator'
    amount?: string
    before?: string | null
    terms?: string
    /** Where it leads, if not to the request. */
    messageId?: string
    now: Date
  },
): Promise<void> {
  if (!request) return
  const { state, to, amount = null, before = null, terms, now } = news
  const [person, other] =
    to === 'fan'
      ? [request.fan_id, { id: request.creator_id, username: request.creator_username }]
      : [request.creator_id, { id: request.fan_id, username: request.username }]
  const data = {
    state,
    from: other.username,
    fromId: other.id,
    messageId: news.messageId ?? request.message_id,
    amount,
    before,
  }
  const once = onceOf(request, state, terms)
  await notify(tx, { kind: 'custom.changed', person, data }, { now, once })
}
