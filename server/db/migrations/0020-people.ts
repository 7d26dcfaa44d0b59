import { type Kysely, sql } from 'kysely'

/** Four roles, suspension and deletion in columns of their own, from which `hidden_at` is computed; and reasons that are not empty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users drop constraint users_role_check;
    alter table users add constraint users_role_check
      check (role in ('superadmin', 'reviewer', 'support', 'finance'));
    create index users_operators on users (id) where role is not null;

    alter table users
      add column suspended_at timestamptz,
      add column suspended_by uuid references users (id) on delete set null,
      add column suspension_reason text,
      add column deletion_requested_at timestamptz,
      add constraint users_suspension check ((suspended_at is null) = (suspension_reason is null)),
      add constraint users_suspended_by check (suspended_at is not null or suspended_by is null);
    update users set deletion_requested_at = hidden_at where hidden_at is not null;

    -- Nobody writes it: somebody is hidden exactly while they are suspended or want to be deleted.
    drop trigger creator_searched_anew on users;
    alter table users drop column hidden_at;
    alter table users add column hidden_at timestamptz
      generated always as (least(suspended_at, deletion_requested_at)) stored;

    -- Recreates what was dropped with the column.
    create index users_directory on users ((lower(username) collate "C")) where deletion_requested_at is null;
    create index users_search on users using gin (lower(username) gin_trgm_ops) where deletion_requested_at is null;
    create index users_public_creators on users (id)
      where is_creator and hidden_at is null and email_verified_at is not null;
    create index users_hidden on users (id) where hidden_at is not null;
    create trigger creator_searched_anew after update of username, first_name, is_creator, hidden_at on users
      for each row when (new.is_creator or old.is_creator) execute function index_creator_search();

    alter table audit_log alter column reason drop default;
    alter table audit_log add constraint audit_log_reason check (length(btrim(reason)) >= 3) not valid;
  `.execute(db)
}
