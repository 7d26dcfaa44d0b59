import { formatMoney } from '../../../../contract/money.ts'
import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findPost } from '../posts/data.ts'
import { claimVisits, noteVisit } from './actions.ts'
import { listFigures } from './data.ts'
import { digestOf, presentComparison, presentFigures, presentFile, presentRow } from './present.ts'
import { positionOf, rowsBehind, rowsOf, suggest, totalOf } from './rules.ts'
import { compareTitles } from './titles/rules.ts'

const DAY_MS = 24 * 3_600_000
/** How far back posts are looked at where nothing else is asked for, and for suggestions. */
const SHOWN_DAYS = 90
const SUGGESTED_DAYS = 365

export const attributionHandlers = {
  async visitPost({ db, viewer, audience, body, now }) {
    return noteVisit(db, { code: body.code, visitor: viewer, audience, now })
  },

  async claimVisits({ db, viewer, body, now }) {
    await claimVisits(db, { visitIds: body.visitIds, visitor: viewer, now })
    return { success: true as const }
  },

  async postEarnings({ db, viewer, query, now }) {
    const posts = await listFigures(db, { creatorId: viewer.id, ...periodOf(query, now) })
    const rows = rowsOf(posts, query.by)
    const behind =
      query.cursor === undefined ? rows.slice(skipOf(query)) : rowsBehind(rows, read(query.cursor), digestOf)
    if (!behind) throw new AppError('bad_cursor')
    const shown = behind
      .slice(0, query.limit + 1)
      .map((row) => ({ ...row, position: positionOf(row, digestOf) }))
    const page = toPage(shown, query, ({ position: _, ...row }) => presentRow(row))
    return { ...page, total: presentFigures(totalOf(posts)) }
  },

  async postEarningsFile({ db, viewer, query, now }) {
    const period = periodOf(query, now)
    const posts = await listFigures(db, { creatorId: viewer.id, ...period })
    return presentFile(rowsOf(posts, query.by), totalOf(posts), { by: query.by, ...period })
  },

  async comparedTitles({ db, viewer, params, now }) {
    const { redditPostId: postId } = params
    if (!(await findPost(db, viewer.id, postId))) throw new AppError('post_not_found')
    const from = new Date(now.getTime() - SUGGESTED_DAYS * DAY_MS)
    const posts = await listFigures(db, { creatorId: viewer.id, from, to: endOf(now), postId })
    return presentComparison(compareTitles(posts))
  },

  async postSuggestions({ db, viewer, now }) {
    const from = new Date(now.getTime() - SUGGESTED_DAYS * DAY_MS)
    const posts = await listFigures(db, { creatorId: viewer.id, from, to: endOf(now) })
    return suggest(posts, formatMoney)
  },
} satisfies Partial<Handlers>

const read = (cursor: string) => Buffer.from(cursor, 'base64url').toString('latin1')

/** A post of this very moment is counted. */
const endOf = (now: Date) => new Date(now.getTime() + 1)

function periodOf(query: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const to = query.to === undefined ? endOf(now) : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - SHOWN_DAYS * DAY_MS) : new Date(query.from)
  return { from, to }
}
