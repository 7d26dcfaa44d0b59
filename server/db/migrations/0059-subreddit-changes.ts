import { type Kysely, sql } from 'kysely'

/** What changed of subreddits on the forum, and when an account was last asked of one that it may not see. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subreddit_readings add column account_tried_at timestamptz;
    -- The latest few of each; before and after are what differs.
    create table subreddit_changes (
      id uuid primary key default uuidv7(),
      subreddit_id uuid not null references subreddits (id) on delete cascade,
      part text not null check (part in ('rules', 'flair', 'requirements', 'access')),
      before jsonb not null,
      after jsonb not null,
      changed_at timestamptz not null
    );
    create index subreddit_changes_latest on subreddit_changes (subreddit_id, changed_at desc, id desc);
  `.execute(db)
}
