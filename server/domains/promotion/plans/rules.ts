import { CsvError, parse } from 'csv-parse/sync'
import { MAX_PLAN_ROWS } from '../../../../contract/promotion.ts'
import { momentOf } from '../../../../contract/wall-time.ts'
import { AppError } from '../../../errors.ts'

/** The columns of a plan’s file, in the order in which we write them. */
export const PLAN_COLUMNS = ['post', 'subreddit', 'title', 'time', 'comment', 'flair'] as const

/** A row of a file as it is written, with the line where it begins. */
export type FileRow = Record<(typeof PLAN_COLUMNS)[number], string> & { line: number }

/**
 * The rows of a CSV file whose first line names its columns, in any order and letters; other columns are left out.
 * Throws `plan_file_unreadable`, `plan_too_long`.
 */
export function readFile(text: string): FileRow[] {
  const records = parsed(text)
  const [header = [], ...rows] = records
  const names = header.map((name) => name.trim().toLowerCase())
  if (!names.includes('post') || !names.includes('subreddit')) throw new AppError('plan_file_unreadable')
  const filled = rows.flatMap((cells, index) =>
    cells.some((cell) => cell !== '') ? [{ cells, line: index + 2 }] : [],
  )
  if (filled.length === 0) throw new AppError('plan_file_unreadable')
  if (filled.length > MAX_PLAN_ROWS) throw new AppError('plan_too_long')
  return filled.map(({ cells, line }) => {
    const cellOf = (name: string) => unguarded(cells[names.indexOf(name)] ?? '')
    return {
      line,
      post: cellOf('post'),
      subreddit: cellOf('subreddit'),
      title: cellOf('title'),
      time: cellOf('time'),
      comment: cellOf('comment'),
      flair: cellOf('flair'),
    }
  })
}

function parsed(text: string): string[][] {
  // Spreadsheets of some countries put semicolons in place of commas.
  const [first = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].find((each) => first.includes(each)) ?? ','
  try {
    return parse(text, { bom: true, delimiter, trim: true, relax_column_count: true })
  } catch (error) {
    if (error instanceof CsvError) throw new AppError('plan_file_unreadable')
    throw error
  }
}

/** Without the mark that keeps a spreadsheet from taking our text for a formula (contract/csv.ts). */
const unguarded = (cell: string) => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell)

/** A moment as a file writes it: empty for the end of the queue, else ISO 8601 or a time on the wall; null for none. */
export function readTime(text: string, timeZone: string): Date | 'endOfQueue' | null {
  if (text === '') return 'endOfQueue'
  const wall = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?$/.exec(text)
  if (wall) return momentOf(`${wall[1]}T${wall[2]}`, timeZone)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? null : moment
}
