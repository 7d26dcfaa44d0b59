import { type Kysely, sql } from 'kysely'

/** What was agreed and each attempt to pay it become rows of their own: orders, payments, and the payments' events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeOrders(db)
  await carryOrders(db)
  await makePayments(db)
  await keepHistory(db)
  await requireWholePayments(db)
  await showPurchases(db)
}

async function makeOrders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table orders (
      id uuid primary key default uuidv7(),
      buyer_id uuid not null references users (id),
      creator_id uuid not null references users (id),
      kind text not null,
      item_id uuid not null,
      title text not null,
      amount_cents integer not null check (amount_cents > 0),
      currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
      -- The platform's share, as it was when the order was made.
      fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
      -- Somebody has it for good, so that nobody pays for it again.
      bought_once boolean not null,
      livemode boolean not null default installation_livemode(),
      status text not null default 'open' check (status in ('open', 'paid', 'void', 'uncollectible')),
      -- What the buyer agreed to, when, and from which network; unknown for orders older than this.
      terms_version text,
      consented_at timestamptz,
      consent_network text,
      subscription_id uuid references subscriptions (id),
      period integer check (period > 0),
      created_at timestamptz not null,
      -- When somebody last began to pay it.
      tried_at timestamptz not null,
      -- The payment that paid it.
      paid_by uuid,
      paid_at timestamptz,
      closed_at timestamptz,
      -- When all of it had been given back.
      refunded_at timestamptz,
      unique (id, buyer_id),
      check (buyer_id <> creator_id),
      check ((subscription_id is null) = (period is null)),
      check ((status = 'paid') = (paid_at is not null and paid_by is not null)),
      check ((status in ('void', 'uncollectible')) = (closed_at is not null)),
      check (refunded_at is null or status = 'paid')
    );
    alter table purchases rename to payments;`.execute(db)
}

/** An earlier purchase is an order and its one payment, both under its id. */
async function carryOrders(db: Kysely<unknown>): Promise<void> {
  await sql`
    with ranked as (
      select payments.*, journals.id is not null as sold,
        row_number() over (partition by buyer_id, payments.kind, item_id order by payments.created_at desc, payments.id desc) as age,
        bool_or(status in ('created', 'submitting', 'held', 'unknown')) over (partition by buyer_id, payments.kind, item_id) as undecided,
        (select round(-10000.0 * sum(amount_cents) / payments.amount_cents) from postings
          join ledger_accounts on ledger_accounts.id = postings.account_id
          where postings.journal_id = journals.id and ledger_accounts.kind = 'platform_fees') as fee
      from payments left join journals on journals.order_id = payments.id and journals.kind = 'sale'
    ), decided as (
      select *, case
          when status in ('captured', 'disputed') or sold then 'paid'
          when status in ('created', 'submitting', 'held', 'unknown') then 'open'
          -- Its charge may still show up, and then pays what was ordered.
          when status = 'refused' and reason = 'not_charged' and age = 1 and not undecided then 'open'
          else 'void'
        end as fate,
        -- Of what is undecided, the share that the largest sale left.
        coalesce(fee, (select fee from ranked where fee is not null order by amount_cents desc limit 1), 2000) as share
      from ranked
    )
    insert into orders (id, buyer_id, creator_id, kind, item_id, title, amount_cents, fee_basis_points, bought_once, livemode,
        status, created_at, tried_at, paid_by, paid_at, closed_at, refunded_at)
      select id, buyer_id, creator_id, kind, item_id, title, amount_cents, share, kind <> 'subscription', livemode,
        fate, created_at, coalesce(submitted_at, created_at), case fate when 'paid' then id end,
        case fate when 'paid' then coalesce(decided_at, created_at) end,
        case fate when 'void' then coalesce(decided_at, created_at) end,
        case when fate = 'paid' and status in ('voided', 'refunded') then coalesce(decided_at, created_at) end
      from decided;
    -- What people sold and spent is summed by orders, without a look at payments.
    do $$ begin
      execute replace(pg_get_functiondef('add_to_ledger_totals'::regproc), 'join purchases as orders', 'join orders');
    end $$;

    update orders set subscription_id = subscriptions.id, period = 1 from subscriptions
      where subscriptions.purchase_id = orders.id;
    alter table subscriptions drop column purchase_id;

    alter table journals drop constraint journals_order_id_fkey,
      add constraint journals_order_id_fkey foreign key (order_id) references orders (id);

    create unique index orders_one_open on orders (buyer_id, kind, item_id) where status = 'open';
    create unique index orders_bought_once on orders (buyer_id, kind, item_id)
      where status = 'paid' and refunded_at is null and bought_once;
    create unique index orders_subscription_period on orders (subscription_id, period);
    create index orders_buyer on orders (buyer_id, created_at desc, id desc);
    create index orders_creator on orders (creator_id, created_at desc, id desc);
    create index orders_fans on orders (creator_id, buyer_id) where status = 'paid' and refunded_at is null;
    create index orders_unpaid on orders (tried_at) where status = 'open';

    alter table purchase_items rename to order_items;
    alter table order_items rename column purchase_id to order_id;
    alter table order_items drop constraint purchase_items_purchase_id_fkey,
      add constraint order_items_order_id_fkey foreign key (order_id) references orders (id) on delete cascade;
    alter index purchase_items_pkey rename to order_items_pkey;
    alter index purchase_items_media rename to order_items_media;
    alter index purchase_items_version rename to order_items_version;
  `.execute(db)
}

