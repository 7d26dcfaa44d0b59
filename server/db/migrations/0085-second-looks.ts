import { type Kysely, sql } from 'kysely'

/**
 * A payout that the bank paid may still come back, the shares of a subreddit are proposed by one operator to another, and
 * refunds are found by their order, or by their payment where they were made at the gateway itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await returnedPayouts(db)
  await proposals(db)
  await sql`
    create index refunds_order on refunds (order_id);
    create index findings_refunds on findings (payment_id) where kind = 'unknown_refund';
  `.execute(db)
}

async function returnedPayouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payouts drop constraint payouts_status_check, add constraint payouts_status_check
      check (status in ('requested', 'approved', 'in_transit', 'paid', 'failed', 'canceled', 'returned'));
    create or replace function payout_changes() returns trigger language plpgsql as $$
    begin
      if (new.id, new.user_id, new.amount_cents, new.currency, new.livemode, new.requested_at) is distinct from
          (old.id, old.user_id, old.amount_cents, old.currency, old.livemode, old.requested_at) then
        raise exception 'only the status of a payout changes' using errcode = 'integrity_constraint_violation';
      end if;
      if (old.status, new.status) not in (
          ('requested', 'approved'), ('requested', 'canceled'), ('approved', 'in_transit'), ('approved', 'canceled'),
          ('in_transit', 'paid'), ('in_transit', 'failed'), ('paid', 'returned')) then
        raise exception 'a payout can''t go from % to %', old.status, new.status
          using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;
  `.execute(db)
}

async function proposals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subreddit_proposals (
      affiliate_id uuid primary key references subreddit_affiliates (id),
      proposed_by uuid not null references users (id),
      proposed_at timestamptz not null,
      -- What the shares are paid for; null where it is the held share alone that is to be paid.
      subscribers integer check (subscribers >= 1000),
      restrictions text not null default '',
      moderator_id uuid references users (id),
      reason text not null,
      check (subscribers is not null or moderator_id is not null),
      check (moderator_id is distinct from proposed_by)
    );
    create index subreddit_proposals_by on subreddit_proposals (proposed_by);
    create index subreddit_proposals_moderator on subreddit_proposals (moderator_id) where moderator_id is not null;
  `.execute(db)
}
