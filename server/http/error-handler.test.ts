import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../testing/harness.ts'
import { toAppError } from './error-handler.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test.each([
  ['NUL in text', sql`select ${'a\u0000'}::text`],
  ['NUL in JSON', sql`select ${'"\\u0000"'}::jsonb`],
  ['half a character in JSON', sql`select ${'"\\ud83d"'}::jsonb`],
  ['a number out of range', sql`select ${'99999999999'}::integer`],
  ['text that is no uuid', sql`select ${'none'}::uuid`],
  ['a day that is none', sql`select ${'2030-02-30'}::date`],
])('%s is bad input, not our failure', async (_what, statement) => {
  const thrown = await statement.execute(harness.context.db).catch((error: unknown) => error)
  expect(toAppError(thrown)).toMatchObject({ code: 'invalid_input' })
})
