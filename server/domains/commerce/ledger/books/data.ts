import { type RawBuilder, sql } from 'kysely'
import { type ChainHead, findHeads, findUnchained } from '../../../../db/chains.ts'
import type { Db } from '../../../../db/client.ts'
import { listAllWithheld } from '../../referrals/data.ts'
import { transfersOutside } from '../../refunds/data.ts'
import { findOrderBalances } from '../data.ts'
import { returnedPart } from '../rules.ts'

export type AccountTotal = { currency: string; livemode: boolean; kind: string; cents: number }
/** Something that doesn't match: what, of which row, and the two figures in cents or counts. */
export type Discrepancy = { what: string; id: string; expected: number; found: number }
export type Books = {
  totals: AccountTotal[]
  journals: number
  sales: number
  settlements: number
  /** Claims of accounts that were erased, less manual payments on them (decision 068). */
  owedToDeleted: { accounts: number; cents: number }
  /** What refunds left of commissions that weren't paid, as their referrer was suspended or left: part of the platform's fee. */
  withheld: { commissions: number; cents: number }
  chains: ChainHead[]
  discrepancies: Discrepancy[]
}

/** The sum of every kind of account, and whatever in the ledger, the payments, the payouts and the chains doesn't match. */
export async function findBooks(db: Db): Promise<Books> {
  const { rows: totals } = await sql<AccountTotal>`
    select currency, livemode, kind, sum(amount_cents)::bigint as cents
    from postings join ledger_accounts on ledger_accounts.id = account_id
    group by currency, livemode, kind order by currency, livemode, kind`.execute(db)
  const { rows: counts } = await sql<{ journals: number; sales: number; settlements: number }>`
    select count(*) as journals, count(*) filter (where kind = 'sale') as sales,
      count(*) filter (where kind = 'settlement') as settlements from journals`.execute(db)
  const { rows: owed } = await sql<{ accounts: number; cents: number }>`
    select count(*)::int as accounts, coalesce(sum(cents), 0)::bigint as cents from (
      select sum(balance_cents) - ${paidByHand} as cents
      from ledger_balances join ledger_accounts on ledger_accounts.id = account_id
        join account_deletions as deletion using (user_id)
      where erased_at is not null and livemode = installation_livemode() group by user_id
    ) as deleted where cents > 0`.execute(db)
  const { rows: discrepancies } = await sql<Discrepancy>`
    with sales as materialized (${sales})
    select what, id, expected::bigint, found::bigint from (${sql.join(CHECKS, sql` union all `)}) as checks
    order by what, id limit 1000`.execute(db)
  const unchained = (await findUnchained(db)).map((record) => ({ ...record, expected: 1, found: 0 }))
  return {
    totals,
    journals: counts[0]?.journals ?? 0,
    sales: counts[0]?.sales ?? 0,
    settlements: counts[0]?.settlements ?? 0,
    owedToDeleted: owed[0] ?? { accounts: 0, cents: 0 },
    withheld: await sumWithheld(db),
    chains: await findHeads(db),
    discrepancies: [...discrepancies, ...unchained],
  }
}

async function sumWithheld(db: Db): Promise<Books['withheld']> {
  const rows = await listAllWithheld(db)
  const balances = await findOrderBalances(db, [...new Set(rows.map(({ orderId }) => orderId))])
  const left = rows.map(({ orderId, cents }) => {
    const balance = balances.get(orderId)
    return balance ? cents - returnedPart(cents, balance) : cents
  })
  return {
    commissions: left.filter((cents) => cents > 0).length,
    cents: left.reduce((sum, cents) => sum + cents, 0),
  }
}

/** Payments on a deleted account's claim, from adjustments that name it, less those that reverse one. */
const paidByHand = sql`coalesce((
  select sum(case from_account when 'bank' then amount_cents else -amount_cents end) from adjustments
  where (from_account, to_account) in (('bank', 'suspense'), ('suspense', 'bank')) and adjustments.status = 'posted'
    and adjustments.livemode = installation_livemode()
    and strpos(lower(adjustments.reference || ' ' || adjustments.reason), user_id::text) > 0), 0)`

const lines = sql`postings join ledger_accounts as account on account.id = postings.account_id`

/** Credits from sales to people's accounts of these kinds, by person. */
function soldBy(kinds: RawBuilder<unknown>) {
  return sql`select account.user_id, -sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
    where journals.kind = 'sale' and account.kind ~ ${kinds} group by 1`
}

/** The amount of each sale of each item to each fan, as `sales`; a donation has no seller. */
const sales = sql`select orders.creator_id, orders.item_id as item, orders.buyer_id as fan, orders.kind,
    (journals.occurred_at at time zone 'UTC')::date as day,
    sum(postings.amount_cents) filter (where account.kind = 'gateway') as gross,
    coalesce(-sum(postings.amount_cents) filter (where account.kind ~ '^creator_'), 0) as share
  from journals join orders on orders.id = order_id join ${lines} on journal_id = journals.id
  where journals.kind = 'sale' and orders.kind <> 'donation' group by journals.id, orders.id`

