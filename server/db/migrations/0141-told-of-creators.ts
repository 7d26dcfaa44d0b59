import { type Kysely, sql } from 'kysely'

/**
 * Gives notifications that name a creator the creator's id: of the subscription that they say they are about, else of one that
 * the account has or had, by its creator's name or its title. What is of nobody loses the name, and what is of who was erased goes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table told on commit drop as
      select id, user_id, kind, data ->> 'title' as title, data ->> 'creator' as name,
        substring(once_key from '^[a-z.-]+ ([0-9a-f-]{36})')::uuid as about
      from notifications where actor_id is null and (kind in ('subscription.declined', 'subscription.reviewed',
        'subscription.ending', 'subscription.canceled', 'subscription.price-changed', 'subscription.extended', 'creator.leaving')
        or kind = 'subscription.ended' and data #>> '{over,creator}' is not null);
    update notifications set actor_id = case when told.kind = 'creator.leaving' then about else coalesce(
        (select creator_id from subscriptions where id = about),
        (select creator_id from subscriptions join users on users.id = creator_id where fan_id = told.user_id and username = name limit 1),
        (select subscriptions.creator_id from subscriptions join subscription_plans as plan on plan.id = plan_id
          where fan_id = told.user_id and plan.title = told.title limit 1)) end
      from told where notifications.id = told.id;
    update notifications set data = data || '{"creator": "Unavailable account"}' from told
      where notifications.id = told.id and actor_id is null and name is not null;
    delete from notifications using told, account_deletions
      where notifications.id = told.id and account_deletions.user_id = actor_id and erased_at is not null;
  `.execute(db)
}
