import { sql } from 'kysely'
import type { CommissionReading } from '../../../../../contract/commissions.ts'
import type { Tx } from '../../../../db/client.ts'
import { agreeCommissions } from '../../referrals/actions.ts'
import { type DueRow, findAttempts, lockMissed, owing } from '../charging/data.ts'
import { isRenewable } from '../rules.ts'

/** The platform's fee of a renewal, and the referrers' part of it. */
export type SaleTerms = { feePercent: number; commission: CommissionReading }

/**
 * Places what this fan owes for a plan whose renewal no run has come to, so that paying it is the same before and after
 * one has: the missed period is paid, not one from that day on. The caller has locked the subscription.
 */
export async function placeMissed(
  db: Tx,
  missed: { fanId: string; planId: string },
  terms: SaleTerms,
  now: Date,
): Promise<void> {
  const rows = await lockMissed(db, missed, now)
  const attempts = await findAttempts(
    db,
    rows.map(({ id }) => id),
  )
  const unplaced = rows.flatMap((row) => {
    const attempt = attempts.get(row.id)
    return attempt?.open || attempt?.agreed === false || !isRenewable(row) ? [] : [owing(row, attempt)]
  })
  await placeRenewals(db, unplaced, terms, now)
}

/** The orders of the next periods at the prices that their fans agreed to last; none where there was one already. */
export async function placeRenewals(
  db: Tx,
  due: DueRow[],
  terms: SaleTerms,
  now: Date,
): Promise<Map<string, string>> {
  if (due.length === 0) return new Map()
  const feeBasisPoints = Math.round(terms.feePercent * 100)
  const agreedOr = (column: 'terms_version' | 'consented_at' | 'consent_network') =>
    sql`case when agreed.consented_at is null then began.${sql.ref(column)} else agreed.${sql.ref(column)} end`
  const placed = await sql<Placed>`
    insert into orders (buyer_id, creator_id, kind, item_id, title, amount_cents, months, fee_basis_points, bought_once,
      subscription_id, period, created_at, tried_at, terms_version, consented_at, consent_network)
    select due.fan_id, due.creator_id, 'subscription', due.plan_id, due.title, due.price_cents, due.months,
      ${feeBasisPoints}, false, due.id, began.next_period, ${now}, ${now},
      ${sql.join([agreedOr('terms_version'), agreedOr('consented_at'), agreedOr('consent_network')])}
    from json_to_recordset(${JSON.stringify(due)}::json) as due (id uuid, fan_id uuid, creator_id uuid, plan_id uuid,
      title text, price_cents integer, months integer, expiration timestamptz)
    cross join lateral (
      select coalesce(max(period) filter (where status = 'paid'), 1) + 1 as next_period,
        (array_agg(terms_version order by period))[1] as terms_version,
        (array_agg(consented_at order by period))[1] as consented_at,
        (array_agg(consent_network order by period))[1] as consent_network
      from orders where subscription_id = due.id
    ) as began
    left join lateral (
      select terms_version, consented_at, consent_network from subscription_agreements
      where subscription_id = due.id and consented_at is not null and withdrawn_at is null
        and effective_from <= due.expiration
      order by created_at desc, id desc limit 1
    ) as agreed on true
    on conflict do nothing
    returning id, buyer_id, creator_id, amount_cents, fee_basis_points, subscription_id`.execute(db)
  if (placed.rows.length > 0) await agreeCommissions(db, placed.rows, terms.commission, now)
  return new Map(placed.rows.map(({ id, subscription_id }) => [subscription_id, id]))
}

type Placed = {
  id: string
  buyer_id: string
  creator_id: string
  amount_cents: number
  fee_basis_points: number
  subscription_id: string
}
