import { type Kysely, sql } from 'kysely'

/** Why an account rests, what is to be posted although its link is there, and comments by the account that owes them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table forum_accounts
      -- What the forum said, or didn't, or our own pace after posts that went up late.
      add column rest_reason text check (rest_reason in ('forum', 'pace'));
    update forum_accounts set rest_reason = 'forum' where resting_until is not null;
    alter table forum_accounts
      add constraint forum_accounts_rest check ((resting_until is null) = (rest_reason is null));
    alter table scheduled_posts
      -- Its person wants it up although the same link was posted there before.
      add column resubmit boolean not null default false;
    update scheduled_posts set failure = jsonb_set(failure, '{remedy}', '"resubmit"')
      where state = 'failed' and failure ->> 'code' = 'ALREADY_SUB';
    drop index scheduled_posts_comments;
    create index scheduled_posts_comments on scheduled_posts (account_id, comment_at)
      where comment_state in ('due', 'sending');
  `.execute(db)
}
