import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import type { Handlers } from '../../../handler.ts'
import { listCandidates } from '../schedule/candidates/data.ts'
import { findQueue } from '../schedule/data.ts'
import { type PlannedRow, type PlanRow, previewPlan, schedulePlan } from './actions.ts'
import { findFlair, listTimeline } from './data.ts'
import { readPlan } from './files/data.ts'
import { presentPlanned, presentTimelineFile } from './present.ts'

export const planHandlers = {
  async previewPlan({ context, viewer, body, now }) {
    return previewed(context, body.rows.map(rowOf), viewer.id, now)
  },

  async planCandidates({ context, viewer, body, now }) {
    // One row more than the page comes.
    const page = { limit: body.limit - 1 }
    const { rows } = await listCandidates(context.db, viewer.id, { page, subreddit: body.subreddit })
    const wanted = rows.map(({ id, subreddit }, line) =>
      rowOf({ ...posterOf(body), postId: id, subreddit, postTime: 'endOfQueue' }, line),
    )
    return previewed(context, wanted, viewer.id, now)
  },

  async readPlanFile({ context, viewer, body, now }) {
    const { db } = context
    const rows = await readPlan(db, { userId: viewer.id, text: body.text, poster: posterOf(body) })
    return previewed(context, rows, viewer.id, now)
  },

  async schedulePlan({ context, db, viewer, body, now }) {
    const { publicUrl } = context
    const planned = await schedulePlan(db, body.rows.map(rowOf), { userId: viewer.id, publicUrl, now })
    return presented(db, planned)
  },

  async timelineFile({ context, db, viewer, now }) {
    const { time_zone: timeZone } = await findQueue(db, viewer.id)
    return presentTimelineFile(await listTimeline(db, viewer.id), { timeZone, forum: context.forum, now })
  },
} satisfies Partial<Handlers>

async function previewed({ db, publicUrl }: Context, rows: PlanRow[], userId: string, now: Date) {
  return presented(db, await previewPlan(db, rows, { userId, publicUrl, now }))
}

async function presented(db: Db, planned: PlannedRow[]) {
  const flairOf = await findFlair(
    db,
    planned.flatMap(({ flairId, subreddit }) => (flairId === null ? [] : [subreddit])),
  )
  return { rows: planned.map((row) => presentPlanned(row, flairOf.get(row.subreddit.toLowerCase()))) }
}

type SentRow = {
  postId: string
  subreddit: string
  title?: string | null | undefined
  comment?: string | null | undefined
  nsfw?: boolean | null | undefined
  flairId?: string | null | undefined
  flairText?: string | null | undefined
  postTime: string
  accountId?: string | null | undefined
  byHand: boolean
}

const posterOf = ({ accountId, byHand }: Pick<SentRow, 'accountId' | 'byHand'>) => ({
  accountId: accountId ?? null,
  byHand,
})

const rowOf = (row: SentRow, line: number): PlanRow => ({
  line,
  postId: row.postId,
  subreddit: row.subreddit,
  title: row.title || null,
  comment: row.comment ?? null,
  nsfw: row.nsfw ?? null,
  flairId: row.flairId || null,
  flairText: row.flairText || null,
  ...posterOf(row),
  wanted: row.postTime,
})
