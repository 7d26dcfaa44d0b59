import { CsvError, parse } from 'csv-parse/sync'
import type { Flair } from '../../../../../contract/forum.ts'
import { cleanSubredditName, MAX_FLAIR_LENGTH } from '../../../../../contract/promotion.ts'
import { Id } from '../../../../../contract/schemas.ts'
import type { Db } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { findQueue, listPosters } from '../../schedule/data.ts'
import { type PlanRow, unruled } from '../actions.ts'
import { findByTitles, findFlair, findTitles } from '../data.ts'
import { BY_HAND, delimiterOf, type FileRecord, type FileRow, readMark, readTime, rowsOf } from './rules.ts'

type Poster = Pick<PlanRow, 'accountId' | 'byHand'>

/**
 * The meaning of a CSV file's rows for a person: post, flair, time and poster, or the reason why a row can't be read;
 * `poster` is for rows that name none. Throws `plan_file_unreadable`, `plan_too_long`.
 */
export async function readPlan(
  db: Db,
  { userId, text, poster: usual }: { userId: string; text: string; poster: Poster },
): Promise<PlanRow[]> {
  const rows = rowsOf(parsed(text))
  if (rows === 'unreadable') throw new AppError('plan_file_unreadable')
  if (rows === 'too-long') throw new AppError('plan_too_long')
  const [queue, accounts, postOf, flairIn] = [
    await findQueue(db, userId),
    await listPosters(db, userId),
    await findPosts(db, userId, rows),
    await findFlair(
      db,
      rows.map((row) => cleanSubredditName(row.subreddit)),
    ),
  ]
  return rows.map((row) => {
    const subreddit = cleanSubredditName(row.subreddit)
    const moment = readTime(row.time, queue.time_zone)
    const offered = flairIn.get(subreddit.toLowerCase())
    const flair = row.flair === '' ? null : flairOf(row.flair, offered)
    const nsfw = readMark(row.nsfw)
    const poster = row.account === '' ? usual : posterOf(row.account, accounts)
    const posts = postOf(row.post)
    const [message, ...others] = [
      ...(posts.length === 0 ? [`You have no post “${row.post}”.`] : []),
      ...(posts.length > 1
        ? [`Several of your posts have the title “${row.post}”. Name one by its ID.`]
        : []),
      ...(flairIn.has(subreddit.toLowerCase()) ? [] : [`We don’t track r/${subreddit}.`]),
      ...(moment === null ? [`We can’t read the time “${row.time}”. Write it as 2026-11-30 18:15.`] : []),
      ...(flair === undefined && flairIn.has(subreddit.toLowerCase())
        ? [
            offered
              ? `r/${subreddit} doesn’t offer the flair “${row.flair}”.`
              : `We couldn’t read which flair r/${subreddit} offers. Name “${row.flair}” by its ID, or try later.`,
          ]
        : []),
      ...(poster === undefined ? [`You have no forum account “${row.account}”.`] : []),
      ...(nsfw === undefined
        ? [`We can’t tell whether “${row.nsfw}” marks this post NSFW. Write yes or no.`]
        : []),
    ]
    return {
      line: row.line,
      postId: message === undefined ? (posts[0] ?? null) : null,
      subreddit,
      title: row.title === '' ? null : row.title,
      comment: row.comment,
      nsfw: nsfw ?? null,
      flairId: flair ?? null,
      flairText: row['flair text'] === '' ? null : row['flair text'].slice(0, MAX_FLAIR_LENGTH),
      ...(poster ?? usual),
      wanted: moment instanceof Date ? moment.toISOString() : 'endOfQueue',
      ...(message === undefined ? {} : { problem: unruled(message, ...others) }),
    }
  })
}

function parsed(file: string): FileRecord[] {
  // The parser takes the line breaks of Windows for two where they are quoted.
  const text = file.replaceAll('\r\n', '\n')
  /** Where each record ends. */
  const ends: number[] = []
  try {
    const records = parse(text, {
      ...{ bom: true, delimiter: delimiterOf(text), trim: true, relax_column_count: true },
      on_record: (record, { lines }) => {
        ends.push(lines)
        return record
      },
    })
    return records.map((cells, index) => ({ cells, line: (ends[index - 1] ?? 0) + 1 }))
  } catch (error) {
    if (error instanceof CsvError) throw new AppError('plan_file_unreadable')
    throw error
  }
}

/** The account that a cell names; undefined if it is none of these. */
function posterOf(typed: string, accounts: readonly { id: string; name: string }[]): Poster | undefined {
  if (typed.toLowerCase() === BY_HAND) return { accountId: null, byHand: true }
  const wanted = typed.replace(/^\/?u\//i, '').toLowerCase()
  const account = accounts.find(({ name }) => name.toLowerCase() === wanted)
  return account && { accountId: account.id, byHand: false }
}

/** A flair by its id or its words; undefined where there is none, or where what is offered isn’t known and it is no id. */
function flairOf(typed: string, flair: Flair[] | null | undefined) {
  const wanted = typed.toLowerCase()
  if (!flair) return Id.safeParse(typed).success ? typed : undefined
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
