import { sql } from 'kysely'
import { errors } from '../../../../contract/errors.ts'
import type { PostRule } from '../../../../contract/submissions.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import {
  type Desk,
  type NewItem,
  openDesk,
  type PostTime,
  RuleBroken,
  scheduleAt,
} from '../schedule/actions.ts'
import { findUses } from '../schedule/data.ts'
import { inTurn } from '../schedule/rules.ts'
import { findLastFlair, findTitles } from './data.ts'

/** A row as its person wants it; one that a file can’t mean has its problem already. */
export type PlanRow = {
  line: number
  postId: string | null
  subreddit: string
  title: string | null
  comment: string | null
  /** Null for as the post says. */
  nsfw: boolean | null
  flairId: string | null
  /** Its own words, where the subreddit lets people write them. */
  flairText: string | null
  /** The account that posts it; the first that is connected without one. */
  accountId: string | null
  byHand: boolean
  wanted: PostTime
  problem?: Problem
}
type Reason = { rule: PostRule | null; message: string }
export type Problem = Reason & { suggestion: string | null; others: Reason[] }
/** The result, or the expected one. */
export type PlannedRow = Omit<PlanRow, 'title' | 'problem'> & {
  title: string
  postTime: Date | null
  problem: Problem | null
}

type Planner = {
  userId: string
  publicUrl: string
  now: Date
  /** The recurring slot that is filled. */
  slot?: NewItem['slot']
}

/** Schedules row by row what can be; a row that can’t changes nothing, and the others don’t wait for it. */
export async function schedulePlan(
  tx: Tx,
  rows: readonly PlanRow[],
  planner: Planner,
): Promise<PlannedRow[]> {
  const ids = rows.flatMap(({ postId }) => (postId === null ? [] : [postId]))
  const titles = await findTitles(tx, planner.userId, ids)
  const desk = await openDesk(tx, planner.userId)
  const planned: PlannedRow[] = []
  for (const row of rows)
    planned.push(await scheduleRow(tx, row, titles.get(row.postId ?? ''), { ...planner, desk }))
  return planned
}

class Previewed extends Error {
  readonly rows: PlannedRow[]

  constructor(rows: PlannedRow[]) {
    super('previewed')
    this.rows = rows
  }
}

/** The result that `schedulePlan` would have for these rows: schedules them, then rolls back. */
export async function previewPlan(db: Db, rows: readonly PlanRow[], planner: Planner): Promise<PlannedRow[]> {
  try {
    return await db.transaction().execute(async (tx): Promise<never> => {
      throw new Previewed(await schedulePlan(tx, rows, planner))
    })
  } catch (error) {
    if (error instanceof Previewed) return error.rows
    throw error
  }
}

/**
 * With its own title, else with the next of the post’s that breaks no rule, else with what the first one breaks. Where a
 * flair is asked for and none is named, it is the one that its person used there last.
 */
async function scheduleRow(
  tx: Tx,
  row: PlanRow,
  post: { titles: string[]; test_titles: boolean } | undefined,
  planner: Planner & { desk: Desk },
): Promise<PlannedRow> {
  if (row.problem || row.postId === null) return refused(row, row.title ?? '', row.problem ?? null)
  const tried =
    row.title === null && post
      ? inTurn(post.titles, post.test_titles ? await findUses(tx, row.postId) : null)
      : [row.title ?? '']
  let first: PlannedRow | null = null
  let wanted = row
  for (const title of tried) {
    let planned = await attempt(tx, wanted, row.postId, title, planner)
    if (breaks(planned, 'flair') && wanted.flairId === null) {
      const used = await findLastFlair(tx, { userId: planner.userId, subreddit: row.subreddit })
      if (used) {
        wanted = { ...row, ...used }
        planned = await attempt(tx, wanted, row.postId, title, planner)
      }
    }
    if (!breaks(planned, 'title-')) return planned
    first ??= planned
  }
  return first ?? refused(row, '', null)
}

/** Whether a row breaks a rule that begins so, be it the most important or another one. */
const breaks = ({ problem }: PlannedRow, rules: string) =>
  problem !== null && [problem, ...problem.others].some(({ rule }) => rule?.startsWith(rules))

async function attempt(
  tx: Tx,
  row: PlanRow,
  postId: string,
  title: string,
  { userId, publicUrl, now, slot, desk }: Planner & { desk: Desk },
): Promise<PlannedRow> {
  await sql`savepoint planned`.execute(tx)
  try {
    const item = await scheduleAt(tx, desk, {
      userId,
      postId,
      subreddit: row.subreddit,
      title: title === '' ? undefined : title,
      comment: row.comment ?? undefined,
      nsfw: row.nsfw ?? undefined,
      flairId: row.flairId,
      flairText: row.flairText,
      postTime: row.wanted,
      accountId: row.accountId ?? undefined,
      byHand: row.byHand,
      slot,
      publicUrl,
      now,
    })
    await sql`release savepoint planned`.execute(tx)
    return { ...row, title: item.title, flairText: item.flair_text, postTime: item.post_at, problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await sql`rollback to savepoint planned`.execute(tx)
    await sql`release savepoint planned`.execute(tx)
    return refused(row, title, problemOf(error))
  }
}

/** What is said of a row that can’t be scheduled. */
function problemOf(error: AppError): Problem {
  if (!(error instanceof RuleBroken)) return unruled(errors[error.code].text)
  const { verdict, others } = error
  const suggestion = [verdict, ...others].find((each) => each.suggestion !== null)?.suggestion ?? null
  return { ...reasonOf(verdict), suggestion, others: others.map(reasonOf) }
}
const reasonOf = ({ rule, message }: Reason): Reason => ({ rule, message })

/** A problem, or several, of which none is a rule of the subreddit. */
export const unruled = (message: string, ...others: string[]): Problem => ({
  ...{ rule: null, message, suggestion: null },
  others: others.map((other) => ({ rule: null, message: other })),
})

const refused = (row: PlanRow, title: string, problem: Problem | null): PlannedRow => ({
  ...row,
  title,
  postTime: null,
  problem: problem ?? unruled(errors.post_not_found.text),
})