async function makePayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger purchases_hold_items on payments;
    drop function require_purchase_items();
    alter table payments
      add column order_id uuid,
      add column stored_card_id uuid references stored_cards (id) on delete set null,
      -- Whether the card may be tried again after a decline.
      add column decline_class text check (decline_class in ('hard', 'soft')),
      -- What the gateway said of the address and of the security code.
      add column avs text,
      add column cvv text,
      -- Who changed the status last, and when: what the next event says.
      add column source text not null default 'live' check (source in ('live', 'lookup', 'webhook', 'settlement', 'operator')),
      add column status_at timestamptz;
    update payments set order_id = id, status_at = coalesce(decided_at, submitted_at, created_at);
    alter table payments
      alter column source drop default,
      alter column order_id set not null,
      alter column status_at set not null,
      drop column creator_id, drop column kind, drop column item_id, drop column title,
      add constraint payments_order foreign key (order_id, buyer_id) references orders (id, buyer_id),
      add constraint payments_of_order unique (id, order_id);
    alter table orders add constraint orders_paid_by foreign key (paid_by, id) references payments (id, order_id);

    -- An attempt that may still move money, or did, leaves room for no other.
    drop index purchases_buyer, purchases_undecided;
    create unique index payments_one_live on payments (order_id)
      where status in ('created', 'submitting', 'held', 'unknown', 'captured', 'disputed');
    create index payments_attempts on payments (order_id, created_at);
    create index payments_undecided on payments (buyer_id)
      where status in ('created', 'submitting', 'held', 'unknown') or stuck_at is not null;
    alter index purchases_pkey rename to payments_pkey;
    alter index purchases_idempotency rename to payments_idempotency;
    alter index purchases_looked_up rename to payments_looked_up;
    alter index purchases_stuck rename to payments_stuck;

    create function require_order_items() returns trigger language plpgsql as $$
    begin
      if not exists (select from order_items where order_id = new.id) then
        raise exception 'order % holds nothing', new.id
          using errcode = 'integrity_constraint_violation', constraint = 'orders_hold_items';
      end if;
      return null;
    end $$;
    create constraint trigger orders_hold_items after insert on orders deferrable initially deferred
      for each row when (new.bought_once) execute function require_order_items();

    create function guard_order() returns trigger language plpgsql as $$
    begin
      if (new.buyer_id, new.creator_id, new.kind, new.item_id, new.title, new.amount_cents, new.currency, new.fee_basis_points,
          new.livemode, new.created_at)
        is distinct from (old.buyer_id, old.creator_id, old.kind, old.item_id, old.title, old.amount_cents, old.currency,
          old.fee_basis_points, old.livemode, old.created_at) then
        raise exception 'what was agreed in order % stays', old.id
          using errcode = 'integrity_constraint_violation', constraint = 'orders_fixed';
      end if;
      if new.status <> old.status and old.status <> 'open' then
        raise exception 'order % is %, not to become %', old.id, old.status, new.status
          using errcode = 'integrity_constraint_violation', constraint = 'orders_transition';
      end if;
      return new;
    end $$;
    create trigger orders_guarded before update on orders for each row execute function guard_order();
  `.execute(db)
}

/** The database itself permits each change of a payment's status, and writes it down. */
async function keepHistory(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_events (
      id uuid primary key default uuidv7(),
      payment_id uuid not null references payments (id),
      -- Null where the payment begins.
      from_status text,
      to_status text not null,
      source text not null check (source in ('live', 'lookup', 'webhook', 'settlement', 'operator')),
      reason text,
      at timestamptz not null
    );
    create index payment_events_payment on payment_events (payment_id, id);
    insert into payment_events (payment_id, to_status, source, reason, at)
      select id, status, source, reason, status_at from payments;

    create function payment_may_become(old_status text, new_status text) returns boolean language sql immutable
      return case old_status
        when 'created' then new_status in ('submitting', 'refused')
        when 'submitting' then new_status in ('captured', 'declined', 'held', 'refused', 'unknown', 'voided', 'refunded')
        when 'unknown' then new_status in ('captured', 'declined', 'held', 'refused', 'voided', 'refunded')
        when 'held' then new_status in ('captured', 'declined', 'refused', 'voided', 'refunded')
        -- What was said not to be charged may show up late.
        when 'refused' then new_status in ('captured', 'declined', 'held', 'voided', 'refunded')
        when 'captured' then new_status in ('voided', 'refunded', 'disputed')
        else false
      end;

    create function guard_payment() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.status <> 'created' then
          raise exception 'a payment begins as created' using errcode = 'integrity_constraint_violation', constraint = 'payments_transition';
        end if;
        return new;
      end if;
      if (new.order_id, new.buyer_id, new.amount_cents, new.reference, new.livemode, new.created_at)
        is distinct from (old.order_id, old.buyer_id, old.amount_cents, old.reference, old.livemode, old.created_at) then
        raise exception 'what payment % is of stays', old.id
          using errcode = 'integrity_constraint_violation', constraint = 'payments_fixed';
      end if;
      if new.status <> old.status and not payment_may_become(old.status, new.status) then
        raise exception 'payment % is %, not to become %', old.id, old.status, new.status
          using errcode = 'integrity_constraint_violation', constraint = 'payments_transition';
      end if;
      return new;
    end $$;
    create trigger payments_guarded before insert or update on payments for each row execute function guard_payment();

    create function record_payment_event() returns trigger language plpgsql as $$
    begin
      insert into payment_events (payment_id, from_status, to_status, source, reason, at)
        values (new.id, case tg_op when 'UPDATE' then old.status end, new.status, new.source, new.reason, new.status_at);
      return null;
    end $$;
    create trigger payments_begun after insert on payments for each row execute function record_payment_event();
    create trigger payments_moved after update on payments
      for each row when (new.status <> old.status) execute function record_payment_event();

    -- The triggers of payments alone write events.
    create function refuse_event() returns trigger language plpgsql as $$
    begin
      if pg_trigger_depth() < 2 then
        raise exception 'events are written by payments themselves' using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;
    create trigger payment_events_by_payments before insert on payment_events for each row execute function refuse_event();
    create trigger payment_events_append_only before update or delete on payment_events
      for each row execute function refuse_change();
    create trigger payment_events_no_truncate before truncate on payment_events
      for each statement execute function refuse_change();
  `.execute(db)
}

