import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { MAX_CARDS } from '../../../../../contract/constants.ts'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import type { CardOnFile, CardToken, StoreOutcome } from '../../../../ports/payments/port.ts'
import { keepCard, removeCard, renewBy, requireAsShown, takeCardsTurn } from '../actions.ts'
import { countAttempt, noteDecline } from '../attempts/actions.ts'
import { isUsable, listCards, lockCard } from '../data.ts'
import { lookedUpBefore, type Owed } from '../rules.ts'

/** A card that somebody wants stored, in place of another or beside it. */
export type WantedCard = {
  user: { id: string; email: string }
  token: CardToken
  replaces: string | null
  /** What its owner was shown that it is charged for; null when they did not say. */
  shown: readonly Owed[] | null
  /** The network of the request, as `hashedNetwork` gives it. */
  network: string
  idempotencyKey: string | null
}

export type Addition = NonNullable<Awaited<ReturnType<typeof findAddition>>>

/**
 * Stores a card without buying: commits that it is being sent, has the gateway validate and store it with no transaction
 * open, then commits the card with what it is to pay. Returns the addition, whatever became of it, and whether this call
 * made it. Throws `card_not_found`, `past_due_changed`, `too_many_cards`, `card_addition_in_progress` and what `attemptRefusal`
 * says.
 */
export async function addCard(
  context: Context,
  wanted: WantedCard,
): Promise<{ addition: Addition; first: boolean }> {
  const { db, clock, log, payments } = context
  const { id, first } = await recordIntent(db, wanted, clock.now())
  if (first) {
    await context.checkpoint('card.intent-committed')
    const { user: customer, token } = wanted
    const outcome = await payments.storeCard({ customer, token })
    await context.checkpoint('card.gateway-answered')
    try {
      await recordOutcome(context, id, outcome)
      if (outcome.kind === 'unknown') await lookUpAddition(context, { id, user_id: customer.id })
    } catch (error) {
      log.error({ err: error, additionId: id }, 'a stored card could not be recorded; it will be looked up')
    }
  }
  const addition = await findAddition(db, id)
  if (!addition) throw new AppError('internal')
  return { addition, first }
}

const hashOf = ({ token, replaces, shown }: WantedCard): string =>
  createHash('sha256')
    .update(JSON.stringify([token.dataDescriptor, token.dataValue, replaces, ...(shown ? [shown] : [])]))
    .digest('base64url')

async function recordIntent(db: Db, wanted: WantedCard, now: Date): Promise<{ id: string; first: boolean }> {
  try {
    return await db.transaction().execute(async (tx) => {
      const earlier = await replay(tx, wanted)
      if (earlier) return { id: earlier, first: false }
      return { id: await insertIntent(tx, wanted, now), first: true }
    })
  } catch (error) {
    const raced = ['card_additions_one_open', 'card_additions_idempotency'].some((index) =>
      violates(error, index),
    )
    if (!raced) throw error
    const earlier = await replay(db, wanted)
    if (earlier) return { id: earlier, first: false }
    throw new AppError('card_addition_in_progress')
  }
}

async function replay(db: Db, wanted: WantedCard): Promise<string | null> {
  if (wanted.idempotencyKey === null) return null
  const earlier = await db
    .selectFrom('card_additions')
    .select(['id', 'request_hash'])
    .where('user_id', '=', wanted.user.id)
    .where('idempotency_key', '=', wanted.idempotencyKey)
    .executeTakeFirst()
  if (!earlier) return null
  if (earlier.request_hash !== hashOf(wanted)) throw new AppError('idempotency_key_reused')
  return earlier.id
}

async function insertIntent(db: Tx, wanted: WantedCard, now: Date): Promise<string> {
  const { user, replaces, shown, network, idempotencyKey } = wanted
  if (replaces !== null && !(await lockCard(db, user.id, replaces))) throw new AppError('card_not_found')
  if (shown) await requireAsShown(db, user.id, shown, now)
  const others = (await listCards(db, user.id)).filter((card) => card.id !== replaces)
  if (others.length >= MAX_CARDS) throw new AppError('too_many_cards')
  const { id } = await db
    .insertInto('card_additions')
    .values({
      user_id: user.id,
      replaces_id: replaces,
      past_due: shown?.map(({ id }) => id) ?? null,
      idempotency_key: idempotencyKey,
      request_hash: idempotencyKey === null ? null : hashOf(wanted),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await countAttempt(db, { id, userId: user.id, network, creatorId: null, storedCardId: null }, now)
  return id
}

/** Records what the gateway said; whichever of the live call and a recovery comes second changes nothing. */
async function recordOutcome(
  { db, clock }: Context,
  additionId: string,
  outcome: StoreOutcome,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const addition = await tx
      .selectFrom('card_additions')
      .select(['id', 'user_id', 'replaces_id', 'past_due'])
      .where('id', '=', additionId)
      .where('status', 'in', ['submitting', 'unknown'])
      .forUpdate()
      .executeTakeFirst()
    if (!addition) return
    if (outcome.kind === 'stored') return recordStored(tx, addition, outcome.card, now)
    if (outcome.kind === 'declined') await noteDecline(tx, additionId, now)
    const [status, reason] =
      outcome.kind === 'unknown' ? ['unknown' as const, outcome.detail] : [outcome.kind, reasonOf(outcome)]
    await tx
      .updateTable('card_additions')
      .set({ status, reason: reason.slice(0, 200), decided_at: status === 'unknown' ? null : now })
      .where('id', '=', additionId)
      .execute()
  })
}

