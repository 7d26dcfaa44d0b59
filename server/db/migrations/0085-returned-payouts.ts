import { type Kysely, sql } from 'kysely'

/** A payout that the bank paid may still come back. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
