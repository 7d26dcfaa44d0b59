import { sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../../contract/orders.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../../db/cursor.ts'
import { BATCH_KINDS } from '../rules.ts'
import { type Own, sentSince } from './rules.ts'

/** When the oldest batch that differs and the last one were settled; before there is any, when the first charge was made. */
export async function findSettled(db: Db) {
  const live = sql<boolean>`livemode = installation_livemode()`
  const { rows } = await sql<{ differing: Date | null; last: Date | null; firstCharge: Date | null }>`
    select (select min(settled_at) from settlements where posted_at is null and ${live}) as differing,
      (select max(settled_at) from settlements where ${live}) as last,
      case when not exists (select from settlements where ${live})
        then (select min(submitted_at) from payments where status in ('captured', 'disputed', 'refunded')) end as "firstCharge"`.execute(
    db,
  )
  return rows[0] ?? { differing: null, last: null, firstCharge: null }
}

/** Which of these batches are posted already. */
export async function findPosted(db: Db, batchIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('settlements')
    .select('batch_id')
    .where('batch_id', '=', sql<string>`any(${batchIds})`)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .where('posted_at', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.batch_id))
}

/** Our payments and refunds by the gateway's numbers; what was voided was never settled. */
const OWN_CHARGES = sql`(select gateway_transaction_id as number, amount_cents from payments
  where status in ('captured', 'disputed', 'refunded'))`
const OWN_REFUNDS = sql`(select gateway_transaction_id as number, amount_cents - made_cents as amount_cents
  from refunds where status = 'refunded')`

/** The sum of our payments and refunds of these transactions. */
export async function findOwn(db: Db, transactionIds: string[]): Promise<Own> {
  const { rows } = await sql<Own>`
    select
      (select coalesce(sum(amount_cents), 0) from ${OWN_CHARGES} as own where number = any(${transactionIds}))::bigint
        as "chargedCents",
      (select coalesce(sum(amount_cents), 0) from ${OWN_REFUNDS} as own where number = any(${transactionIds}))::bigint
        as "refundedCents"`.execute(db)
  return rows[0] ?? { chargedCents: 0, refundedCents: 0 }
}

/** Those of these numbers that our payments and refunds count. */
export async function listOwn(db: Db, transactionIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from ${OWN_CHARGES} as own where number = any(${transactionIds})
    union select number from ${OWN_REFUNDS} as own where number = any(${transactionIds})`.execute(db)
  return rows.map(({ number }) => number)
}

/** Those of these numbers that an operator gave up as an earlier batch hadn't settled them. */
export async function listGivenUp(db: Db, transactionIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select distinct number from settlements, unnest(given_up) as number
    where given_up && ${transactionIds}::text[] and given_up <> '{}' and number = any(${transactionIds})
      and livemode = installation_livemode()`.execute(db)
  return rows.map(({ number }) => number)
}

/** Recorded disputes, and the part that other batches took back that were posted, or settled no later, in cents. */
export async function findRecorded(
  db: Tx,
  { batchId, settledAt }: { batchId: string; settledAt: Date },
): Promise<{ disputedCents: number; otherCents: number }> {
  // One after the other, so that no two batches count the same dispute.
  await sql`select pg_advisory_xact_lock(hashtextextended('charged back', 0))`.execute(db)
  const { rows } = await sql<{ disputedCents: number; otherCents: number }>`
    select
      (select coalesce(sum(amount_cents), 0) from disputes where livemode = installation_livemode())::bigint
        as "disputedCents",
      (select coalesce(sum(own_charged_back_cents), 0) from settlements
        where livemode = installation_livemode() and batch_id <> ${batchId}
          and (posted_at is not null or settled_at <= ${settledAt}))::bigint as "otherCents"`.execute(db)
  return rows[0] ?? { disputedCents: 0, otherCents: 0 }
}

