import { Id } from '../../../../contract/schemas.ts'
import type { Db } from '../../../db/client.ts'
import { findQueue } from '../schedule/data.ts'
import type { PlanRow } from './actions.ts'
import { findByTitles, findFlair, findTitles } from './data.ts'
import { type FileRow, readFile, readTime } from './rules.ts'

/** What the rows of a CSV file mean for somebody: which post, which flair, which moment, or why nobody can tell. */
export async function readPlan(db: Db, userId: string, text: string): Promise<PlanRow[]> {
  const rows = readFile(text)
  const [queue, postOf, flairIn] = [
    await findQueue(db, userId),
    await findPosts(db, userId, rows),
    await findFlair(
      db,
      rows.map((row) => plainName(row.subreddit)),
    ),
  ]
  return rows.map((row) => {
    const subreddit = plainName(row.subreddit)
    const moment = readTime(row.time, queue.time_zone)
    const flair = row.flair === '' ? null : flairOf(row.flair, flairIn.get(subreddit.toLowerCase()))
    const posts = postOf(row.post)
    const message =
      posts.length === 0
        ? `You have no post “${row.post}”.`
        : posts.length > 1
          ? `Several of your posts have the title “${row.post}”. Name one by its ID.`
          : !flairIn.has(subreddit.toLowerCase())
            ? `We don’t track r/${subreddit}.`
            : moment === null
              ? `We can’t read the time “${row.time}”. Write it as 2026-11-30 18:15.`
              : flair === undefined
                ? `r/${subreddit} doesn’t offer the flair “${row.flair}”.`
                : null
    return {
      line: row.line,
      postId: message === null ? (posts[0] ?? null) : null,
      subreddit,
      title: row.title === '' ? null : row.title,
      comment: row.comment === '' ? null : row.comment,
      flairId: flair ?? null,
      wanted: moment instanceof Date ? moment.toISOString() : 'endOfQueue',
      ...(message === null ? {} : { problem: { rule: null, message, suggestion: null } }),
    }
  })
}

const plainName = (typed: string) => typed.replace(/^\/?r\//i, '')

/** A flair by its id or its words; undefined where there is none. */
function flairOf(
  typed: string,
  flair: Awaited<ReturnType<typeof findFlair>> extends Map<string, infer F> ? F | undefined : never,
) {
  const wanted = typed.toLowerCase()
  return flair?.find(({ id, text }) => id === typed || text.toLowerCase() === wanted)?.id
}

/** Which posts a cell names, by their id or by one of their titles. */
async function findPosts(db: Db, userId: string, rows: readonly FileRow[]) {
  const cells = rows.map(({ post }) => post)
  const known = await findTitles(
    db,
    userId,
    cells.filter((cell) => Id.safeParse(cell).success),
  )
  const titled = await findByTitles(db, userId, cells)
  return (cell: string) =>
    known.has(cell) ? [cell] : titled.flatMap(({ id, titles }) => (titles.includes(cell) ? [id] : []))
}
