import { z } from 'zod'
import { MAX_PAGE_SIZE, PAGE_SIZE } from './constants.ts'
// Each limit of every call has a sentence.
import './limit-errors.ts'
import { NO_MONEY, parseMoney } from './money.ts'
import { todaysZone } from './time-zones.ts'
import { isOfOurYears, WRONG_YEAR } from './wall-time.ts'

/** UUID of anything; on the wire under `_id`. */
export const Id = z.uuid('We couldn’t find that.')
/** A moment: ISO 8601, UTC; of a year that people may mean. */
export const Moment = z.iso.datetime('Enter a valid date and time.').refine(isOfOurYears, WRONG_YEAR)
/** A calendar day, `2026-11-21`, of a year that people may mean. */
export const Day = z.iso.date('Enter a valid date.').refine(isOfOurYears, WRONG_YEAR)
/** The name of a time zone, such as `America/New_York`; an old name becomes today's. */
export const TimeZone = z
  .string()
  .max(64)
  // Not an offset, which has no daylight saving time, nor an abbreviation that means another clock elsewhere, as IST or CET.
  .regex(
    /^(UTC|GMT|[EMH]ST|EST5EDT|CST6CDT|MST7MDT|PST8PDT|[A-Za-z][\w+-]*(\/[\w+-]+)+)$/,
    'Enter a valid time zone.',
  )
  .refine(isTimeZone, 'Enter a valid time zone.')
  .overwrite(todaysZone)
/** Money text as it is sent; answers use the same form. */
export const Money = z
  .string()
  .max(20)
  .refine((text) => parseMoney(text) !== null, NO_MONEY)
/** Money text of more than nothing. */
export const PositiveMoney = Money.refine((text) => parseMoney(text) !== 0, 'Enter an amount above $0.')
/** A boolean in a query: `true` or `false`. */
export const QueryBoolean = z.enum(['true', 'false']).transform((text) => text === 'true')
/** A repeated key of a query: one value or many (docs/product.md, Calls). */
export function repeated<T extends z.ZodType>(item: T, max = 100) {
  return z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(item).max(max),
    )
    .default([])
}

/**
 * The query of every list: `limit`, and either `cursor`, which continues after the last item, or `skip`, which leaves
 * out a number of items.
 */
export const Page = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(PAGE_SIZE),
  skip: z.coerce.number().int().min(0).optional(),
  cursor: z.string().max(300).optional(),
})

/** The answer of every list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), hasMore: z.boolean(), nextCursor: z.string().nullable() })
}

/** One line of text without control characters, trimmed. */
export function line(max: number) {
  return z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'Use plain text only.')
}

/** Several lines of text, trimmed; NUL and other control characters but line breaks and tabs refused. */
export function paragraph(max: number) {
  return z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'Use plain text only.')
}

/** Why an operator did something, for the audit log. */
export const Reason = paragraph(500).min(3, 'Enter a reason of at least 3 characters.')

export const Success = z.object({ success: z.literal(true) })

function isTimeZone(name: string): boolean {
  // Known to ICU alone: a query that names one of these fails in the database.
  if (/^(SystemV\/|US\/Pacific-New$)/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
