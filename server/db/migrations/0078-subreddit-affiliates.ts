import { type Kysely, sql } from 'kysely'

/** Who brings a subreddit to the affiliate program, what was decided of it, and what it pays to whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subreddit_affiliates (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id),
      -- Lower case, without r/.
      subreddit text not null check (subreddit = lower(subreddit) and length(subreddit) between 1 and 50),
      stated_subscribers integer not null check (stated_subscribers >= 1000),
      status text not null default 'applied' check (status in ('applied', 'approved', 'refused')),
      -- What was approved; each of both shares is a cent for each of them.
      subscribers integer check (subscribers >= 1000),
      restrictions text not null default '',
      reason text not null default '',
      livemode boolean not null default installation_livemode(),
      applied_at timestamptz not null,
      decided_at timestamptz,
      decided_by uuid references users (id),
      -- What the journals of the subreddit's own share are posted for, and the moderator who has it.
      share_id uuid not null unique default uuidv7(),
      moderator_id uuid references users (id),
      check ((status = 'applied') = (decided_at is null)),
      check ((status = 'approved') = (subscribers is not null)),
      check (moderator_id is null or status = 'approved')
    );
    create unique index subreddit_affiliates_once on subreddit_affiliates (subreddit, livemode) where status = 'approved';
    create unique index subreddit_affiliates_one_open on subreddit_affiliates (user_id, subreddit)
      where status = 'applied';
    create index subreddit_affiliates_user on subreddit_affiliates (user_id, applied_at desc, id desc);
    create index subreddit_affiliates_newest on subreddit_affiliates (applied_at desc, id desc);
    create index subreddit_affiliates_open on subreddit_affiliates (applied_at, id)
      where status = 'applied' or (status = 'approved' and moderator_id is null);
    create index subreddit_affiliates_moderator on subreddit_affiliates (moderator_id) where moderator_id is not null;
    create index subreddit_affiliates_decided_by on subreddit_affiliates (decided_by) where decided_by is not null;

    create function subreddit_affiliate_changes() returns trigger language plpgsql as $$
    begin
      if (new.id, new.user_id, new.subreddit, new.stated_subscribers, new.livemode, new.applied_at, new.share_id)
          is distinct from
          (old.id, old.user_id, old.subreddit, old.stated_subscribers, old.livemode, old.applied_at, old.share_id)
        or old.status <> 'applied' and (new.status, new.subscribers, new.restrictions, new.reason, new.decided_at,
          new.decided_by) is distinct from (old.status, old.subscribers, old.restrictions, old.reason, old.decided_at,
          old.decided_by)
        or old.moderator_id is not null and new.moderator_id is distinct from old.moderator_id then
        raise exception 'what was decided of a subreddit stays' using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;
    create trigger subreddit_affiliates_change before update on subreddit_affiliates
      for each row execute function subreddit_affiliate_changes();
    create trigger subreddit_affiliates_no_delete before delete on subreddit_affiliates
      for each row execute function refuse_change();
    create trigger subreddit_affiliates_no_truncate before truncate on subreddit_affiliates
      for each statement execute function refuse_change();
  `.execute(db)
}
