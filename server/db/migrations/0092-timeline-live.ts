import { type Kysely, sql } from 'kysely'

/**
 * Whatever a person sees of their timeline tells them when it changes, whoever writes it (docs/decisions/063-live-timeline.md).
 * The channel and the words are `server/realtime/publish.ts`'s and `contract/realtime.ts`'s.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_timeline() returns trigger language plpgsql as $$
    begin
      perform pg_notify('fanfare_realtime',
        json_build_object('name', 'timeline.changed', 'people', json_build_array(new.user_id))::text);
      return null;
    end $$;
    create trigger scheduled_posts_added_live after insert on scheduled_posts
      for each row execute function tell_timeline();
    -- Not when only leases and times of the next look do.
    create trigger scheduled_posts_live after update on scheduled_posts for each row
      when ((old.state, old.post_at, old.title, old.comment, old.flair_id, old.flair_text, old.account_id, old.by_hand,
          old.failure, old.permalink, old.posted_at, old.comment_state, old.comment_failure, old.score, old.comments_count,
          old.removed_by, old.taken_down_at)
        is distinct from
        (new.state, new.post_at, new.title, new.comment, new.flair_id, new.flair_text, new.account_id, new.by_hand,
          new.failure, new.permalink, new.posted_at, new.comment_state, new.comment_failure, new.score, new.comments_count,
          new.removed_by, new.taken_down_at))
      execute function tell_timeline();
    create trigger forum_accounts_live after update on forum_accounts for each row
      when ((old.resting_until, old.stopped_by, old.revoked_at)
        is distinct from (new.resting_until, new.stopped_by, new.revoked_at))
      execute function tell_timeline();
    create trigger forum_queues_added_live after insert on forum_queues
      for each row execute function tell_timeline();
    create trigger forum_queues_live after update of paused on forum_queues for each row
      when (old.paused is distinct from new.paused)
      execute function tell_timeline();
  `.execute(db)
}