/** The sums by item and fan that a creator sees, by day, by month, and in total. A tip has no item. */
function rankings(side: 'item' | 'fan', span: string, startsOn: RawBuilder<unknown>) {
  const of = side === 'item' ? sql`where kind <> 'tip'` : sql``
  return sql`select figure.what || ${` by ${side} differ`}, concat_ws(' ', creator_id, key, ${span}::text), figure.expected, figure.found
    from (
      select creator_id, ${sql.ref(side)} as key, ${startsOn} as starts_on, count(*) as sales, sum(gross) as gross, sum(share) as share
      from sales ${of} group by 1, 2, 3
    ) as sold full join (
      select creator_id, key, starts_on, sales, gross_cents, share_cents from ledger_rankings
      where side = ${side} and span = ${span}
    ) as kept using (creator_id, key, starts_on)
    cross join lateral (values ('Sales', coalesce(sold.sales, 0), coalesce(kept.sales, 0)),
      ('Gross', coalesce(gross, 0), coalesce(gross_cents, 0)),
      ('Earnings', coalesce(share, 0), coalesce(share_cents, 0))) as figure (what, expected, found)
    where figure.expected <> figure.found`
}

const CHECKS = [
  sql`select 'Journal doesn’t balance' as what, journal_id::text as id, 0 as expected, sum(amount_cents) as found
    from ${lines} group by journal_id, currency having sum(amount_cents) <> 0`,
  sql`select 'Journal of the other mode', journals.id::text, 0, count(*)
    from journals join postings on journal_id = journals.id join ledger_accounts as account on account.id = account_id
    where journals.livemode <> account.livemode group by journals.id`,
  sql`select 'Kept balance differs', kept.account_id::text, coalesce(-sum(amount_cents), 0), balance_cents
    from ledger_balances as kept left join postings using (account_id) group by kept.account_id
    having balance_cents <> coalesce(-sum(amount_cents), 0)`,
  sql`select 'Account without a kept balance', account.id::text, 1, 0 from ledger_accounts as account
    where user_id is not null and not exists (select from ledger_balances where account_id = account.id)`,
  // One sale of the whole amount for each captured payment.
  sql`select 'Captured payment without its sale', purchases.id::text, purchases.amount_cents, coalesce(sold.cents, 0)
    from purchases left join lateral (
      select sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
      where order_id = purchases.id and journals.kind = 'sale' and account.kind = 'gateway') as sold on true
    where status in ('captured', 'disputed') and purchases.amount_cents is distinct from sold.cents`,
  sql`select 'Sale without a captured payment', journals.id::text, 1, 0 from journals
      left join purchases on purchases.id = order_id
    where journals.kind = 'sale' and (order_status = 'paid') is not true`,
  sql`select 'Refund that the ledger doesn’t show', refunds.id::text, refunds.amount_cents, 0 from refunds
      join orders on orders.id = refunds.order_id and orders.paid_by = refunds.payment_id
    where refunds.status in ('refunded', 'voided')
      and not exists (select from journals where source_type = 'refund' and source_id = refunds.id)`,
  sql`select 'Refund made elsewhere that the bank account doesn’t show', document, cents, entered
    from (${transfersOutside}) as transfers where differs`,
  sql`select 'Dispute in another state than its journals', disputes.id::text,
      case status when 'open' then amount_cents else 0 end, coalesce(held.cents, 0)
    from disputes left join lateral (
      select sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
      -- A refund that is shared once the dispute is won was a loss of its own.
      where source_type = 'dispute' and source_id = disputes.id and journals.kind <> 'refund' and (account.kind = 'dispute_clearing'
        -- What had been given back before is lost for as long as the dispute isn't won.
        or account.kind = 'dispute_losses' and disputes.status <> 'lost')) as held on true
    where coalesce(held.cents, 0) <> case status when 'open' then amount_cents else 0 end`,
  sql`select 'Payout in another state than its journals', payouts.id::text,
      case when status in ('requested', 'approved', 'in_transit') then amount_cents else 0 end, coalesce(set_aside.cents, 0)
    from payouts left join lateral (
      select -sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
      where source_type = 'payout' and source_id = payouts.id and account.kind = 'payout_in_transit') as set_aside on true
    where coalesce(set_aside.cents, 0) <>
      case when status in ('requested', 'approved', 'in_transit') then amount_cents else 0 end`,
  sql`select 'Paid payout that the bank account doesn’t show', payouts.id::text, amount_cents, coalesce(sent.cents, 0)
    from payouts left join lateral (
      select -sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
      where source_type = 'payout' and source_id = payouts.id and account.kind = 'bank') as sent on true
    where coalesce(sent.cents, 0) <> case status when 'paid' then amount_cents else 0 end`,
  sql`select 'Settlement in another state than its journal', settlements.id::text,
      case when posted_at is null then 0 else charged_cents - refunded_cents - charged_back_cents end, coalesce(moved.cents, 0)
    from settlements left join lateral (
      select sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
      where source_type = 'settlement' and source_id = settlements.id and account.kind = 'bank') as moved on true
    where coalesce(moved.cents, 0) <>
      case when posted_at is null then 0 else charged_cents - refunded_cents - charged_back_cents end`,
  sql`select 'Adjustment in another state than its journal', adjustments.id::text,
      case status when 'posted' then amount_cents else 0 end, coalesce(moved.cents, 0)
    from adjustments left join lateral (
      select sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
      where source_type = 'document' and source_id = adjustments.id and account.kind = to_account) as moved on true
    where coalesce(moved.cents, 0) <> case status when 'posted' then amount_cents else 0 end`,
  sql`select 'Subreddit share in another state than its journals', affiliate.id::text,
      case when status = 'approved' then 2 * subscribers else 0 end, coalesce(paid.cents, 0)
    from subreddit_affiliates as affiliate left join lateral (
      select sum(postings.amount_cents) as cents from journals join ${lines} on journal_id = journals.id
      where source_type = 'commission' and source_id in (affiliate.id, share_id) and account.kind = 'platform_fees') as paid on true
    where coalesce(paid.cents, 0) <> case when status = 'approved' then 2 * subscribers else 0 end`,
  // A sale pays exactly the commissions agreed with its order, less those withheld, to those referrers and nobody else.
  sql`select 'Commission other than agreed', coalesce(agreed.order_id, paid.order_id)::text, coalesce(cents, 0), coalesce(paid_cents, 0)
    from (
      select order_id, referrer_id, cents from order_commissions
      where exists (select from journals where journals.order_id = order_commissions.order_id and kind = 'sale')
        and not exists (select from commissions_withheld as withheld
          where withheld.order_id = order_commissions.order_id and withheld.referrer_id = order_commissions.referrer_id)
    ) as agreed full join (
      select journals.order_id, account.user_id as referrer_id, -sum(postings.amount_cents) as paid_cents
      from journals join ${lines} on journal_id = journals.id
      where journals.kind = 'sale' and account.kind = 'referrer_pending' group by 1, 2
    ) as paid using (order_id, referrer_id)
    where cents is distinct from paid_cents`,
  sql`select 'Commissions of the months differ', referrer_id::text, coalesce(earned.cents, 0), coalesce(kept.cents, 0)
    from (select referrer_id, month, cents from commission_months) as kept full join (
      select account.user_id as referrer_id, date_trunc('month', occurred_at at time zone 'UTC')::date as month,
        -sum(postings.amount_cents) as cents
      from ${lines} join journals on journals.id = journal_id
      where account.kind like 'referrer~_%' escape '~' and journals.kind not in ('release', 'payout', 'payout_returned')
      group by 1, 2) as earned using (referrer_id, month)
    where coalesce(kept.cents, 0) <> coalesce(earned.cents, 0)`,
  sql`select 'Earnings shown to a creator differ', user_id::text, coalesce(earned.cents, 0), coalesce(share_cents, 0)
    from (select user_id, share_cents from ledger_totals) as kept full join (
      select creator_id as user_id, -sum(postings.amount_cents) as cents
      from purchases join journals on order_id = purchases.id join ${lines} on journal_id = journals.id
      where account.user_id = creator_id and account.kind like 'creator~_%' escape '~' group by 1) as earned using (user_id)
    where coalesce(share_cents, 0) <> coalesce(earned.cents, 0)`,
  // The kept sums of sales that pages and statements show, each compared with the postings themselves.
  sql`select 'Earnings by source differ', user_id::text, coalesce(sold.cents, 0), coalesce(kept.cents, 0)
    from (select user_id, sum(share_cents) as cents from ledger_source_quarter_hours group by 1) as kept
      full join (${soldBy(sql`'^(creator|referrer)_'`)}) as sold using (user_id)
    where coalesce(sold.cents, 0) <> coalesce(kept.cents, 0)`,
  ...(['item', 'fan'] as const).flatMap((side) => [
    rankings(side, 'day', sql`day`),
    rankings(side, 'month', sql`date_trunc('month', day)::date`),
    rankings(side, 'all', sql`'-infinity'::date`),
  ]),
  sql`select 'Months of the statements differ from the balance', user_id::text, coalesce(owed.cents, 0), coalesce(kept.cents, 0)
    from (select user_id, sum(net_cents) as cents from ledger_months group by 1) as kept full join (
      select user_id, sum(balance_cents) as cents from ledger_balances join ledger_accounts on ledger_accounts.id = account_id group by 1
    ) as owed using (user_id)
    where coalesce(owed.cents, 0) <> coalesce(kept.cents, 0)`,
]
