import { type Kysely, sql } from 'kysely'

/**
 * Lists and sums of sales go by the day when the money moved, as statements and receipts do: a renewal may be due in one month
 * and paid in the next.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders add column dated_at timestamptz not null
      generated always as (coalesce(paid_at, created_at)) stored;
    -- Beside orders_buyer and orders_creator, by which operators list a person's orders as they were made.
    create index orders_buyer_dated on orders (buyer_id, dated_at desc, id desc);
    create index orders_creator_dated on orders (creator_id, dated_at desc, id desc);

    create or replace view purchases as
      select orders.id, orders.buyer_id, orders.creator_id, orders.kind, orders.item_id, orders.title, orders.amount_cents,
        orders.status as order_status, orders.subscription_id, orders.created_at, payment.status, payment.reason,
        payment.card_brand, payment.card_last_four, orders.dated_at
      from orders join lateral (
        select payments.* from payments where payments.order_id = orders.id
        order by (payments.id = orders.paid_by) is true desc,
          payments.status in ('created', 'submitting', 'held', 'unknown') desc, payments.created_at desc, payments.id desc
        limit 1
      ) as payment on true;

    do $$ begin
      execute replace(replace(pg_get_functiondef('add_to_ledger_totals'::regproc),
        'journals.kind, journals.order_id,', 'journals.kind, journals.order_id, journals.occurred_at,'),
        'orders.created_at', 'moved.occurred_at');
      execute replace(replace(pg_get_functiondef('add_to_earnings'::regproc),
        'coalesce(orders.created_at, occurred_at) as at', 'occurred_at as at'),
        'orders.created_at as at', 'sums.occurred_at as at');
    end $$;
  `.execute(db)
  await sumUpAgain(db)
}

/** What was kept by the days of orders. */
async function sumUpAgain(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table sold on commit drop as
      select journals.occurred_at as at, orders.id, orders.creator_id, orders.buyer_id, orders.item_id, orders.kind, sums.*
      from (
        select journal_id,
          coalesce(-sum(amount_cents) filter (where account.kind = 'platform_fees' or account.kind ~ '^referrer_'), 0) as fee,
          coalesce(-sum(amount_cents) filter (where account.kind ~ '^creator_'), 0) as share
        from postings join ledger_accounts as account on account.id = account_id group by journal_id
      ) as sums join journals on journals.id = journal_id join orders on orders.id = order_id
      where journals.kind = 'sale';

    delete from ledger_quarter_hours;
    insert into ledger_quarter_hours (creator_id, starts_at, sales, gross_cents, fee_cents, share_cents)
      select creator_id, date_bin('15 minutes', at, '2000-01-01 00:00:00+00') as starts_at, count(*), sum(fee + share),
        sum(fee), sum(share)
      from sold group by creator_id, starts_at;

    -- A donation is nobody's earning.
    delete from sold where kind = 'donation' or fee = 0 and share = 0;
    delete from ledger_source_quarter_hours;
    insert into ledger_source_quarter_hours (user_id, starts_at, source, sales, gross_cents, fee_cents, share_cents)
      select user_id, date_bin('15 minutes', at, '2000-01-01 00:00:00+00') as starts_at, source, count(*), sum(fee + share),
        sum(fee), sum(share)
      from (
        select creator_id as user_id, at, kind as source, fee, share from sold
        union all
        select account.user_id, occurred_at, case when account.kind ~ '^referrer_' then 'commission' else 'adjustment' end,
          0, -sum(amount_cents)
        from journals join postings on journal_id = journals.id join ledger_accounts as account on account.id = account_id
        where journals.kind = 'sale' and account.user_id is not null and (order_id is null or account.kind ~ '^referrer_')
        group by journals.id, account.user_id, 3 having sum(amount_cents) <> 0
      ) as earned group by user_id, starts_at, source;

    delete from ledger_rankings;
    insert into ledger_rankings (creator_id, side, span, starts_on, key, sales, gross_cents, share_cents, order_id)
      select creator_id, side, span, starts_on, key, count(*), sum(fee + share), sum(share),
        (array_agg(id order by at desc, id desc))[1]
      from sold
        cross join lateral (values ('item', item_id), ('fan', buyer_id)) as sides (side, key)
        cross join lateral (values ('day', (at at time zone 'UTC')::date), ('month', date_trunc('month', at at time zone 'UTC')::date),
          ('all', '-infinity'::date)) as spans (span, starts_on)
      where key is not null and (side = 'fan' or kind <> 'tip')
      group by creator_id, side, span, starts_on, key;
    drop table sold;
  `.execute(db)
}