/** Differences of these transactions, beyond our own rows, that operators resolved: each as it was found last. */
export async function findExplained(db: Db, transactionIds: string[]): Promise<Own> {
  const { rows } = await sql<Own>`
    with explained as (
      select distinct on (number, is_refund) number, is_refund, amount_cents
      from (
        select gateway_transaction_id as number, kind in ('unknown_refund', 'refund_not_made') as is_refund,
          case kind when 'refund_not_made' then 0 else amount_cents end as amount_cents, resolved_at
        from findings where gateway_transaction_id = any(${transactionIds}) and resolved_by is not null and amount_cents is not null
          and kind in ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'unknown_refund', 'refund_not_made')
          and unmade_at is null
          and livemode = installation_livemode()
      ) as resolved order by number, is_refund, resolved_at desc
    )
    select
      coalesce(sum(amount_cents - (select coalesce(sum(own.amount_cents), 0) from ${OWN_CHARGES} as own
        where own.number = explained.number)) filter (where not is_refund), 0)::bigint as "chargedCents",
      coalesce(sum(amount_cents - (select coalesce(sum(own.amount_cents), 0) from ${OWN_REFUNDS} as own
        where own.number = explained.number)) filter (where is_refund), 0)::bigint as "refundedCents"
    from explained`.execute(db)
  return rows[0] ?? { chargedCents: 0, refundedCents: 0 }
}

/**
 * Whether a charge or refund that may be in this batch is still undecided: its number isn't always known by then, but when it
 * was sent. A charge that an operator has to give back isn't decided by waiting.
 */
export async function hasUndecided(db: Db, transactionIds: string[], settledAt: Date): Promise<boolean> {
  const mayBeIn = sql`(gateway_transaction_id = any(${transactionIds})
    or gateway_transaction_id is null and submitted_at between ${sentSince(settledAt)} and ${settledAt})`
  const { rows } = await sql<{ undecided: boolean }>`
    select exists (select from payments where status = any(${UNDECIDED_STATUSES}) and ${mayBeIn}
        and stuck_at is null)
      or exists (select from refunds where status in ('submitting', 'unknown') and ${mayBeIn}) as undecided`.execute(
    db,
  )
  return rows[0]?.undecided ?? false
}

/** Those of these charges, by the gateway's numbers, that are neither payments of ours nor found already. */
export async function listUncounted(db: Db, chargeIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from unnest(${chargeIds}::text[]) as number
    where not exists (select from payments where gateway_transaction_id = number and status <> 'refused')
      and not exists (select from findings
        where kind in ('unknown_charge', 'charge_not_recorded') and gateway_transaction_id = number
          and (resolved_at is null or resolved_by is not null))`.execute(db)
  return rows.map(({ number }) => number)
}

/** Those of these refunds, by the gateway's numbers, that are neither ours nor known to be made there, as one that was voided isn't. */
export async function listUntold(db: Db, refundIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from unnest(${refundIds}::text[]) as number
    where not exists (select from refunds where gateway_transaction_id = number)
      and not exists (select from findings
        where kind = 'unknown_refund' and gateway_transaction_id = number and unmade_at is null)`.execute(db)
  return rows.map(({ number }) => number)
}

/** Those of these refunds, by the gateway's numbers, of which it said that they weren't made. */
export async function listUnmade(db: Db, refundIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('findings')
    .select('gateway_transaction_id as number')
    .distinct()
    .where('kind', '=', 'refund_not_made')
    .where('gateway_transaction_id', '=', sql<string>`any(${refundIds}::text[])`)
    .where('unmade_at', 'is', null)
    .execute()
  return rows.map(({ number }) => number)
}

/** Those of our refunds that are in a batch and weren't settled with it, by the gateway's numbers. */
export async function listUnsettled(
  db: Db,
  { transactionIds, refundIds }: { transactionIds: string[]; refundIds: string[] },
): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select gateway_transaction_id as number from refunds
    where status = 'refunded' and gateway_transaction_id = any(${transactionIds})
      and gateway_transaction_id <> all(${refundIds}::text[])`.execute(db)
  return rows.map(({ number }) => number)
}

/** Settled batches, the latest first, one row more than the page holds. */
export function listSettlements(db: Db, page: PageRequest) {
  const { cursor } = page
  let rows = db
    .selectFrom('settlements')
    .selectAll()
    .select((eb) => sql<string>`${positionOf(eb.ref('settled_at'), eb.ref('id'))}`.as('position'))
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('findings')
            .select('findings.id')
            .where('kind', 'in', BATCH_KINDS)
            .whereRef('gateway_transaction_id', '=', 'batch_id')
            .where('resolved_at', 'is', null),
        )
        .as('found'),
    )
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('settled_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (cursor !== undefined) rows = rows.where((eb) => after(cursor, eb.ref('settled_at'), eb.ref('id')))
  return rows.execute()
}