const reasonOf = (outcome: { reason: string; tokenExpired?: boolean }): string =>
  outcome.tokenExpired ? 'token_expired' : outcome.reason

async function recordStored(
  db: Tx,
  addition: { id: string; user_id: string; replaces_id: string | null; past_due: string[] | null },
  card: CardOnFile,
  now: Date,
): Promise<void> {
  const { user_id: userId, replaces_id: replaces, past_due: dueIds } = addition
  await takeCardsTurn(db, userId)
  const cardId = await keepCard(db, userId, card, now)
  if (cardId !== null) {
    await renewBy(db, { userId, cardId, now }, { replaces }, dueIds)
    // The same card again is the one that it would replace.
    if (replaces !== null && replaces !== cardId && (await isThere(db, replaces)))
      await removeCard(db, { userId, cardId: replaces, now })
  }
  await db
    .updateTable('card_additions')
    .set(
      cardId === null
        ? { status: 'refused', reason: 'being_removed', decided_at: now }
        : { status: 'stored', reason: null, stored_card_id: cardId, decided_at: now },
    )
    .where('id', '=', addition.id)
    .execute()
}

async function isThere(db: Db, cardId: string): Promise<boolean> {
  const card = await db
    .selectFrom('stored_cards')
    .select('id')
    .where('id', '=', cardId)
    .where(isUsable)
    .executeTakeFirst()
  return card !== undefined
}

/**
 * Asks the gateway what became of storing a card: the newest card that isn't known here is the one. What it doesn't have
 * after some minutes was not stored; nothing is ever sent again. False when the gateway gave no answer.
 */
export async function lookUpAddition(
  context: Context,
  { id, user_id: userId }: { id: string; user_id: string },
): Promise<boolean> {
  const { db, payments, clock } = context
  await db.transaction().execute((tx) => noteLookupTried(tx, id, clock.now()))
  // Read before and after, as one that is deleted meanwhile is neither listed nor new.
  const before = await findKnown(db, userId)
  const listed = await payments.listCards({ customerId: userId })
  if (listed.kind === 'unavailable') return false
  // Until that is known, a new card may be the one of a purchase.
  if (await isPurchaseUnanswered(db, userId)) return true
  const known = new Set([...before, ...(await findKnown(db, userId))])
  const [card] = listed.cards
    .filter(({ paymentProfileId }) => !known.has(paymentProfileId))
    .toSorted((a, b) => Number(b.paymentProfileId) - Number(a.paymentProfileId))
  if (card) {
    await recordOutcome(context, id, { kind: 'stored', card })
    return true
  }
  const addition = await findAddition(db, id)
  if (addition && addition.created_at <= lookedUpBefore(clock.now()))
    await recordOutcome(context, id, { kind: 'refused', reason: 'not_stored', tokenExpired: false })
  return true
}

/** Before the gateway is asked, so that one it never answers for is behind the others in the next run. */
async function noteLookupTried(db: Tx, id: string, now: Date): Promise<void> {
  await db.updateTable('card_additions').set({ lookup_tried_at: now }).where('id', '=', id).execute()
}

/** Whether a charge whose card the gateway stores as well was sent, and isn't answered. */
async function isPurchaseUnanswered(db: Db, userId: string): Promise<boolean> {
  const payment = await db
    .selectFrom('payments')
    .select('id')
    .where('buyer_id', '=', userId)
    .where('save_card', '=', true)
    .where('status', 'in', ['submitting', 'unknown'])
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .executeTakeFirst()
  return payment !== undefined
}

async function findKnown(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_cards')
    .select('payment_profile_id')
    .where('user_id', '=', userId)
    .execute()
  return rows.map((row) => row.payment_profile_id)
}

function findAddition(db: Db, id: string) {
  return db
    .selectFrom('card_additions')
    .select(['id', 'status', 'reason', 'stored_card_id', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Cards whose storing is undecided, the ones looked up longest ago first. */
export function findUndecided(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('card_additions')
    .select(['id', 'user_id'])
    .where('status', 'in', ['submitting', 'unknown'])
    .where('created_at', '<=', lookedUpBefore(now))
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('lookup_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('created_at')
    .limit(limit)
    .execute()
}
