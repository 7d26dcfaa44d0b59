import { type Kysely, sql } from 'kysely'

/** What is given back of a payment, whole or in parts: each its own intent, and never more than was charged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refunds (
      id uuid primary key default uuidv7(),
      payment_id uuid not null,
      order_id uuid not null,
      amount_cents integer not null check (amount_cents > 0),
      status text not null default 'created'
        check (status in ('created', 'submitting', 'refunded', 'voided', 'refused', 'unknown')),
      -- What was sent last: a void may be sent again, a refund may not.
      method text check (method in ('void', 'refund')),
      reason text not null,
      -- The operator; null where nothing could be granted for the charge.
      requested_by uuid references users (id),
      reference text not null unique check (length(reference) <= 20),
      gateway_transaction_id text,
      -- Why the gateway refused it.
      failure text,
      livemode boolean not null default installation_livemode(),
      idempotency_key text,
      request_hash text,
      lookups integer not null default 0,
      lookup_tried_at timestamptz,
      created_at timestamptz not null,
      submitted_at timestamptz,
      decided_at timestamptz,
      foreign key (payment_id, order_id) references payments (id, order_id),
      check ((status in ('submitting', 'refunded', 'voided', 'unknown')) <= (method is not null and submitted_at is not null))
    );
    create unique index refunds_idempotency on refunds (requested_by, idempotency_key);
    create unique index refunds_one_under_way on refunds (payment_id) where status in ('created', 'submitting', 'unknown');
    create index refunds_payment on refunds (payment_id, id);
    create index refunds_looked_up on refunds (lookup_tried_at nulls first)
      where status in ('created', 'submitting', 'unknown') or (status = 'refused' and failure = 'not_refunded');

    create function refund_may_become(old_status text, new_status text) returns boolean language sql immutable
      return case old_status
        when 'created' then new_status = 'submitting'
        when 'submitting' then new_status in ('refunded', 'voided', 'refused', 'unknown')
        when 'unknown' then new_status in ('submitting', 'refunded', 'voided', 'refused')
        -- What was refused may be asked for again, and what was said not to be refunded may show up late.
        when 'refused' then new_status in ('submitting', 'refunded', 'voided')
        else false
      end;

    create function guard_refund() returns trigger language plpgsql as $$
    declare
      charged integer;
      others bigint;
    begin
      if tg_op = 'UPDATE' then
        if (new.payment_id, new.order_id, new.amount_cents, new.reference, new.reason, new.requested_by, new.livemode)
          is distinct from (old.payment_id, old.order_id, old.amount_cents, old.reference, old.reason, old.requested_by, old.livemode) then
          raise exception 'what refund % is of stays', old.id
            using errcode = 'integrity_constraint_violation', constraint = 'refunds_fixed';
        end if;
        if new.status <> old.status and not refund_may_become(old.status, new.status) then
          raise exception 'refund % is %, not to become %', old.id, old.status, new.status
            using errcode = 'integrity_constraint_violation', constraint = 'refunds_transition';
        end if;
      elsif new.status <> 'created' then
        raise exception 'a refund begins as created' using errcode = 'integrity_constraint_violation', constraint = 'refunds_transition';
      end if;
      if new.status <> 'refused' then
        select amount_cents into charged from payments where id = new.payment_id for update;
        select coalesce(sum(amount_cents), 0) into others from refunds
          where payment_id = new.payment_id and id <> new.id and status <> 'refused';
        if others + new.amount_cents > charged then
          raise exception 'refunds of payment % exceed it', new.payment_id
            using errcode = 'integrity_constraint_violation', constraint = 'refunds_within_charge';
        end if;
      end if;
      return new;
    end $$;
    create trigger refunds_guarded before insert or update on refunds for each row execute function guard_refund();
  `.execute(db)
}
