import { csvOf } from '../../../../contract/csv.ts'
import type { Flair } from '../../../../contract/forum.ts'
import { wallTime } from '../../../../contract/wall-time.ts'
import type { Forum } from '../../../ports/forum/port.ts'
import type { PlannedRow } from './actions.ts'
import type { listTimeline } from './data.ts'
import { BY_HAND, PLAN_COLUMNS, writtenTime } from './files/rules.ts'

/** One line of a plan, with what keeps it from being scheduled; `offered` is the flair of its subreddit. */
export function presentPlanned(row: PlannedRow, offered: Flair[] | null | undefined) {
  const { line, postId, subreddit, title, comment, nsfw, flairId, flairText, accountId, byHand } = row
  const { wanted, postTime, problem } = row
  return {
    line,
    postId,
    subreddit,
    title,
    comment,
    nsfw,
    flairId,
    flairText,
    flair: flairText ?? offered?.find(({ id }) => id === flairId)?.text ?? flairId,
    accountId,
    byHand,
    wanted,
    postTime: postTime?.toISOString() ?? null,
    problem,
  }
}

/**
 * The timeline as a record in the columns of a plan, which reads up to `MAX_PLAN_ROWS` of its rows back; times are on the
 * wall of the queue’s time zone (`writtenTime`).
 */
export function presentTimelineFile(
  items: Awaited<ReturnType<typeof listTimeline>>,
  { timeZone, forum, now }: { timeZone: string; forum: Forum | null; now: Date },
): { fileName: string; text: string } {
  return {
    fileName: `timeline-${wallTime(now, timeZone).slice(0, 10)}.csv`,
    text: csvOf([
      [...PLAN_COLUMNS, 'state', 'link', 'score', 'removed by'],
      ...items.map((item) => [
        item.post_id,
        item.subreddit,
        item.title,
        writtenTime(item.post_at, timeZone),
        item.comment,
        item.flair_id ?? '',
        item.flair_text ?? '',
        item.by_hand ? BY_HAND : (item.account ?? ''),
        item.nsfw ? 'yes' : 'no',
        item.state,
        item.permalink === null || !forum ? '' : forum.pageUrl(item.permalink),
        item.score === null ? '' : `${item.score}`,
        item.removed_by ?? '',
      ]),
    ]),
  }
}
