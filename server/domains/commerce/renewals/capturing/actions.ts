import { sql } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { Capture } from '../../../../ports/payments/port.ts'
import { noteUses } from '../../cards/actions.ts'
import { postSales } from '../../ledger/actions.ts'
import { findErased } from '../../orders/data.ts'
import { payableCommissions } from '../../referrals/actions.ts'
import { renewEach } from '../../sellables/subscriptions/actions.ts'

export type Approved = { paymentId: string; charge: Capture }

/**
 * Captures approved renewals in one transaction: each with its journal, its period and its receipt, as if it were alone.
 * Returns the payments that are captured now. Whatever isn't plainly as it was when it was sent is left to
 * `recordOutcome`, and all of them where one can't be captured.
 */
export async function captureTogether(context: Context, approved: Approved[]): Promise<ReadonlySet<string>> {
  if (approved.length < 2) return new Set()
  const { db, clock, log } = context
  try {
    const captured = await db.transaction().execute(async (tx) => {
      const ids = await captureEach(tx, approved, clock.now())
      await context.checkpoint('purchase.before-capture-commit')
      return ids
    })
    await context.checkpoint('purchase.capture-committed')
    return new Set(captured)
  } catch (error) {
    log.warn({ err: error, count: approved.length }, 'renewals are recorded one by one')
    return new Set()
  }
}

async function captureEach(db: Tx, approved: Approved[], now: Date): Promise<string[]> {
  const charges = new Map(approved.map(({ paymentId, charge }) => [paymentId, charge]))
  const renewals = (await lockPlain(db, [...charges.keys()])).flatMap((row) => {
    const charge = charges.get(row.id)
    return charge ? [{ ...row, charge }] : []
  })
  if (renewals.length === 0) return []
  const cardIds = renewals.flatMap(({ stored_card_id }) => stored_card_id ?? [])
  await sql`select from stored_cards where id = any(${cardIds}::uuid[]) order by id for no key update`.execute(
    db,
  )
  const usable = new Set(await noteUses(db, cardIds, now))
  const paid = renewals.map((row) => {
    const { stored_card_id: id } = row
    return { ...row, storedCardId: id !== null && usable.has(id) ? id : null }
  })
  await recordPaid(db, paid, now)
  const payable = await payableCommissions(
    db,
    paid.map(({ order_id }) => order_id),
    now,
  )
  const commissions = Map.groupBy(payable, ({ orderId }) => orderId)
  await postSales(
    db,
    paid.map((row) => ({
      orderId: row.order_id,
      paymentId: row.id,
      creatorId: row.creator_id,
      grossCents: row.amount_cents,
      feeBasisPoints: row.fee_basis_points,
      commissions: commissions.get(row.order_id) ?? [],
    })),
    now,
  )
  const orders = paid.map((row) => ({
    id: row.order_id,
    buyerId: row.buyer_id,
    itemId: row.item_id,
    amountCents: row.amount_cents,
    subscriptionId: row.subscription_id,
    storedCardId: row.storedCardId,
    isRenewedByUs: row.off_session,
    charge: row.charge,
  }))
  await renewEach(db, orders, now)
  return paid.map(({ id }) => id)
}

type Paid = Awaited<ReturnType<typeof lockPlain>>[number] & { charge: Capture; storedCardId: string | null }

/**
 * Those of these payments that are still being sent, for an order that is still owed by and to people who are there. All
 * are locked as one by itself is, each kind in the order of ids: subscriptions, then orders, then payments.
 */
async function lockPlain(db: Tx, paymentIds: string[]) {
  const ids = sql`any(${paymentIds}::uuid[])`
  await sql`
    select from subscriptions where id in (
      select subscription_id from payments join orders on orders.id = order_id where payments.id = ${ids}
    ) order by id for update`.execute(db)
  await sql`
    select from orders where id in (select order_id from payments where id = ${ids}) order by id for update`.execute(
    db,
  )
  await sql`select from payments where id = ${ids} order by id for update`.execute(db)
  const { rows } = await sql<Plain>`
    select payments.id, order_id, payments.stored_card_id, off_session, orders.buyer_id, orders.creator_id, item_id,
      orders.amount_cents, fee_basis_points, subscription_id
    from payments join orders on orders.id = order_id join subscriptions on subscriptions.id = subscription_id
    where payments.id = ${ids} and payments.status = 'submitting' and payments.reason is null and off_session
      and not save_card and orders.status = 'open' and orders.kind = 'subscription'
      and subscriptions.status in ('active', 'past_due')
    order by payments.id`.execute(db)
  const erased = await findErased(
    db,
    rows.flatMap(({ buyer_id, creator_id }) => [buyer_id, creator_id]),
  )
  return rows.filter(({ buyer_id, creator_id }) => !erased.has(buyer_id) && !erased.has(creator_id))
}

type Plain = {
  id: string
  order_id: string
  stored_card_id: string | null
  off_session: boolean
  buyer_id: string
  creator_id: string
  item_id: string
  amount_cents: number
  fee_basis_points: number
  subscription_id: string
}

async function recordPaid(db: Tx, paid: Paid[], now: Date): Promise<void> {
  const rows = paid.map(({ id, order_id, storedCardId, charge }) => ({
    id,
    order_id,
    stored_card_id: storedCardId,
    transaction_id: charge.transactionId,
    network_id: charge.networkTransactionId,
    brand: charge.card.brand,
    last_four: charge.card.lastFour,
    avs: charge.checks.avs,
    cvv: charge.checks.cvv,
  }))
  const charged = sql`json_to_recordset(${JSON.stringify(rows)}::json) as charged (id uuid, order_id uuid,
    stored_card_id uuid, transaction_id text, network_id text, brand text, last_four text, avs text, cvv text)`
  await sql`
    update payments set status = 'captured', source = 'live', status_at = ${now}, reason = null,
      gateway_transaction_id = charged.transaction_id, network_transaction_id = charged.network_id,
      card_brand = charged.brand, card_last_four = charged.last_four, stored_card_id = charged.stored_card_id,
      avs = charged.avs, cvv = charged.cvv, decided_at = ${now}
    from ${charged} where payments.id = charged.id`.execute(db)
  await sql`
    update orders set status = 'paid', paid_by = charged.id, paid_at = ${now}
    from ${charged} where orders.id = charged.order_id`.execute(db)
}

/**
 * Hands on what comes meanwhile together: what is added while `work` is busy, or in the same turn, is its next call. With a
 * slow source that is one thing at a time, and with a fast one as many as `work` needs to keep up.
 */
export function recordTogether<Item>(work: (items: Item[]) => Promise<void>): {
  add(item: Item): void
  /** Resolves once all that was added is done; throws what `work` threw. */
  done(): Promise<void>
} {
  let waiting: Item[] = []
  let running: Promise<void> | null = null
  const drain = async () => {
    try {
      while (waiting.length > 0) {
        await new Promise(setImmediate)
        const items = waiting
        waiting = []
        await work(items)
      }
    } finally {
      running = null
    }
  }
  return {
    add(item) {
      waiting.push(item)
      running ??= drain()
    },
    done: async () => {
      await running
    },
  }
}
