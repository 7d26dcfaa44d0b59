import { sql } from 'kysely'
import type { CommissionReading } from '../../../../../contract/commissions.ts'
import type { Tx } from '../../../../db/client.ts'
import { agreeCommissions } from '../../referrals/actions.ts'
import { type DueRow, findAttempts, lockPastDue, owing } from '../charging/data.ts'
import { nextStep } from '../charging/rules.ts'
import { endRenewing } from '../dunning/actions.ts'
import { isRenewable } from '../rules.ts'

/** The platform's fee of a renewal, and the referrers' part of it. */
export type SaleTerms = { feePercent: number; commission: CommissionReading }

/**
 * Brings the past-due subscription of this fan to a plan to where the next run would, short of a charge: what no run came to
 * is placed, so that the missed period is paid, not one from that day on, and what stayed unpaid too long ends. The caller has
 * locked it.
 */
export async function settleMissed(
  db: Tx,
  missed: { fanId: string; planId: string },
  terms: SaleTerms,
  now: Date,
): Promise<void> {
  const rows = await lockPastDue(db, missed)
  const attempts = await findAttempts(
    db,
    rows.map(({ id }) => id),
  )
  const unplaced: DueRow[] = []
  for (const row of rows) {
    const attempt = attempts.get(row.id)
    const { agreed = true, last = null } = attempt ?? {}
    const state = { periodEnd: row.expiration, renewable: isRenewable(row), agreed, last }
    const step = nextStep({ ...state, hasCard: row.stored_card_id !== null }, now)
    // What ends for another reason can't be bought, or costs its new price: it stays until that is paid.
    if (step.step === 'end' && step.why === 'unpaid') await endRenewing(db, row, step.why, now)
    else if (step.step !== 'end' && !attempt?.open) unplaced.push(owing(row, attempt))
  }
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
