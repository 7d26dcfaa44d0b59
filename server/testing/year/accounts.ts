import { type RawBuilder, sql } from 'kysely'
import { gatewayTransactions } from '../gateway.ts'
import type { Harness } from '../harness.ts'

const MOVES_MONEY = [
  'capturedPendingSettlement',
  'settledSuccessfully',
  'refundPendingSettlement',
  'refundSettledSuccessfully',
]

/** What the gateway charged and gave back by its own books, where that differs from ours: by reference, in cents, but for these. */
export async function differences(harness: Harness, strays: string[] = []) {
  const { rows } = await sql<{ reference: string; cents: number }>`
    select reference, amount_cents - coalesce((
      select sum(refunds.amount_cents) from refunds
      where refunds.payment_id = payments.id and refunds.status in ('refunded', 'voided')
        -- What was given back another way the gateway knows nothing of.
        and refunds.gateway_transaction_id not like 'outside %'
    ), 0)::int as cents
    from payments where status in ('captured', 'refunded', 'disputed')`.execute(harness.context.db)
  const here = new Map(
    rows.filter(({ cents }) => cents > 0).map(({ reference, cents }) => [reference, cents]),
  )
  const there = new Map<string, number>()
  const transactions = await gatewayTransactions(harness)
  const chargeOf = new Map(transactions.map(({ transId, invoiceNumber }) => [transId, invoiceNumber]))
  for (const { type, status, invoiceNumber, refTransId, amountCents } of transactions) {
    if (!MOVES_MONEY.includes(status)) continue
    const isRefund = type === 'refundTransaction'
    const reference = (isRefund && chargeOf.get(refTransId ?? '')) || invoiceNumber
    there.set(reference, (there.get(reference) ?? 0) + (isRefund ? -amountCents : amountCents))
  }
  for (const [reference, cents] of there) if (cents === 0) there.delete(reference)
  for (const reference of strays) there.delete(reference)
  return {
    onlyAtGateway: [...there].filter(([reference]) => !here.has(reference)),
    onlyHere: [...here].filter(([reference]) => !there.has(reference)),
    otherAmount: [...here].filter(
      ([reference, cents]) => there.has(reference) && there.get(reference) !== cents,
    ),
  }
}

/** What must not be there, by name; each selects the ids of what is wrong as `id`. */
const VIOLATIONS: Record<string, (now: Date) => RawBuilder<{ id: string }>> = {
  'payments and refunds that nobody decided': () => sql`
    select id from payments where status in ('created', 'submitting', 'held', 'unknown')
    union all select id from refunds where status not in ('refunded', 'voided', 'refused')`,
  'periods of a subscription that were charged twice': () => sql`
    select min(orders.id::text) as id from orders join payments on payments.order_id = orders.id
    where subscription_id is not null and payments.status in ('captured', 'disputed')
    group by subscription_id, period having count(*) > 1`,
  'paid orders of which more was given back than paid': () => sql`
    select orders.id from orders join refunds on refunds.payment_id = orders.paid_by
    where refunds.status in ('refunded', 'voided') group by orders.id having sum(refunds.amount_cents) > orders.amount_cents`,
  'renewals at a price that their fans didn’t agree to': () => sql`
    select renewal.id from orders as renewal join lateral (
      select months, coalesce(renewal_cents, amount_cents) as cents from orders
      where subscription_id = renewal.subscription_id and status = 'paid' and period < renewal.period
      order by period desc limit 1
    ) as before on true
    where renewal.status = 'paid' and (renewal.months <> before.months or renewal.amount_cents > before.cents)
      -- Who bought it anew agreed to what the dialog showed.
      and renewal.consented_at < renewal.created_at
      and not exists (
        select from subscription_agreements as agreed where agreed.subscription_id = renewal.subscription_id
          and agreed.months = renewal.months and agreed.price_cents = renewal.amount_cents
          and agreed.consented_at <= renewal.created_at and agreed.effective_from <= renewal.created_at
          and agreed.applied_at is not null)`,
  'renewals that are owed before the last period is over, or of what isn’t renewed': () => sql`
    select orders.id from orders join subscriptions on subscriptions.id = subscription_id
    where orders.status = 'open'
      and (subscriptions.status not in ('active', 'past_due') or current_period_end > orders.created_at)`,
  'bundles at less than their price by more than what their fan had': () => sql`
    select id from orders where full_cents is not null and (status = 'paid') and amount_cents < greatest(100,
      ceil(full_cents * (select count(*) from order_items where order_id = orders.id)::numeric
        / (owned_items + (select count(*) from order_items where order_id = orders.id))))`,
  'subscriptions that are paid for without access, or ended with it': (now) => sql`
    select subscriptions.id from subscriptions
    cross join lateral (select exists (
      select from entitlements where source_kind = 'subscription' and source_id = subscriptions.id and revoked_at is null
        and (valid_until is null or valid_until > ${now})
    ) as held) as access
    where (status in ('active', 'trialing', 'canceled') and current_period_end > ${now} and not held)
      or (status = 'expired' and held and not exists (
        -- What a dispute took back is given again where money is kept, also in the days of grace after what was paid for, or
        -- beside another one that the fan got meanwhile.
        select from orders join disputes on disputes.order_id = orders.id
        where subscription_id = subscriptions.id and disputes.status <> 'open' and refunded_at is null
          and (current_period_end <= ${now} or exists (
            select from subscriptions as other where other.id <> subscriptions.id
              and other.fan_id = subscriptions.fan_id and other.plan_id = subscriptions.plan_id))))`,
  'purchases that are paid for without access, or given back with it': () => sql`
    select orders.id from orders left join payments on payments.id = paid_by
    cross join lateral (select exists (
      select from entitlements where source_kind = 'purchase' and source_id = orders.id and revoked_at is null
    ) as held) as access
    where kind <> 'subscription' and held is distinct from (orders.status = 'paid' and refunded_at is null
      and payments.status = 'captured')`,
  'custom requests that are overdue and still paid for': () => sql`
    select request.id from custom_requests as request
      join orders on orders.kind = 'custom' and orders.item_id = request.id
      join payments on payments.id = orders.paid_by
    where overdue_at is not null and delivered_at is null and payments.status = 'captured'`,
  'orders said to be given back of which money is kept, or the other way round': () => sql`
    select id from orders where status = 'paid' and (refunded_at is not null) is distinct from (amount_cents <= (
      select coalesce(sum(refunds.amount_cents), 0) from refunds
        where payment_id = paid_by and refunds.status in ('refunded', 'voided')
    ) + (
      select coalesce(sum(disputes.amount_cents), 0) from disputes where payment_id = paid_by and disputes.status = 'lost'
    ))`,
}

