import { sourcesOf } from '../../../../contract/media-links.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { REMOVALS_TOLD } from '../../../../contract/promotion.ts'
import type { Forum } from '../../../ports/forum/port.ts'
import { commentOf } from '../attribution/rules.ts'
import type { PostRow } from '../posts/data.ts'
import type { CandidateRow } from './candidates/data.ts'
import type { ItemRow, PosterRow, QueueRow } from './data.ts'
import { inTurn } from './rules.ts'

/** A post that may be scheduled, with the title whose turn it is and the first of its subreddits. */
export function presentCandidate(
  row: CandidateRow,
  places: Pick<PostRow, 'usable' | 'scheduled' | 'posted'> | undefined,
) {
  const { id, subreddit, titles, link, comment, expected, posts, removed } = row
  return {
    _id: id,
    subreddit,
    title: inTurn(titles, row.uses)[0] ?? '',
    titles,
    testTitles: row.test_titles,
    link,
    comment,
    mediaId: row.media_id,
    watermarkType: row.watermark_type,
    expected: expected === null ? null : formatMoney(expected),
    removals: posts < REMOVALS_TOLD.least ? null : { posts, removed },
    usableSubreddits: places?.usable ?? [],
    subredditsOnTimeline: places?.scheduled ?? [],
    postedSubreddits: places?.posted ?? [],
  }
}

/** An item of the timeline; its addresses on the forum are left out where there is no forum. */
export function presentItem(row: ItemRow, { forum, publicUrl }: { forum: Forum | null; publicUrl: string }) {
  const isByHand = row.by_hand && row.state !== 'posted'
  return {
    _id: row.id,
    postId: row.post_id,
    subreddit: row.subreddit,
    title: row.title,
    comment: row.comment,
    link: row.link,
    mediaId: row.media_id,
    flairId: row.flair_id,
    flairText: row.flair_text,
    nsfw: row.nsfw,
    postTime: row.post_at.toISOString(),
    state: row.state,
    byHand: row.by_hand,
    accountId: row.account_id,
    account: row.account,
    failure: row.failure,
    permalink: row.permalink === null || !forum ? null : forum.pageUrl(row.permalink),
    postedTime: row.posted_at?.toISOString() ?? null,
    commentState: row.comment_state,
    commentFailure: row.comment_failure?.message ?? null,
    score: row.score,
    commentsCount: row.comments_count,
    removedBy: row.removed_by,
    takenDownAt: row.taken_down_at?.toISOString() ?? null,
    submitUrl: isByHand && forum ? forum.pageUrl(submitPath(row)) : null,
    commentToPaste:
      (isByHand || row.comment_state === 'failed') && row.comment !== '' ? commentOf(row, publicUrl) : null,
  }
}

/** The forum's page for a new post, filled in. */
function submitPath({ subreddit, title, url }: ItemRow): string {
  return `/r/${encodeURIComponent(subreddit)}/submit?${new URLSearchParams({ type: 'LINK', title, url })}`
}

/** The settings of somebody's queue. */
export function presentQueue(row: QueueRow) {
  return {
    timeZone: row.time_zone,
    days: row.days,
    hours: row.hours,
    gapMinutes: row.gap_minutes,
    sameMediaMinutes: row.same_media_minutes,
    paused: row.paused,
    candidateOrder: row.candidate_order,
    recycleDays: row.recycle_days,
    recycleMinScore: row.recycle_min_score,
    removeBelow: row.remove_below,
    removeAfterHours: row.remove_after_hours,
  }
}

/** An account that may post, and whether it rests or was stopped now. */
export function presentPoster(account: PosterRow, now: Date) {
  const { id, name, revoked_at, resting_until: until, rest_reason, stopped_by: stoppedBy } = account
  const isResting = until !== null && until > now
  const state = revoked_at
    ? ('disconnected' as const)
    : stoppedBy
      ? ('stopped' as const)
      : isResting
        ? ('resting' as const)
        : ('posting' as const)
  return {
    _id: id,
    name,
    state,
    restingUntil: isResting ? until.toISOString() : null,
    restReason: isResting ? rest_reason : null,
    stoppedBy,
  }
}

/** The narrowest picture of an item; its height is of the item's proportions. */
export function presentThumbnail(
  item: (Parameters<typeof sourcesOf>[0] & { width: number; height: number }) | undefined,
) {
  const [picture] = item ? sourcesOf(item) : []
  if (!item || !picture) return null
  const { url, width } = picture
  return { url, width, height: Math.round((width * item.height) / item.width) }
}
