import { type Kysely, sql } from 'kysely'

/**
 * Chains of payout events, and of what orders agreed with referrers and captures withheld: of one order all of it together,
 * so that nothing is added to it later. What is there already is given its digests; the job seals it, in batches.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  const path = sql`${sql.id(rows[0]?.schema ?? 'public')}, pg_temp`
  await sql`
    create or replace view record_contents as
      select 'journals' as chain, journals.id as record_id, jsonb_build_array(
          id, kind, order_id, extract(epoch from occurred_at), reason, source_type, source_id, livemode,
          (select jsonb_agg(jsonb_build_array(id, account_id, amount_cents, extract(epoch from available_at)) order by id)
            from postings where journal_id = journals.id)) as content
        from journals
      union all
      select 'payment_events', id, jsonb_build_array(
          id, payment_id, from_status, to_status, source, reason, extract(epoch from at))
        from payment_events
      union all
      select 'audit_log', id, jsonb_build_array(
          id, actor_id, action, target_kind, target_id, reason, detail, extract(epoch from occurred_at))
        from audit_log
      union all
      select 'payout_events', id, jsonb_build_array(
          id, payout_id, status, actor_id, reason, extract(epoch from occurred_at))
        from payout_events
      union all
      select 'order_commissions', order_id, jsonb_build_array(
          order_id, jsonb_agg(jsonb_build_array(referrer_id, side, shared_code_id, cents) order by referrer_id))
        from order_commissions group by order_id
      union all
      select 'commissions_withheld', order_id, jsonb_build_array(
          order_id, jsonb_agg(jsonb_build_array(referrer_id, reason, extract(epoch from withheld_at)) order by referrer_id))
        from commissions_withheld group by order_id;

    alter table record_links drop constraint record_links_chain_check, add check (chain in (
      'journals', 'payment_events', 'payout_events', 'order_commissions', 'commissions_withheld', 'audit_log'));

    create trigger payout_events_recorded after insert on payout_events for each row execute function record_digest();
    create function order_digests() returns trigger language plpgsql security definer set search_path = ${path} as $$
    begin
      insert into record_links (chain, record_id, digest)
        select tg_table_name, order_id, (
          select digest_of(content) from record_contents where chain = tg_table_name and record_id = each.order_id)
        from (select distinct order_id from added order by 1) as each;
      return null;
    end $$;
    create trigger order_commissions_recorded after insert on order_commissions
      referencing new table as added for each statement execute function order_digests();
    create trigger commissions_withheld_recorded after insert on commissions_withheld
      referencing new table as added for each statement execute function order_digests();

    insert into record_links (chain, record_id, digest)
      select chain, record_id, digest_of(content) from record_contents
      where chain in ('payout_events', 'order_commissions', 'commissions_withheld') order by chain, record_id;
  `.execute(db)
}
