import { MAX_PLAN_ROWS } from '../../../../../contract/promotion.ts'
import { isOfOurYears, momentOf, momentsOf, wallTime } from '../../../../../contract/wall-time.ts'

/** The columns of a plan’s file, in the order in which we write them. */
export const PLAN_COLUMNS = [
  'post',
  'subreddit',
  'title',
  'time',
  'comment',
  'flair',
  'flair text',
  'account',
  'nsfw',
] as const
/** Stands in the account's column for a row posted by hand; no account can have this name. */
export const BY_HAND = 'by hand'

/** The cells of a record, and the line where it begins. */
export type FileRecord = { cells: readonly string[]; line: number }

/** A row of a file as it is written, with the line where it begins; `comment` is null where the file has none for it. */
export type FileRow = Record<Exclude<(typeof PLAN_COLUMNS)[number], 'comment'>, string> & {
  comment: string | null
  line: number
}

/**
 * The rows of a file whose first record names its columns, in any order and letters; other columns are left out. Or why
 * they can’t be read.
 */
export function rowsOf(records: readonly FileRecord[]): FileRow[] | 'unreadable' | 'too-long' {
  const [header, ...rows] = records
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  if (!names.includes('post') || !names.includes('subreddit')) return 'unreadable'
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (filled.length === 0) return 'unreadable'
  if (filled.length > MAX_PLAN_ROWS) return 'too-long'
  return filled.map(({ cells, line }) => {
    const givenOf = (name: string) => cells[names.indexOf(name)]
    const cellOf = (name: string) => unguarded(givenOf(name) ?? '')
    return {
      line,
      post: cellOf('post'),
      subreddit: cellOf('subreddit'),
      title: cellOf('title'),
      time: cellOf('time'),
      comment: givenOf('comment') === undefined ? null : cellOf('comment'),
      flair: cellOf('flair'),
      'flair text': cellOf('flair text'),
      account: cellOf('account'),
      nsfw: cellOf('nsfw'),
    }
  })
}

/** The separators of cells: spreadsheets of some countries write semicolons instead of commas. */
export function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  return [',', ';', '\t'].find((each) => first.includes(each)) ?? ','
}

/** Without the mark that keeps a spreadsheet from taking our text for a formula (contract/csv.ts). */
const unguarded = (cell: string) => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

const MARKS = new Map([
  ['', null],
  ...['yes', 'true', '1'].map((word) => [word, true] as const),
  ...['no', 'false', '0'].map((word) => [word, false] as const),
])

/** Whether a cell says that a post is marked NSFW; null where it is empty, undefined where it says neither. */
export const readMark = (text: string): boolean | null | undefined => MARKS.get(text.toLowerCase())

/** A moment as a file writes it: empty for the end of the queue, else ISO 8601 or a time on the wall; null for none. */
export function readTime(text: string, timeZone: string): Date | 'endOfQueue' | null {
  if (text === '') return 'endOfQueue'
  const wall = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?$/.exec(text)
  if (wall) return momentOf(`${wall[1]}T${wall[2]}`, timeZone)
  if (!isOfOurYears(text) || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(text))
    return null
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** A moment as we write it into a file: of a time that comes twice on the wall, the second in UTC, as the wall means the first. */
export function writtenTime(moment: Date, timeZone: string): string {
  const wall = wallTime(moment, timeZone)
  const [, second] = momentsOf(wall, timeZone)
  return second && moment >= second ? `${moment.toISOString().slice(0, 16)}Z` : wall.replace('T', ' ')
}
