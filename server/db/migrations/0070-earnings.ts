import { type Kysely, sql } from 'kysely'

/**
 * What people earned, kept for the pages that show it: by source, by item and by fan, and by month for statements
 * (decision 053). What the ledger holds already is summed up once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What was sold by what kind of thing, or came as a commission, by the moment of the purchase.
    create table ledger_source_quarter_hours (
      user_id uuid not null references users (id),
      starts_at timestamptz not null,
      source text not null,
      sales integer not null,
      gross_cents bigint not null,
      fee_cents bigint not null,
      share_cents bigint not null,
      primary key (user_id, starts_at, source)
    );
    -- What each item and each fan brought a creator: by day and month of UTC, and altogether (on -infinity).
    create table ledger_rankings (
      creator_id uuid not null references users (id),
      side text not null check (side in ('item', 'fan')),
      span text not null check (span in ('day', 'month', 'all')),
      starts_on date not null,
      key uuid not null,
      sales integer not null,
      gross_cents bigint not null,
      share_cents bigint not null,
      -- The last one that was counted, which says what was sold.
      order_id uuid not null references orders (id),
      primary key (creator_id, side, span, starts_on, key)
    );
    create index ledger_rankings_best on ledger_rankings (creator_id, side, share_cents desc, key) where span = 'all';
    -- What moved a person's balance in a month of UTC, by source and kind of journal.
    create table ledger_months (
      user_id uuid not null references users (id),
      month date not null,
      source text not null,
      movement text not null,
      entries integer not null,
      gross_cents bigint not null,
      fee_cents bigint not null,
      net_cents bigint not null,
      primary key (user_id, month, source, movement)
    );

    create function add_to_earnings() returns trigger language plpgsql as $$
    begin
      ${kept('added')};
      return null;
    end $$;
    -- Triggers fire by their names: after the one that keeps balances, whose locks come first everywhere.
    create trigger postings_earnings after insert on postings
      referencing new table as added for each statement execute function add_to_earnings();
    ${kept('postings')};
  `.execute(db)
}

/** Adds these postings to all three tables, each in one order, so that two who add to the same rows never wait for each other. */
const kept = (table: 'added' | 'postings') => sql`
  with lines as (
    select journals.id as journal_id, journals.kind, journals.order_id, journals.occurred_at, account.kind as account,
      account.user_id, -lines.amount_cents as cents
    from ${sql.table(table)} as lines join journals on journals.id = lines.journal_id
      join ledger_accounts as account on account.id = lines.account_id
    where journals.kind <> 'release'
  ), moved as (
    -- Of an order what went to its creator, and the fee with what referrers get of it.
    select orders.creator_id as user_id, sums.kind, sums.occurred_at, orders.kind as source, sums.order_id, orders.created_at as at,
      orders.buyer_id, orders.item_id, sums.fee + sums.net as gross, sums.fee, sums.net
    from (
      select order_id, kind, occurred_at, coalesce(sum(cents) filter (where account ~ '^creator_'), 0) as net,
        coalesce(sum(cents) filter (where account = 'platform_fees' or account ~ '^referrer_'), 0) as fee
      from lines where order_id is not null group by journal_id, order_id, kind, occurred_at
    ) as sums join orders on orders.id = sums.order_id
    -- A donation is all the platform's, and nobody's earning.
    where (sums.fee <> 0 or sums.net <> 0) and orders.kind <> 'donation'
    union all
    -- Commissions, payouts, and what else moves people's balances.
    select user_id, kind, occurred_at, source, order_id, at, null, null, net, 0, net from (
      select lines.user_id, lines.kind, occurred_at, order_id, coalesce(orders.created_at, occurred_at) as at, sum(cents) as net,
        case when lines.kind ~ '^payout' then 'payout' when account ~ '^referrer_' then 'commission' else 'adjustment' end as source
      from lines left join orders on orders.id = order_id
      where user_id is not null and (order_id is null or account ~ '^referrer_')
      group by journal_id, lines.user_id, lines.kind, occurred_at, order_id, orders.created_at, source
    ) as others where net <> 0
  ), sources as (
    insert into ledger_source_quarter_hours as kept (user_id, starts_at, source, sales, gross_cents, fee_cents, share_cents)
    select user_id, date_bin('15 minutes', at, '2000-01-01 00:00:00+00') as starts_at, source, count(*), sum(gross), sum(fee), sum(net)
    from moved where kind = 'sale' group by user_id, starts_at, source order by user_id, starts_at, source
    on conflict (user_id, starts_at, source) do update set
      sales = kept.sales + excluded.sales, gross_cents = kept.gross_cents + excluded.gross_cents,
      fee_cents = kept.fee_cents + excluded.fee_cents, share_cents = kept.share_cents + excluded.share_cents
  ), rankings as (
    insert into ledger_rankings as kept (creator_id, side, span, starts_on, key, sales, gross_cents, share_cents, order_id)
    select user_id, side, span, starts_on, key, count(*), sum(gross), sum(net), (array_agg(order_id order by at desc, order_id desc))[1]
    from moved
      cross join lateral (values ('item', item_id), ('fan', buyer_id)) as sides (side, key)
      cross join lateral (values ('day', (at at time zone 'UTC')::date), ('month', date_trunc('month', at at time zone 'UTC')::date),
        ('all', '-infinity'::date)) as spans (span, starts_on)
    where kind = 'sale' and key is not null and (side = 'fan' or source <> 'tip')
    group by user_id, side, span, starts_on, key order by user_id, side, span, starts_on, key
    on conflict (creator_id, side, span, starts_on, key) do update set
      sales = kept.sales + excluded.sales, gross_cents = kept.gross_cents + excluded.gross_cents,
      share_cents = kept.share_cents + excluded.share_cents, order_id = excluded.order_id
  )
  insert into ledger_months as kept (user_id, month, source, movement, entries, gross_cents, fee_cents, net_cents)
  select user_id, date_trunc('month', occurred_at at time zone 'UTC')::date as month, source, kind, count(*), sum(gross), sum(fee), sum(net)
  from moved group by user_id, month, source, kind order by user_id, month, source, kind
  on conflict (user_id, month, source, movement) do update set
    entries = kept.entries + excluded.entries, gross_cents = kept.gross_cents + excluded.gross_cents,
    fee_cents = kept.fee_cents + excluded.fee_cents, net_cents = kept.net_cents + excluded.net_cents`
