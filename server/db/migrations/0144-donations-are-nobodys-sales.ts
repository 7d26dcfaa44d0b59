import { type Kysely, sql } from 'kysely'

/** What the site was given is in its donors' spending, and in no one's totals and days of sales. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Each sale is either counted by the function as it was, and seen below, or by the one that follows.
    lock table postings in share row exclusive mode;

    do $$ begin
      execute replace(replace(pg_get_functiondef('add_to_ledger_totals'::regproc),
        'union all', 'where orders.kind <> ''donation'' union all'),
        'where moved.kind = ''sale''', 'where moved.kind = ''sale'' and orders.kind <> ''donation''');
    end $$;

    create temporary table donated on commit drop as
      select orders.creator_id, journals.kind, journals.occurred_at,
        coalesce(-sum(postings.amount_cents) filter (where account.kind = 'platform_fees' or account.kind ~ '^referrer_'), 0) as fee,
        coalesce(-sum(postings.amount_cents) filter (where account.kind ~ '^creator_'), 0) as share
      from orders join journals on journals.order_id = orders.id join postings on postings.journal_id = journals.id
        join ledger_accounts as account on account.id = account_id
      where orders.kind = 'donation' group by orders.id, journals.id;

    update ledger_totals set
      gross_cents = gross_cents - given.fee - given.share, fee_cents = fee_cents - given.fee, share_cents = share_cents - given.share
      from (select creator_id, sum(fee) as fee, sum(share) as share from donated group by 1) as given
      where given.creator_id = user_id;

    update ledger_quarter_hours as kept set
      sales = kept.sales - given.sales, gross_cents = gross_cents - given.fee - given.share,
      fee_cents = fee_cents - given.fee, share_cents = share_cents - given.share
      from (
        select creator_id, date_bin('15 minutes', occurred_at, '2000-01-01 00:00:00+00') as starts_at, count(*) as sales,
          sum(fee) as fee, sum(share) as share
        from donated where kind = 'sale' group by 1, 2
      ) as given where given.creator_id = kept.creator_id and given.starts_at = kept.starts_at;
    delete from ledger_quarter_hours where sales = 0;
    drop table donated;
  `.execute(db)
}
