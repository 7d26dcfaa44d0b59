import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { after, afterRank, rowsFor, toPage } from './cursor.ts'

const ID = '01890000-0000-7000-8000-00000000abcd'
const cursorOf = (position: string) => Buffer.from(position, 'latin1').toString('base64url')
const byTime = (position: string) => after(cursorOf(position), sql`t`, sql`id`)
const byRank = (position: string) => afterRank(cursorOf(position), sql`r`, sql`id`)

describe('a cursor', () => {
  it.each([
    `2026-02-28 23:59:59.123456+00|${ID}`,
    `9999-12-31 00:00:00+00|${ID}`,
    `2026-02-28 23:59:59.5-07:30|${ID}`,
  ])('by time is %s', (position) => {
    expect(() => byTime(position)).not.toThrow()
  })

  it.each([`1780000000|${ID}`, `-1.5|${ID}`, `0.${'1'.repeat(100)}|${ID}`])('by rank is %s', (position) => {
    expect(() => byRank(position)).not.toThrow()
  })

  it.each([
    '',
    ID,
    `2026-02-30 00:00:00.000000+00|${ID}`,
    `2026-01-01 24:00:00.000000+00|${ID}`,
    `2026-13-01 00:00:00.000000+00|${ID}`,
    `0000-01-01 00:00:00.000000+00|${ID}`,
    `2026-01-01 00:00:00.000000+00|${'-'.repeat(36)}`,
    `2026-01-01 00:00:00.000000+00|${ID} `,
    `2026-01-01 00:00:00.000000|${ID}`,
    `2026-01-01 00:00:00+99|${ID}`,
    `2026-01-01 00:00:00+00:99|${ID}`,
    `1780000000|${ID}`,
  ])('by time is not %j', (position) => {
    expect(() => byTime(position)).toThrow(expect.objectContaining({ code: 'bad_cursor' }))
  })

  it.each([
    '',
    `NaN|${ID}`,
    `1e9|${ID}`,
    `1.|${ID}`,
    `.5|${ID}`,
    `${'1'.repeat(21)}|${ID}`,
    `0.${'1'.repeat(101)}|${ID}`,
    `1|${'f'.repeat(36)}`,
    `1|${ID}|`,
    `2026-01-01 00:00:00.000000+00|${ID}`,
  ])('by rank is not %j', (position) => {
    expect(() => byRank(position)).toThrow(expect.objectContaining({ code: 'bad_cursor' }))
  })

  it('of anything is refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const read of [after, afterRank])
          expect(() => read(text, sql`t`, sql`id`)).toThrow(expect.objectContaining({ code: 'bad_cursor' }))
      }),
    )
  })

  it.each([
    [1, 16],
    [15, 16],
    [16, 31],
    [60, 61],
    [61, 121],
  ])('of a page of %i is found among %i rows', (limit, rows) => {
    expect(rowsFor({ limit })).toBe(rows)
  })

  it('that a page gives is read again', () => {
    const rows = [{ position: `1.5|${ID}` }, { position: `1|${ID}` }]
    const { items, hasMore, nextCursor } = toPage(rows, { limit: 1 }, (row) => row.position)
    expect([items, hasMore]).toEqual([[`1.5|${ID}`], true])
    expect(() => afterRank(nextCursor ?? '', sql`r`, sql`id`)).not.toThrow()
  })
})
