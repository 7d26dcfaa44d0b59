import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Flair, PostRequirements, SubredditRule } from '../../../contract/forum.ts'
import type { ChangedPart, ReadingState, SubmissionType } from '../../../contract/promotion.ts'
import type { SubmissionFailure, SubmissionState } from '../../../contract/submissions.ts'

/**
 * Posts and their promotion on the forum. Owned by the promotion domain, except the budget of calls, which the port
 * keeps.
 */
export type PromotionTables = {
  forum_accounts: {
    id: Generated<string>
    user_id: string
    forum_id: string
    name: string
    sealed_tokens: Buffer | null
    expires_at: Date | null
    renewal: Generated<number>
    renewing_until: Date | null
    connected_at: Date
    revoked_at: Date | null
    resting_until: Date | null
    rest_reason: 'forum' | 'pace' | null
    failures: Generated<number>
    stopped_by: 'person' | 'forum' | null
  }
  forum_authorizations: { nonce: string; expires_at: Date }
  forum_revocations: {
    id: Generated<string>
    sealed_token: Buffer
    created_at: Date
    next_try_at: Date
    tries: Generated<number>
  }
  forum_budget: { client: string; calls: Generated<number>; remaining: number; window_ends: Date }
  subreddits: {
    id: Generated<string>
    name: string
    subscribers: number | null
    description: Generated<string>
    verification_type: Generated<'required' | 'other' | 'unset' | 'unknown'>
    notes: Generated<string>
    categorized: Generated<boolean>
    selling_accounts_allowed: Generated<boolean>
    oc_settings: Generated<'none' | 'ocOnly' | 'noOc'>
    boy_and_girl_required: Generated<boolean>
    couples_only: Generated<boolean>
    males_allowed: Generated<'true' | 'false' | 'unknown'>
    women_only: Generated<'true' | 'false' | 'unknown'>
    toys_allowed: Generated<boolean>
    sex_acts_allowed: Generated<boolean>
    watermark_type: Generated<'unknown' | 'not allowed' | 'reddit username'>
    face_required: Generated<boolean>
    post_max: number | null
    post_interval: number | null
    post_unit: 'hours' | 'days' | null
    repost_max: number | null
    repost_interval: number | null
    repost_unit: 'hours' | 'days' | null
    tag_ids: Generated<string[]>
    created_at: Date
  }
  subreddit_readings: {
    subreddit_id: string
    state: Generated<ReadingState>
    rules: JSONColumnType<SubredditRule[], string | undefined>
    flair: JSONColumnType<Flair[] | null, string | null | undefined, string | null>
    requirements: JSONColumnType<PostRequirements | null, string | null | undefined, string | null>
    submission_type: SubmissionType | null
    read_at: Date | null
    account_read_at: Date | null
    account_tried_at: Date | null
    changed_at: Date | null
    changed_parts: Generated<ChangedPart[]>
    next_read_at: Date
  }
  subreddit_changes: {
    id: Generated<string>
    subreddit_id: string
    part: ChangedPart
    before: JSONColumnType<object, string>
    after: JSONColumnType<object, string>
    changed_at: Date
  }
  subreddit_tags: { id: Generated<string>; name: string }
  /** How far somebody’s verification in a subreddit is. */
  verifications: {
    user_id: string
    subreddit_id: string
    sort_name: string
    status: 'todo' | 'pending' | 'done'
    confirmed: 'true' | 'pending' | 'false' | 'hidden'
    notes: Generated<string>
    checked: Generated<string[]>
    remind_on: ColumnType<Date | null, string | null | undefined, string | null>
    changed_at: Date
  }
  subreddit_lists: {
    id: Generated<string>
    user_id: string | null
    title: string
    remove_from_search: Generated<boolean>
    created_at: Date
  }
  subreddit_list_members: { list_id: string; subreddit_id: string }
  forum_posts: {
    id: Generated<string>
    user_id: string
    titles: string[]
    link: string
    comment: string
    created_at: Date
    hidden: Generated<boolean>
    media_id: string | null
    test_titles: Generated<boolean>
    offer_id: string | null
    nsfw: Generated<boolean>
  }
  forum_post_subreddits: {
    post_id: string
    subreddit_id: string
    state: 'usable' | 'discarded' | 'scheduled' | 'posted'
    place: number
    posted_at: Date | null
  }
  forum_queues: {
    user_id: string
    time_zone: Generated<string>
    days: Generated<number[]>
    hours: Generated<number[]>
    gap_minutes: Generated<number>
    same_media_minutes: Generated<number>
    paused: Generated<boolean>
    candidate_order: Generated<'roundRobin' | 'shuffled' | 'earnings'>
    expected_cents: Generated<number>
    expected_at: Date | null
    recycle_days: number | null
    recycle_min_score: Generated<number>
    remove_below: number | null
    remove_after_hours: Generated<number>
  }
  /** Times of the week at which posts go up. */
  forum_slots: {
    id: Generated<string>
    user_id: string
    days: number[]
    minute: number
    subreddit_id: string | null
    account_id: string | null
    by_hand: Generated<boolean>
    problem: string | null
    created_at: Date
    awaits_forum_id: string | null
  }
  forum_expected_earnings: {
    user_id: string
    subreddit_id: string
    cents: number
    posts: number
  }
  forum_closed_pairs: {
    account_id: string | null
    user_id: string | null
    awaits_forum_id: string | null
    subreddit_id: string
    code: string
    message: string
    closed_at: Date
  }
  scheduled_posts: {
    id: Generated<string>
    user_id: string
    post_id: string
    subreddit_id: string
    account_id: string | null
    by_hand: Generated<boolean>
    title: string
    comment: Generated<string>
    url: string
    media_key: string
    flair_id: string | null
    flair_text: string | null
    post_at: Date
    state: SubmissionState
    created_at: Date
    sent_at: Date | null
    check_at: Date | null
    failure: JSONColumnType<SubmissionFailure | null, string | null | undefined, string | null>
    forum_post_id: string | null
    permalink: string | null
    posted_at: Date | null
    comment_state: Generated<'none' | 'due' | 'sending' | 'posted' | 'failed'>
    comment_at: Date | null
    comment_tries: Generated<number>
    comment_failure: JSONColumnType<SubmissionFailure | null, string | null | undefined, string | null>
    score: number | null
    comments_count: number | null
    removed_by: string | null
    removed_at: Date | null
    followed: Generated<number>
    follow_at: Date | null
    code: string | null
    slot_id: string | null
    slot_on: ColumnType<Date | null, string | null | undefined, string | null>
    taken_down_at: Date | null
    resubmit: Generated<boolean>
    awaits_forum_id: string | null
    comment_since: Date | null
    take_down_after: Date | null
    up_at: GeneratedAlways<Date>
    nsfw: Generated<boolean>
  }
  /** Visits and sign-ups by post. */
  forum_visits: {
    id: Generated<string>
    item_id: string
    user_id: string | null
    visited_at: Date
    signed_up: Generated<boolean>
  }
  forum_inboxes: {
    account_id: string
    synced_at: Date | null
    next_sync_at: Date
    opened_at: Date
    failure: 'unavailable' | 'reconnect' | null
  }
  forum_threads: {
    id: Generated<string>
    user_id: string
    account_id: string
    key: string
    author: string
    subject: string
    last_received_at: Date
    skipped_until: Date | null
    deleted_at: Date | null
    out_of_sync: Generated<boolean>
  }
  forum_messages: {
    id: Generated<string>
    thread_id: string
    account_id: string
    name: string
    author: string
    is_own: boolean
    body: string
    sent_at: Date
    deleted_at: Date | null
  }
  forum_replies: {
    id: Generated<string>
    thread_id: string
    body: string
    state: 'sending' | 'sent' | 'unknown' | 'failed'
    failure: string | null
    created_at: Date
    check_at: Date | null
  }
  forum_contacts: {
    user_id: string
    name: string
    ignored: Generated<boolean>
    last_contact_at: Date | null
    moderates: Generated<string[]>
    moderates_read_at: Date | null
  }
  saved_replies: {
    id: Generated<string>
    user_id: string
    title: string
    body: string
    created_at: Date
  }
}
