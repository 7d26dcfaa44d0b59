import type { Output } from '../../../../contract/route.ts'
import type { planRoutes } from '../../../../contract/routes/promotion/plans.ts'
import { dayOf } from '../../../ui/format.ts'

export type PlannedRow = Output<typeof planRoutes.previewPlan>['rows'][number]

/** A row of the plan that is being made; `key` stays the same while it is changed. */
export type PlanRow = PlannedRow & { key: string; fileLine: number | null }

let keys = 0

/** Rows as they were answered first; those of a file keep its lines. */
export function initialRows(rows: readonly PlannedRow[], isFile: boolean): PlanRow[] {
  return rows.map((row) => ({ ...row, key: `${keys++}`, fileLine: isFile ? row.line : null }))
}

/** Whether it can be sent again: a file’s row that nobody can read is only told. */
export const isReadable = ({ postId }: PlannedRow) => postId !== null

/** A row as it is asked for; a title that was chosen for it stays. */
export function sent({ postId, subreddit, title, comment, nsfw, wanted, ...row }: PlanRow) {
  const { flairId, flairText, accountId, byHand } = row
  return {
    postId: postId ?? '',
    subreddit,
    ...(title === '' ? {} : { title }),
    comment,
    nsfw,
    flairId,
    flairText,
    accountId,
    byHand,
    postTime: wanted,
  }
}

/** The rows with what was answered for those that were sent, in the order of the sending. */
export function answered(rows: readonly PlanRow[], answers: readonly PlannedRow[]): PlanRow[] {
  const left = [...answers]
  return rows.map((row) => {
    const answer = isReadable(row) ? left.shift() : undefined
    return answer ? { ...answer, key: row.key, fileLine: row.fileLine } : row
  })
}

/** The rows in another order, each as likely as any other. */
export function shuffled<Row>(rows: readonly Row[], random: () => number = Math.random): Row[] {
  const next = [...rows]
  for (let last = next.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[next[last], next[other]] = [next[other] as Row, next[last] as Row]
  }
  return next
}

export type PlanDay = { day: string; rows: PlanRow[] }

/** The planned rows by day in the browser’s time zone, earliest first. */
export function byDay(rows: readonly PlanRow[]): PlanDay[] {
  const timed = rows
    .filter(({ postTime }) => postTime !== null)
    .sort((one, other) => Date.parse(one.postTime ?? '') - Date.parse(other.postTime ?? ''))
  const days = Map.groupBy(timed, ({ postTime }) => dayOf(postTime ?? ''))
  return [...days].map(([day, its]) => ({ day, rows: its }))
}

/** The places in the plan, from 1 on, of rows by their keys that have subreddit and title in common with another one. */
export function twinsOf(rows: readonly PlanRow[]): Map<string, number> {
  const placed = rows.map((row, index) => [row, index + 1] as const)
  const alike = Map.groupBy(placed, ([{ subreddit, title }]) => `${subreddit.toLowerCase()} ${title}`)
  return new Map(
    [...alike.values()]
      .filter((group) => group.length > 1)
      .flatMap((group) => group.map(([{ key }, place]) => [key, place] as const)),
  )
}
