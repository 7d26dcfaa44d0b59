import { type Kysely, sql } from 'kysely'

/** Who tips the site is no fan of the account that its order names: nothing depends on which one it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function keep_fan_of_order() returns trigger language plpgsql as $$
    begin
      if new.refunded_at is null then
        insert into fans (creator_id, fan_id, since, buys) values (new.creator_id, new.buyer_id, new.paid_at, true)
          on conflict (creator_id, fan_id) do update set buys = true;
      else
        perform from fans where creator_id = new.creator_id and fan_id = new.buyer_id for update;
        update fans set buys = exists (
            select from orders where creator_id = new.creator_id and buyer_id = new.buyer_id
              and status = 'paid' and refunded_at is null and kind <> 'donation'
          ) where creator_id = new.creator_id and fan_id = new.buyer_id;
      end if;
      return null;
    end $$;
    drop trigger orders_fan on orders;
    create trigger orders_fan after insert or update of status, refunded_at on orders
      for each row when (new.status = 'paid' and new.kind <> 'donation') execute function keep_fan_of_order();

    create or replace function keep_fan_spending() returns trigger language plpgsql as $$
    begin
      update fans set spent_cents = spent_cents + moved.cents from (
        select orders.creator_id, orders.buyer_id, -sum(added.amount_cents) as cents
        from added join journals on journals.id = added.journal_id join orders on orders.id = journals.order_id
          join ledger_accounts as account on account.id = added.account_id
        where account.kind ~ '^(platform_fees|referrer_|creator_)' and orders.kind <> 'donation' group by 1, 2
      ) as moved where moved.creator_id = fans.creator_id and moved.buyer_id = fans.fan_id and moved.cents <> 0;
      return null;
    end $$;

    update fans set
      buys = exists (
        select from orders where orders.creator_id = fans.creator_id and orders.buyer_id = fans.fan_id
          and status = 'paid' and refunded_at is null and kind <> 'donation'
      ),
      spent_cents = spent_cents - donated.cents
    from (
      select orders.creator_id, orders.buyer_id, coalesce(-sum(postings.amount_cents), 0) as cents
      from orders left join journals on journals.order_id = orders.id
        left join (postings join ledger_accounts as account on account.id = postings.account_id
          and account.kind ~ '^(platform_fees|referrer_|creator_)') on postings.journal_id = journals.id
      where orders.kind = 'donation' and orders.status = 'paid' group by 1, 2
    ) as donated
    where donated.creator_id = fans.creator_id and donated.buyer_id = fans.fan_id
  `.execute(db)
}