/** Captured, sold once for that gross, and granted: all three at each commit, or none. */
async function requireWholePayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function require_whole_payment(payment uuid) returns void language plpgsql as $$
    declare
      charge record;
      sales integer;
      gross bigint;
    begin
      select payments.status, payments.amount_cents, orders.status = 'paid' and orders.paid_by = payments.id as pays,
          exists (select from entitlements where source_kind = 'purchase' and source_id = orders.id)
          or exists (select from entitlements where source_kind = 'subscription' and source_id = orders.subscription_id) as granted
        into charge from payments join orders on orders.id = payments.order_id where payments.id = payment;
      select count(distinct journals.id), coalesce(sum(postings.amount_cents), 0) into sales, gross
        from journals left join (
          postings join ledger_accounts on ledger_accounts.id = postings.account_id and ledger_accounts.kind = 'gateway'
        ) on postings.journal_id = journals.id
        where journals.source_type = 'payment' and journals.source_id = payment and journals.kind = 'sale';
      if charge.status in ('captured', 'disputed') then
        if sales = 1 and gross = charge.amount_cents and charge.pays and charge.granted then return; end if;
      elsif charge.status in ('voided', 'refunded') then
        -- Given back after it was captured, or in place of that.
        if (sales = 1) = charge.pays then return; end if;
      elsif sales = 0 and not charge.pays then
        return;
      end if;
      raise exception 'payment % is %, with % sales of %, pays: %, granted: %', payment, charge.status, sales, gross,
        charge.pays, charge.granted using errcode = 'integrity_constraint_violation', constraint = 'payments_whole';
    end $$;

    create function payment_is_whole() returns trigger language plpgsql as $$
    begin
      perform require_whole_payment(new.id);
      return null;
    end $$;
    create constraint trigger payments_whole after insert or update on payments
      deferrable initially deferred for each row execute function payment_is_whole();

    create function order_is_paid() returns trigger language plpgsql as $$
    begin
      perform require_whole_payment(new.paid_by);
      return null;
    end $$;
    create constraint trigger orders_paid after insert or update on orders deferrable initially deferred
      for each row when (new.status = 'paid') execute function order_is_paid();

    create function sale_is_captured() returns trigger language plpgsql as $$
    begin
      perform require_whole_payment(new.source_id);
      return null;
    end $$;
    create constraint trigger journals_sale_is_captured after insert on journals deferrable initially deferred
      for each row when (new.kind = 'sale' and new.source_type = 'payment') execute function sale_is_captured();

    create function grant_is_paid() returns trigger language plpgsql as $$
    begin
      if not exists (select from orders where id = new.source_id and buyer_id = new.user_id and status = 'paid') then
        raise exception 'order % is not paid, so that it grants nothing', new.source_id
          using errcode = 'integrity_constraint_violation', constraint = 'entitlements_paid';
      end if;
      return null;
    end $$;
    create constraint trigger entitlements_paid after insert on entitlements deferrable initially deferred
      for each row when (new.source_kind = 'purchase') execute function grant_is_paid();
  `.execute(db)
}

/** An order as its buyer sees it: with the payment that paid it, else the one under way, else the last. */
async function showPurchases(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view purchases as
      select orders.id, orders.buyer_id, orders.creator_id, orders.kind, orders.item_id, orders.title, orders.amount_cents,
        orders.status as order_status, orders.subscription_id, orders.created_at, payment.status, payment.reason,
        payment.card_brand, payment.card_last_four
      from orders join lateral (
        select payments.* from payments where payments.order_id = orders.id
        order by (payments.id = orders.paid_by) is true desc,
          payments.status in ('created', 'submitting', 'held', 'unknown') desc, payments.created_at desc, payments.id desc
        limit 1
      ) as payment on true;
  `.execute(db)
}
