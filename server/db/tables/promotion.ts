import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Flair, PostRequirements, SubredditRule } from '../../../contract/forum.ts'
import type { ReadingState } from '../../../contract/promotion.ts'

type ChangedPart = 'rules' | 'flair' | 'requirements' | 'access'

/** What is promoted on the forum. Owned by the promotion domain, but for the budget of calls, which the port keeps. */
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
  }
  forum_authorizations: { nonce: string; expires_at: Date }
  forum_revocations: {
    id: Generated<string>
    sealed_token: Buffer
    created_at: Date
    next_try_at: Date
    tries: Generated<number>
  }
  forum_budget: { client: string; remaining: number; window_ends: Date }
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
    read_at: Date | null
    account_read_at: Date | null
    changed_at: Date | null
    changed_parts: Generated<ChangedPart[]>
    next_read_at: Date
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
  }
  forum_post_subreddits: {
    post_id: string
    subreddit_id: string
    state: 'usable' | 'discarded'
    place: number
  }
}
