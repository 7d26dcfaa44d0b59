import { type Kysely, sql } from 'kysely'

/**
 * What a fan's home reads: each creator's newest items by their age, and what somebody bought of one creator. And what
 * the ledger says of each person in sum, which every page of their transactions shows, and of what they sold when.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index media_newest_published on media (creator_id, created_at desc, id desc)
      where deleted_at is null and quarantined_at is null and not direct_only and published;

    -- The item's own creator, who never changes.
    alter table entitlement_media add column creator_id uuid;
    update entitlement_media set creator_id = media.creator_id from media where media.id = media_id;
    -- What the update left to be checked at the end would stand in the way of the rest.
    set constraints all immediate;
    alter table entitlement_media alter column creator_id set not null;
    create function name_entitlement_creator() returns trigger language plpgsql as $$
    begin
      new.creator_id := (select creator_id from media where id = new.media_id);
      return new;
    end $$;
    create trigger entitlement_creator_named before insert on entitlement_media
      for each row execute function name_entitlement_creator();
    create index entitlement_media_creator on entitlement_media (user_id, creator_id, granted_at desc, media_id desc);

    -- Kept by each posting of a purchase, so that nobody adds up years of them.
    create table ledger_totals (
      user_id uuid primary key references users (id),
      gross_cents bigint not null,
      fee_cents bigint not null,
      share_cents bigint not null,
      spent_cents bigint not null
    );
    -- What each creator sold, by the moment of the purchase. Days begin at a quarter of an hour in every time zone.
    create table ledger_quarter_hours (
      creator_id uuid not null references users (id),
      starts_at timestamptz not null,
      sales integer not null,
      gross_cents bigint not null,
      fee_cents bigint not null,
      share_cents bigint not null,
      primary key (creator_id, starts_at)
    );
    create function add_to_ledger_totals() returns trigger language plpgsql as $$
    begin
      -- In one order, so that two who add to the same people never wait for each other.
      insert into ledger_totals as kept (user_id, gross_cents, fee_cents, share_cents, spent_cents)
      ${sumsOf('added')}
      on conflict (user_id) do update set
        gross_cents = kept.gross_cents + excluded.gross_cents, fee_cents = kept.fee_cents + excluded.fee_cents,
        share_cents = kept.share_cents + excluded.share_cents, spent_cents = kept.spent_cents + excluded.spent_cents;
      insert into ledger_quarter_hours as kept (creator_id, starts_at, sales, gross_cents, fee_cents, share_cents)
      ${soldIn('added')}
      on conflict (creator_id, starts_at) do update set
        sales = kept.sales + excluded.sales, gross_cents = kept.gross_cents + excluded.gross_cents,
        fee_cents = kept.fee_cents + excluded.fee_cents, share_cents = kept.share_cents + excluded.share_cents;
      return null;
    end $$;
    create trigger ledger_totals_kept after insert on postings
      referencing new table as added for each statement execute function add_to_ledger_totals();

    insert into ledger_totals (user_id, gross_cents, fee_cents, share_cents, spent_cents)
    ${sumsOf('postings')};
    insert into ledger_quarter_hours (creator_id, starts_at, sales, gross_cents, fee_cents, share_cents)
    ${soldIn('postings')};
  `.execute(db)
}

/** The postings of purchases in this table. */
const movedIn = (table: 'added' | 'postings') => sql`
    from ${sql.table(table)} as moved join journals on journals.id = moved.journal_id
      join purchases on purchases.id = journals.purchase_id
      join ledger_accounts as account on account.id = moved.account_id`

/** What they moved for each creator in each quarter of an hour; a sale has one posting at the gateway. */
function soldIn(table: 'added' | 'postings') {
  const sumOf = (kind: string) =>
    sql`coalesce(sum(moved.amount_cents) filter (where account.kind = ${sql.lit(kind)}), 0)`
  return sql`
    select purchases.creator_id, date_bin('15 minutes', purchases.created_at, '2000-01-01 00:00:00+00') as starts_at,
      count(*) filter (where account.kind = 'gateway' and journals.kind = 'sale'),
      ${sumOf('gateway')}, -${sumOf('platform_fees')}, -${sumOf('creator_balance')} ${movedIn(table)}
    group by purchases.creator_id, starts_at order by purchases.creator_id, starts_at`
}

/** What they moved for each seller and buyer. */
function sumsOf(table: 'added' | 'postings') {
  const moved = movedIn(table)
  return sql`
    select user_id, sum(gross), sum(fee), sum(share), sum(spent) from (
      select purchases.creator_id as user_id,
        case account.kind when 'gateway' then moved.amount_cents else 0 end as gross,
        case account.kind when 'platform_fees' then -moved.amount_cents else 0 end as fee,
        case account.kind when 'creator_balance' then -moved.amount_cents else 0 end as share,
        0 as spent ${moved}
      union all
      select purchases.buyer_id, 0, 0, 0, moved.amount_cents ${moved} where account.kind = 'gateway'
    ) as sums group by user_id order by user_id`
}
