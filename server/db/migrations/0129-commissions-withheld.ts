import { type Kysely, sql } from 'kysely'

/** What was agreed with a referrer who was suspended or leaving by the time of the capture, and wasn't paid to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table commissions_withheld (
      order_id uuid not null,
      referrer_id uuid not null,
      reason text not null check (reason in ('suspended', 'leaving')),
      withheld_at timestamptz not null,
      primary key (order_id, referrer_id),
      foreign key (order_id, referrer_id) references order_commissions (order_id, referrer_id)
    );
    create trigger commissions_withheld_append_only before update or delete on commissions_withheld
      for each row execute function refuse_change();
    create trigger commissions_withheld_no_truncate before truncate on commissions_withheld
      for each statement execute function refuse_change();
  `.execute(db)
}
