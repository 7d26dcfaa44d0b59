import type { Output } from '../../../../contract/route.ts'
import type { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import type { NotesRow, SubredditListRow, SubredditRow } from './data.ts'

type Frequency = NonNullable<Output<typeof subredditRoutes.subreddit>['postFrequency']>

/** A subreddit as it is known to us. */
export function presentSubreddit(row: SubredditRow): Output<typeof subredditRoutes.subreddit> {
  return {
    ...presentNotes(row),
    description: row.description,
    state: row.state ?? 'unread',
    readAt: row.read_at?.toISOString() ?? null,
    changed: row.changed_at ? { at: row.changed_at.toISOString(), parts: row.changed_parts ?? [] } : null,
  }
}

/** A row of a table of subreddits. */
export function presentRow(row: SubredditListRow) {
  return { ...presentNotes(row), status: row.status, confirmed: row.confirmed }
}

function presentNotes(row: NotesRow) {
  return {
    _id: row.id,
    name: row.name,
    subscribers: row.subscribers,
    verificationType: row.verification_type,
    notes: row.notes,
    categorized: row.categorized,
    sellingAccountsAllowed: row.selling_accounts_allowed,
    ocSettings: row.oc_settings,
    boyAndGirlRequired: row.boy_and_girl_required,
    couplesOnly: row.couples_only,
    malesAllowed: row.males_allowed,
    womenOnly: row.women_only,
    toysAllowed: row.toys_allowed,
    sexActsAllowed: row.sex_acts_allowed,
    watermarkType: row.watermark_type,
    faceRequired: row.face_required,
    postFrequency: frequency(row.post_max, row.post_interval, row.post_unit),
    repostFrequency: frequency(row.repost_max, row.repost_interval, row.repost_unit),
    srTagIds: row.tag_ids,
  }
}

function frequency(
  maxPosts: number | null,
  intervalAmount: number | null,
  intervalUnit: 'hours' | 'days' | null,
): Frequency | null {
  if (maxPosts === null || intervalAmount === null || intervalUnit === null) return null
  return { maxPosts, intervalAmount, intervalUnit }
}
