import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { MAX_SKIP, PAGE_SIZE } from '../../contract/constants.ts'
import { AppError } from '../errors.ts'

export type PageRequest = { limit: number; skip?: number | undefined; cursor?: string | undefined }
export type Page<T> = { items: T[]; hasMore: boolean; nextCursor: string | null }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
// As the database writes a time: `2026-11-21 16:21:45.544242+00`.
const TIME = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?[+-](?:0\\d|1[0-5])(?::[0-5]\\d)?'
const TIME_POSITION = new RegExp(`^(${TIME})\\|(${UUID})$`)
const TIMES_POSITION = new RegExp(`^(${TIME})\\|(${TIME})\\|(${UUID})$`)
const ID_POSITION = new RegExp(`^(${UUID})$`)
const RANK_POSITION = new RegExp(`^(-?\\d{1,20}(?:\\.\\d{1,100})?)\\|(${UUID})$`)

/**
 * Keyset paging over (time, id), newest first: page 1,000 costs what page 1 costs. Times keep their microseconds,
 * which a JavaScript Date would lose, and with them rows; so the position travels as text made by `positionOf`.
 */
export function after(cursor: string, time: Expression<Date>, id: Expression<string>): Expression<SqlBool> {
  return behind(timeAndId(cursor), time, id)
}

/** The position that a cursor of times names; throws `bad_cursor`. */
export function timeAndId(cursor: string): { time: string; id: string } {
  const [moment, id] = partsOf(cursor, TIME_POSITION)
  if (!isMoment(moment)) throw new AppError('bad_cursor')
  return { time: moment, id }
}

/** The position that a cursor of two times names, `time|time|id`; throws `bad_cursor`. */
export function timesAndId(cursor: string): { times: [string, string]; id: string } {
  const [first, second, id] = partsOf(cursor, TIMES_POSITION)
  if (!isMoment(first) || !isMoment(second)) throw new AppError('bad_cursor')
  return { times: [first, second], id }
}

/** Whether a row stands behind this position, newest first. */
export function behind(last: { time: string; id: string }, time: Expression<Date>, id: Expression<string>) {
  return sql<SqlBool>`(${time}, ${id}) < (${last.time}::timestamptz, ${last.id}::uuid)`
}

/** Whether a row stands behind this position, oldest first. */
export function ahead(last: { time: string; id: string }, time: Expression<Date>, id: Expression<string>) {
  return sql<SqlBool>`(${time}, ${id}) > (${last.time}::timestamptz, ${last.id}::uuid)`
}

/** The text that `after` reads, to be selected as the row's `position`. */
export function positionOf(time: Expression<Date>, id: Expression<string>): RawBuilder<string> {
  return sql<string>`${time} || '|' || ${id}`
}

/** Keyset paging over (rank, id), highest first; ranks are decimal numbers of any length, so they travel as text too. */
export function afterRank(cursor: string, rank: Expression<string>, id: Expression<string>) {
  return behindRank(rankAndId(cursor), rank, id)
}

/** The position that a cursor of ranks names; throws `bad_cursor`. */
export function rankAndId(cursor: string): { rank: string; id: string } {
  const [rank, id] = partsOf(cursor, RANK_POSITION)
  return { rank, id }
}

/** The id that a cursor of nothing else names, where what a list stands by is not told; throws `bad_cursor`. */
export function idIn(cursor: string): string {
  return partsOf(cursor, ID_POSITION)[0]
}

/** Whether a row stands behind this position, highest first. */
export function behindRank(
  last: { rank: string; id: string },
  rank: Expression<string>,
  id: Expression<string>,
) {
  return sql<SqlBool>`(${rank}, ${id}) < (${last.rank}::numeric, ${last.id}::uuid)`
}

/** The text that `afterRank` reads, to be selected as the row's `position`. */
export function rankPositionOf(rank: Expression<string>, id: Expression<string>): RawBuilder<string> {
  return sql<string>`${rank} || '|' || ${id}`
}

/** The parts of a position of this form; `bad_cursor` for anything else. */
function partsOf(cursor: string, form: RegExp): [string, string, string] {
  const parts = form.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!parts) throw new AppError('bad_cursor')
  return [parts[1] ?? '', parts[2] ?? '', parts[3] ?? '']
}

/** Whether a calendar has this moment: 30 February has the form of one. */
function isMoment(text: string): boolean {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  const time = Date.parse(`${seconds}Z`)
  return !text.startsWith('0000') && !Number.isNaN(time) && new Date(time).toISOString().startsWith(seconds)
}

/** How many rows to skip; beyond the limit it names the cursor (docs/product.md, Calls). */
export function skipOf(page: PageRequest): number {
  if (page.cursor !== undefined || page.skip === undefined) return 0
  if (page.skip > MAX_SKIP) throw new AppError('skip_too_deep')
  return page.skip
}

/**
 * How many rows to read for a page: one more than a few sizes of pages have, so that a query with a literal limit has few
 * texts to be prepared, whatever limits are asked for.
 */
export function rowsFor({ limit }: PageRequest): number {
  return PAGE_SIZE * 2 ** Math.max(0, Math.ceil(Math.log2(limit / PAGE_SIZE))) + 1
}

/** Cuts rows, of which there is at least one more where another page follows, into a page with its next cursor. */
export function toPage<Row extends { position: string }, Item>(
  rows: Row[],
  page: PageRequest,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, page.limit)
  const hasMore = rows.length > page.limit
  const last = shown.at(-1)
  return {
    items: shown.map(present),
    hasMore,
    nextCursor: hasMore && last ? Buffer.from(last.position, 'latin1').toString('base64url') : null,
  }
}