/** What is wrong in the books of orders and access, by what it is. */
export async function violations({ context: { db }, clock }: Harness): Promise<Record<string, string[]>> {
  const found: [string, string[]][] = []
  for (const [what, select] of Object.entries(VIOLATIONS)) {
    const { rows } = await select(clock.now()).execute(db)
    if (rows.length > 0) found.push([what, rows.map(({ id }) => id)])
  }
  return Object.fromEntries(found)
}

/** How often each thing happened that a year is to hold. */
export async function happened({ context: { db } }: Harness): Promise<Record<string, number>> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'captured payments' as what, count(*) from payments where status in ('captured', 'refunded', 'disputed')
    union all select 'renewals', count(*) from orders where status = 'paid' and period > 1
    union all select 'renewals at a higher price that was agreed to', count(*) from subscription_agreements
      where price_change_id is not null and applied_at is not null
    union all select 'subscriptions with free months', count(*) from subscriptions where extended_months > 0
    union all select 'renewals given up for free months', count(*) from orders join subscriptions on subscriptions.id = subscription_id
      -- Not those of a price that was taken back, nor what ended with its subscription.
      where orders.status = 'void' and extended_months > 0 and closed_at is distinct from ended_at and not exists (
        select from price_change_notices as notice
        where notice.subscription_id = subscriptions.id and notice.price_cents = orders.amount_cents)
    union all select type || ' offers redeemed', (
      select count(*) from offer_redemptions join offers on offers.id = offer_id where offers.type = types.type and redeemed_at is not null
    ) from (select distinct type from offers) as types
    union all select 'bundles for less, as a part was owned', count(*) from orders where full_cents is not null and status = 'paid'
    union all select 'refunds of ' || (case when amount_cents = paid then 'all' else 'a part' end), count(*)
      from (select refunds.amount_cents, payments.amount_cents as paid from refunds join payments on payments.id = payment_id
        where refunds.status in ('refunded', 'voided')) as refunds group by 1
    union all select 'refunds made elsewhere', count(*) from refunds where gateway_transaction_id like 'outside %'
    union all select 'disputes ' || status, count(*) from disputes group by status
    union all select 'payouts ' || status, count(*) from payouts group by status
    union all select 'paid orders, ' || kind, count(*) from orders where status = 'paid' group by kind
    union all select 'purchases by a stored card', count(*) from payments
      where stored_card_id is not null and not save_card and not off_session and status in ('captured', 'refunded', 'disputed')
    union all select 'custom requests given back', count(*) from refunds join orders on orders.id = refunds.order_id
      where kind = 'custom' and requested_by is null and refunds.status in ('refunded', 'voided')
    union all select 'commissions', count(*) from order_commissions
    union all select 'commissions of a shared code', count(*) from order_commissions where shared_code_id is not null
    union all select 'commissions withheld', count(*) from commissions_withheld
    union all select 'adjustments from ' || from_account || ' to ' || to_account, count(*) from adjustments
      where status = 'posted' group by from_account, to_account
    union all select 'gateway answers found by asking again', count(*) from payment_events where source = 'lookup'
    order by what`.execute(db)
  return Object.fromEntries(rows.map(({ what, count }) => [what, Number(count)]))
}
