import { sql } from 'kysely'
import { DELETED_USER, UNAVAILABLE_ACCOUNT } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import { released } from '../../media/data.ts'
import { collectTold } from '../../notifications/data.ts'

/** Room for a profile picture, whose size is not stored. */
const PROFILE_PICTURE_BYTES = 200_000

/** The person's exports whose time is not over, newest first. */
export function listExports(db: Db, userId: string, now: Date) {
  return db
    .selectFrom('data_exports')
    .select(['id', 'status', 'bytes', 'requested_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where(holdsNothingTakenDown)
    .orderBy('requested_at', 'desc')
    .limit(20)
    .execute()
}

/** An item that is taken down takes every export that holds it along, also one that was made at the same moment. */
const holdsNothingTakenDown = sql<boolean>`not exists (
  select from media where creator_id = data_exports.user_id and quarantined_at is not null
    and media.id = any(data_exports.media_ids) offset 0
)`

/** Whether one of these items is taken down. */
export async function isAnyTakenDown(db: Db, mediaIds: string[]): Promise<boolean> {
  const { rows } = await sql`
    select from media where id = any(${mediaIds}::uuid[]) and quarantined_at is not null limit 1`.execute(db)
  return rows.length > 0
}

/** When the person asked for exports since then that were not given up, the latest first. */
export async function findRecentExports(
  db: Db,
  { userId, since }: { userId: string; since: Date },
): Promise<Date[]> {
  const rows = await db
    .selectFrom('data_exports')
    .select('requested_at')
    .where('user_id', '=', userId)
    .where('requested_at', '>', since)
    .where('status', '<>', 'failed')
    .orderBy('requested_at', 'desc')
    .execute()
  return rows.map((row) => row.requested_at)
}

/** How much room everybody's exports count for, those that are being made included; each for `most` bytes at most. */
export async function sumKeptExports(db: Db, most: number, now: Date): Promise<number> {
  const { kept } = await db
    .selectFrom('data_exports')
    .select(sql<number>`coalesce(sum(least(kept_bytes, ${most}::numeric)), 0)::bigint`.as('kept'))
    .where('status', '<>', 'failed')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return kept
}

/** A ready export, if this live session is its owner's; else null. */
export async function findDownload(db: Db, request: { exportId: string; sessionId: string; now: Date }) {
  const row = await db
    .selectFrom('data_exports')
    .innerJoin('sessions', 'sessions.user_id', 'data_exports.user_id')
    .innerJoin('users', 'users.id', 'data_exports.user_id')
    .select(['data_exports.user_id', 'data_exports.bytes'])
    .where('data_exports.id', '=', request.exportId)
    .where('data_exports.status', '=', 'ready')
    .where('data_exports.expires_at', '>', request.now)
    .where(holdsNothingTakenDown)
    .where('sessions.id', '=', request.sessionId)
    .where('sessions.expires_at', '>', request.now)
    .where('users.hidden_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** The other person of what one wrote, without the name of who is suspended or leaving. */
const NAME = sql`case when users.hidden_at is null then users.username
  when users.deletion_requested_at is null then ${sql.lit(UNAVAILABLE_ACCOUNT)} else ${sql.lit(DELETED_USER)} end`

/**
 * Everything the site holds of a person, by subject, in the words of the database: without secrets (passwords, tokens)
 * and without what belongs to somebody else (who bought, who blocked them).
 */
const SUBJECTS: Record<string, (userId: string) => ReturnType<typeof sql<object>>> = {
  account: (id) => sql<object>`
    select id, email, username, first_name, last_name, reddit_username, is_creator, role, email_verified_at, referral_code,
      referred_by, referred_by_shared, age_confirmed_at, age_approved_at, discoverable, recognizable, created_at from users where id = ${id}`,
  'shared-codes': (id) => sql<object>`
    select code, title, shared_codes.created_at, place, accepted_at from shared_codes join shared_code_participants on code_id = shared_codes.id
    where user_id = ${id} order by shared_codes.id`,
  commissions: (id) => sql<object>`
    select to_char(month, 'YYYY-MM') as month, cents from commission_months where referrer_id = ${id} order by commission_months.month`,
  profile: (id) =>
    sql<object>`select bio, menu, limits, links, watermark from profiles where user_id = ${id}`,
  sessions: (id) => sql<object>`
    select created_at, last_seen_at, expires_at, user_agent from sessions where user_id = ${id} order by created_at`,
  'email-changes': (id) => sql<object>`
    select email, requested_at, ended_at from email_changes where user_id = ${id} order by requested_at`,
  'notification-preferences': (id) => sql<object>`
    select topic, email, push from notification_preferences where user_id = ${id} order by topic`,
  'notification-settings': (id) => sql<object>`
    select time_zone, quiet_from, quiet_to, show_message_text from notification_settings where user_id = ${id}`,
  'push-devices': (id) => sql<object>`
    select id, created_at from push_subscriptions where user_id = ${id} order by created_at`,
  'authenticator-app': (id) =>
    sql<object>`select created_at, confirmed_at from totp_secrets where user_id = ${id}`,
  passkeys: (id) => sql<object>`
    select name, created_at, last_used_at from passkeys where user_id = ${id} order by created_at`,
  'recovery-codes': (id) => sql<object>`
    select count(*)::int as unused from recovery_codes where user_id = ${id}`,
  'age-checks': (id) => sql<object>`
    select provider, method, result, created_at, decided_at, expires_at, revoked_at from age_verifications
    where user_id = ${id} order by created_at`,
  following: (id) => sql<object>`
    select users.username, follows.created_at from follows join users on users.id = following_id
    where follower_id = ${id} and users.hidden_at is null order by follows.created_at`,
  blocked: (id) => sql<object>`
    select users.username, blocks.created_at from blocks join users on users.id = blocked_id
    where blocker_id = ${id} and users.hidden_at is null order by blocks.created_at`,
  'places-blocked': (id) => sql<object>`select country, region from geo_blocks where creator_id = ${id}`,
  media: (id) => sql<object>`
    select id, type, title, description, price_cents, duration_seconds, width, height, show_in_search, reddit_promotion,
      must_unlock, show_in_store, direct_only, created_at, deleted_at,
      array(select name from tags where tags.id = any(tag_ids) order by name) as tags,
      array(select name from performers where performers.id = any(performer_ids) order by name) as depicted
    from media where creator_id = ${id} order by created_at`,
  performers: (id) => sql<object>`
    select name, created_at from performers where creator_id = ${id} order by created_at`,
  uploads: (id) => sql<object>`
    select id, file_name, status, bytes, created_at from uploads where owner_id = ${id} order by created_at`,
  'subscription-plans': (id) => sql<object>`
    select id, title, price_cents, chat_enabled, created_at, deleted_at from subscription_plans
    where creator_id = ${id} order by created_at`,
  bundles: (id) => sql<object>`
    select id, title, price_cents, created_at, deleted_at from bundles where creator_id = ${id} order by created_at`,
  offers: (id) => sql<object>`
    select id, type, plan_id, subscription_days, bundle_id, price_cents, available_to_all, redemptions_allowed, redemptions_taken,
      views, expires_at, created_at, ended_at, deleted_at,
      array(select media_id from offer_media where offer_id = offers.id order by position) as media
    from offers where creator_id = ${id} order by created_at`,
  'redeemed-offers': (id) => sql<object>`
    select offer_id, redeemed_at from offer_redemptions
    where fan_id = ${id} and redeemed_at is not null order by redeemed_at`,
  purchases: (id) => sql<object>`
    select id, kind, title, amount_cents, status, card_brand, card_last_four, created_at from purchases
    where buyer_id = ${id} order by created_at`,
  sales: (id) => sql<object>`
    select id, kind, title, amount_cents, status, created_at,
      ${soldInto('^(platform_fees|referrer_)')} as fee_cents, ${soldInto('^creator_')} as share_cents
    from purchases where creator_id = ${id} and kind <> 'donation' order by created_at`,
  'referral-earnings': (id) => sql<object>`
    select journals.kind, journals.occurred_at, -sum(postings.amount_cents)::bigint as earned_cents
    from ledger_accounts
      join postings on postings.account_id = ledger_accounts.id
      join journals on journals.id = postings.journal_id
    where ledger_accounts.kind ~ '^referrer_' and ledger_accounts.user_id = ${id}
      and journals.kind not in ('release', 'payout', 'payout_returned')
    group by journals.id order by journals.occurred_at, journals.id`,
  'bank-details': (id) => sql<object>`
    select country, last_four, changed_at from bank_details where user_id = ${id}`,
  'subreddit-affiliates': (id) => sql<object>`
    select id, subreddit, stated_subscribers, status, subscribers, restrictions, case status when 'refused' then reason end as reason,
      applied_at, decided_at from subreddit_affiliates
    where user_id = ${id} and livemode = installation_livemode() order by applied_at, id`,
  payouts: (id) => sql<object>`
    select id, amount_cents, currency, status, requested_at, changed_at from payouts
    where user_id = ${id} order by requested_at`,
  subscriptions: (id) => sql<object>`
    select id, plan_id, price_cents, months, status, anchor_at, current_period_end, extended_months, created_at, ended_at
    from subscriptions where fan_id = ${id} order by created_at`,
  'subscription-agreements': (id) => sql<object>`
    select subscription_id, agreed.months, agreed.price_cents, effective_from, terms_version, consented_at,
      consent_network, agreed.created_at, applied_at, withdrawn_at
    from subscription_agreements as agreed join subscriptions on subscriptions.id = subscription_id
    where fan_id = ${id} order by agreed.created_at`,
  'price-changes': (id) => sql<object>`
    select subscription_id, notice.months, notice.price_cents, effective_from, told_at, agreed_at, declined_at
    from price_change_notices as notice join subscriptions on subscriptions.id = subscription_id
    where fan_id = ${id} order by told_at, subscription_id`,
  'stored-cards': (id) =>
    sql<object>`select brand, last_four, expires, created_at, removed_at from stored_cards where user_id = ${id}`,
  'seen-media': (id) => sql<object>`
    select media_id, first_at, first_network, last_at, last_network, days from media_deliveries
    where user_id = ${id} order by first_at`,
  conversations: (id) => sql<object>`
    select users.username as "with", me.last_at, me.read_position, me.unread, me.muted_at
    from conversation_members me join users on users.id = me.other_id
    where me.user_id = ${id} and users.hidden_at is null order by me.last_at`,
  messages: (id) => sql<object>`
    select messages.id, ${NAME} as "to", content, price_cents, messages.created_at, edited_at, deleted_at,
      kept_content,
      array(select content from message_versions where message_id = messages.id order by revision) as earlier,
      array(select media_id from message_attachments where message_id = messages.id order by place) as media
    from messages
      join conversation_members me on me.conversation_id = messages.conversation_id and me.user_id = messages.sender_id
      join users on users.id = me.other_id
    where sender_id = ${id} order by messages.created_at, messages.position`,
  'custom-requests': (id) => sql<object>`
    select custom_requests.id, ${NAME} as "to", message, max_minutes, minute_price_cents, status, price_cents,
      delivery_days, reason, custom_requests.created_at, answered_at, delivered_at
    from custom_requests join users on users.id = creator_id
    where fan_id = ${id} order by custom_requests.created_at`,
  'message-reactions': (id) =>
    sql<object>`select message_id, emoji from message_reactions where user_id = ${id} order by message_id`,
  'message-reports': (id) => sql<object>`
    select message_id, reason, created_at from message_reports where reporter_id = ${id} order by created_at`,
  'chat-settings': (id) =>
    sql<object>`select audience, welcome_message from chat_settings where user_id = ${id}`,
  'fan-lists': (id) => sql<object>`
    select fan_lists.name, fan_lists.created_at, array(
      select users.username from fan_list_members join users on users.id = fan_id
      where list_id = fan_lists.id and users.hidden_at is null order by added_at) as members
    from fan_lists where creator_id = ${id} order by fan_lists.created_at`,
  'fan-notes': (id) => sql<object>`
    select users.username as fan, note, changed_at from fan_notes join users on users.id = fan_id
    where creator_id = ${id} and users.hidden_at is null order by changed_at`,
  'mass-messages': (id) => sql<object>`
    select id, content, price_cents, audience, status, created_at, send_at, started_at, finished_at, sent, unsent,
      array(select media_id from mass_message_attachments where mass_message_id = mass_messages.id order by place) as media
    from mass_messages where creator_id = ${id} order by created_at`,
  'forum-accounts': (id) => sql<object>`
    select name, connected_at, revoked_at from forum_accounts where user_id = ${id} order by connected_at`,
  verifications: (id) => sql<object>`
    select subreddits.name as subreddit, status, confirmed, verifications.notes, checked, remind_on, changed_at
    from verifications join subreddits on subreddits.id = subreddit_id where user_id = ${id} order by sort_name`,
  'subreddit-lists': (id) => sql<object>`
    select title, remove_from_search, subreddit_lists.created_at, array(
      select subreddits.name from subreddit_list_members join subreddits on subreddits.id = subreddit_id
      where list_id = subreddit_lists.id order by lower(subreddits.name)) as subreddits
    from subreddit_lists where user_id = ${id} order by subreddit_lists.created_at`,
  'forum-posts': (id) => sql<object>`
    select id, titles, test_titles, link, media_id, offer_id, comment, nsfw, hidden, created_at, (
      select coalesce(json_agg(json_build_object('subreddit', subreddits.name, 'state', state, 'posted_at', posted_at) order by state, place), '[]')
      from forum_post_subreddits join subreddits on subreddits.id = subreddit_id where post_id = forum_posts.id
    ) as subreddits
    from forum_posts where user_id = ${id} order by created_at`,
  'scheduled-posts': (id) => sql<object>`
    select item.id, post_id, subreddits.name as subreddit, forum_accounts.name as account, title, comment, item.nsfw, url,
      flair_text, post_at, by_hand, item.state, failure ->> 'message' as failure, permalink, posted_at, comment_state,
      score, comments_count, removed_by, taken_down_at, item.created_at
    from scheduled_posts as item join subreddits on subreddits.id = subreddit_id
      left join forum_accounts on forum_accounts.id = account_id
    where item.user_id = ${id} order by post_at, item.id`,
  'post-queue': (id) => sql<object>`
    select time_zone, days, hours, gap_minutes, same_media_minutes, paused, candidate_order, recycle_days, recycle_min_score,
      remove_below, remove_after_hours
    from forum_queues where user_id = ${id}`,
  'posting-slots': (id) => sql<object>`
    select days, minute, subreddits.name as subreddit, forum_accounts.name as account, by_hand, forum_slots.created_at
    from forum_slots left join subreddits on subreddits.id = subreddit_id
      left join forum_accounts on forum_accounts.id = account_id
    where forum_slots.user_id = ${id} order by minute`,
  'expected-post-earnings': (id) => sql<object>`
    select subreddits.name as subreddit, cents, posts from forum_expected_earnings join subreddits on subreddits.id = subreddit_id
    where user_id = ${id} order by cents desc, lower(subreddits.name)`,
  'forum-messages': (id) => sql<object>`
    select forum_accounts.name as account, author as "with", subject, body, state, at from (
      select thread_id, body, 'sent' as state, sent_at as at from forum_messages where is_own
      union all select thread_id, body, state, created_at from forum_replies
    ) as written join forum_threads as thread on thread.id = thread_id join forum_accounts on forum_accounts.id = thread.account_id
    where thread.user_id = ${id} order by at`,
  'forum-contacts': (id) => sql<object>`
    select name, ignored, last_contact_at from forum_contacts where user_id = ${id} order by name`,
  'saved-replies': (id) => sql<object>`
    select title, body, created_at from saved_replies where user_id = ${id} order by created_at`,
  'visited-posts': (id) => sql<object>`
    select subreddits.name as subreddit, scheduled_posts.title, visited_at, signed_up
    from forum_visits join scheduled_posts on scheduled_posts.id = item_id
      join subreddits on subreddits.id = subreddit_id
    where forum_visits.user_id = ${id} order by visited_at`,
  'unlocked-media': (id) => sql<object>`
    select media_id, version_id, granted_at from unlocked_media where user_id = ${id} order by granted_at`,
}

/** The sum in cents that the journals of a purchase posted to accounts of these kinds. */
function soldInto(kinds: '^(platform_fees|referrer_)' | '^creator_') {
  return sql`(
    select coalesce(-sum(postings.amount_cents), 0)::bigint from journals
      join postings on postings.journal_id = journals.id
      join ledger_accounts on ledger_accounts.id = postings.account_id
    where journals.order_id = purchases.id and ledger_accounts.kind ~ ${kinds})`
}

/** The rows of every subject, each subject by its name. */
export async function collectOwnData(db: Db, userId: string): Promise<Map<string, object[]>> {
  const collected = new Map([['notifications', await collectTold(db, userId)]])
  for (const [subject, query] of Object.entries(SUBJECTS)) {
    const { rows } = await query(userId).execute(db)
    collected.set(subject, rows)
  }
  return collected
}

/**
 * The own files, every version that is kept as its best rendition, with the name that it has in the export; also those
 * of deleted items, as long as they are there, and none that was taken down.
 */
export async function listOwnFiles(
  db: Db,
  userId: string,
): Promise<{ key: string; name: string; bytes: number; mediaId: string | null }[]> {
  const media = await db
    .selectFrom('media')
    .innerJoin('media_versions as version', 'version.media_id', 'media.id')
    .select(['media.id', 'version.id as versionId', 'version.storage_id', 'version.variants'])
    .select(sql<boolean>`version.id = media.version_id`.as('current'))
    .where('creator_id', '=', userId)
    .where(released)
    .where('version.purged_at', 'is', null)
    .orderBy('media.created_at')
    .orderBy('version.created_at')
    .execute()
  const profile = await db
    .selectFrom('profiles')
    .select(['profile_image', 'profile_hero_image'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const files = media.flatMap(({ id, versionId, storage_id, variants, current }) => {
    const name = current ? id : `${id}-${versionId}`
    const video = variants.find(({ name }) => name === 'video.mp4')
    const pictures = variants.filter(({ mime }) => mime === 'image/webp')
    const best = video ?? pictures.toSorted((a, b) => b.width - a.width)[0]
    return best
      ? [
          {
            key: `media/${storage_id}/${best.name}`,
            name: `media/${name}${extensionOf(best.name)}`,
            bytes: best.bytes,
            mediaId: id,
          },
        ]
      : []
  })
  const pictures = [
    ['profile-picture', profile?.profile_image],
    ['profile-hero', profile?.profile_hero_image],
  ].flatMap(([name, stored]) => {
    const key = `profile/${userId}/${stored}`
    return stored ? [{ key, name: `${name}.webp`, bytes: PROFILE_PICTURE_BYTES, mediaId: null }] : []
  })
  return [...pictures, ...files]
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.'))
}
