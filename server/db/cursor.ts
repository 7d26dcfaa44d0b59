import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { MAX_SKIP } from '../../contract/constants.ts'
import { AppError } from '../errors.ts'

export type PageRequest = { limit: number; skip?: number | undefined; cursor?: string | undefined }
export type Page<T> = { items: T[]; hasMore: boolean; nextCursor: string | null }

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})\|([0-9a-f-]{36})$/

/**
 * Keyset paging over (time, id), newest first: page 1,000 costs what page 1 costs. Times keep their microseconds,
 * which a JavaScript Date would lose, and with them rows; so the position travels as text made by `positionOf`.
 */
export function after(cursor: string, time: Expression<Date>, id: Expression<string>): Expression<SqlBool> {
  const match = POSITION.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match || Number.isNaN(Date.parse(`${match[1]}Z`))) throw new AppError('bad_cursor')
  return sql<SqlBool>`(${time}, ${id}) < (${`${match[1]}Z`}::timestamptz, ${match[2]}::uuid)`
}

/** The text that `after` reads, to be selected as the row's `position`. */
export function positionOf(time: Expression<Date>, id: Expression<string>): RawBuilder<string> {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '|' || ${id}`
}

/** How many rows to skip; beyond the limit it names the cursor (decisions §2). */
export function skipOf(page: PageRequest): number {
  if (page.cursor !== undefined || page.skip === undefined) return 0
  if (page.skip > MAX_SKIP) throw new AppError('skip_too_deep')
  return page.skip
}

/** Cuts `limit + 1` rows into a page with its next cursor. */
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
