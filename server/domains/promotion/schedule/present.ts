import type { Forum } from '../../../ports/forum/port.ts'
import type { CandidateRow, ItemRow, listPosters, QueueRow } from './data.ts'

export function presentCandidate({ id, subreddit, titles, link, comment, media_id }: CandidateRow) {
  return { _id: id, subreddit, title: titles[0] ?? '', titles, link, comment, mediaId: media_id }
}

/** An item of the timeline; its addresses on the forum are left out where there is no forum. */
export function presentItem(row: ItemRow, forum: Forum | null) {
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
    postTime: row.post_at.toISOString(),
    state: row.state,
    byHand: row.by_hand,
    accountId: row.account_id,
    account: row.account,
    failure: row.failure,
    permalink: row.permalink === null || !forum ? null : forum.pageUrl(row.permalink),
    postedTime: row.posted_at?.toISOString() ?? null,
    commentState: row.comment_state,
    score: row.score,
    commentsCount: row.comments_count,
    removedBy: row.removed_by,
    submitUrl: row.by_hand && row.state !== 'posted' && forum ? forum.pageUrl(submitPath(row)) : null,
  }
}

/** The forum's page for a new post, filled in. */
function submitPath({ subreddit, title, url }: ItemRow): string {
  return `/r/${encodeURIComponent(subreddit)}/submit?${new URLSearchParams({ type: 'LINK', title, url })}`
}

export function presentQueue(row: QueueRow) {
  return {
    timeZone: row.time_zone,
    days: row.days,
    hours: row.hours,
    gapMinutes: row.gap_minutes,
    sameMediaMinutes: row.same_media_minutes,
    paused: row.paused,
  }
}

export function presentPoster(account: Awaited<ReturnType<typeof listPosters>>[number], now: Date) {
  const { id, name, revoked_at, resting_until: until, stopped_by: stoppedBy } = account
  const isResting = until !== null && until > now
  const state = revoked_at
    ? ('disconnected' as const)
    : stoppedBy
      ? ('stopped' as const)
      : isResting
        ? ('resting' as const)
        : ('posting' as const)
  return { _id: id, name, state, restingUntil: isResting ? until.toISOString() : null, stoppedBy }
}
