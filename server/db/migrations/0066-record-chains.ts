import { type Kysely, sql } from 'kysely'

/**
 * Chains of hashes over journals with their postings, payment events and the audit log (decision 049): each record's digest is
 * written with it, and `seal_records` puts those that have none yet into their chain. What is there already is chained first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  // Temporary tables come last in the search path, so that none can shadow these.
  const path = sql`${sql.id(rows[0]?.schema ?? 'public')}, pg_temp`
  await sql`
    -- What a digest covers: every column in a fixed order, times as seconds, so that no setting of a session changes it.
    create view record_contents as
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
        from audit_log;

    create function digest_of(content jsonb) returns bytea language sql immutable
      return sha256(convert_to(content::text, 'UTF8'));

    create table record_links (
      id bigint generated always as identity primary key,
      chain text not null check (chain in ('journals', 'payment_events', 'audit_log')),
      record_id uuid not null,
      digest bytea not null,
      -- The place in the chain, from 1, and the hash of the link before with this digest; null until it is sealed.
      position bigint,
      hash bytea,
      unique (chain, record_id),
      check ((position is null) = (hash is null))
    );
    create unique index record_links_position on record_links (chain, position) where position is not null;
    create index record_links_waiting on record_links (id) where position is null;

    create function guard_link() returns trigger language plpgsql as $$
    begin
      if (new.id, new.chain, new.record_id, new.digest) is distinct from (old.id, old.chain, old.record_id, old.digest)
        or old.position is not null or new.position is null then
        raise exception 'a link stays' using errcode = 'integrity_constraint_violation', constraint = 'record_links_fixed';
      end if;
      return new;
    end $$;
    create trigger record_links_guarded before update on record_links for each row execute function guard_link();
    create trigger record_links_no_delete before delete on record_links for each row execute function refuse_change();
    create trigger record_links_no_truncate before truncate on record_links for each statement execute function refuse_change();

    -- As the tables' owner, since the server may neither add to the chains nor seal by itself.
    create function record_digest() returns trigger language plpgsql security definer set search_path = ${path} as $$
    begin
      insert into record_links (chain, record_id, digest)
        select chain, record_id, digest_of(content) from record_contents where chain = tg_table_name and record_id = new.id;
      return null;
    end $$;
    -- At the commit, when all postings are there.
    create constraint trigger journals_recorded after insert on journals
      deferrable initially deferred for each row execute function record_digest();
    create trigger payment_events_recorded after insert on payment_events for each row execute function record_digest();
    create trigger audit_log_recorded after insert on audit_log for each row execute function record_digest();

    -- Seals at most so many links, and returns how many; those that others have yet to commit come into a later run.
    create function seal_records(most integer) returns integer language plpgsql
      security definer set search_path = ${path} as $$
    declare
      link record;
      head record;
      sealed integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('seal_records'));
      for link in select id, chain, digest from record_links where position is null order by id limit most loop
        select position, hash into head from record_links
          where chain = link.chain and position is not null order by position desc limit 1;
        update record_links set position = coalesce(head.position, 0) + 1,
          hash = sha256(coalesce(head.hash, ''::bytea) || link.digest) where id = link.id;
        sealed := sealed + 1;
      end loop;
      return sealed;
    end $$;

    insert into record_links (chain, record_id, digest)
      select chain, record_id, digest_of(content) from record_contents order by chain, record_id;
  `.execute(db)
  await sql`select seal_records(2147483647)`.execute(db)
}
