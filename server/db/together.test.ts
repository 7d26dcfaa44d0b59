import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { cloneTemplate } from '../testing/template.ts'
import { createDb, createPool, type Pool } from './client.ts'
import { prepareTogether } from './together.ts'

let database: { url: string; drop(): Promise<void> }
let db: Pool

beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = createDb(createPool(database.url, { max: 2, onError: () => {} }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Values = { id: string; text: string | null; at: Date; shown: boolean }

/** As many rows as the text has letters, and the statement that answered. */
const read = prepareTogether(
  { id: 'uuid', text: 'text', at: 'timestamptz' },
  (_db, values: Values) =>
    sql<{ id: string; text: string | null; at: Date; shown: boolean; statement: string }>`(
    select ${values.id} as id, ${values.text}::text as text, ${values.at} as at, ${sql.lit(values.shown)} as shown,
      txid_current()::text as statement
    from generate_series(1, coalesce(length(${values.text}), 1))
  )`,
)
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const callOf = (n: number, text: string | null, shown = true): Values => ({
  id: idOf(n),
  text,
  at: new Date(n * 1000),
  shown,
})

it('gives each call of a turn its own rows, by one statement for those of one shape', async () => {
  const calls = [callOf(1, 'a'), callOf(2, ''), callOf(3, `'";`), callOf(1, 'b', false), callOf(4, null)]
  const answers = await Promise.all(calls.map((call) => read(db, call)))
  for (const [at, rows] of answers.entries()) {
    const { text } = calls[at] as Values
    expect(rows.map(({ statement: _, ...row }) => row)).toEqual(Array(text?.length ?? 1).fill(calls[at]))
  }
  const statements = answers.map(([row]) => row?.statement)
  expect(statements[2]).toBe(statements[0])
  expect(new Set(statements.filter((statement) => statement !== undefined)).size).toBe(3)
})

it('asks different queries of one turn over one connection, one after the other', async () => {
  const processOf = () =>
    prepareTogether(
      { name: 'text' },
      (_db, values: { name: string }) =>
        sql<{ name: string; process: number }>`(select ${values.name} as name, pg_backend_pid() as process)`,
    )
  const [session, access] = [processOf(), processOf()]
  for (let round = 0; round < 4; round++) {
    const [[one], [other]] = await Promise.all([session(db, { name: 'a' }), access(db, { name: 'b' })])
    expect([one?.name, other?.name]).toEqual(['a', 'b'])
    expect(one?.process).toBe(other?.process)
  }
})

it('asks anew at every turn, inside the transaction of who asks', async () => {
  const [first] = await read(db, callOf(1, 'a'))
  const [second] = await read(db, callOf(1, 'a'))
  expect(second?.statement).not.toBe(first?.statement)
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ own: string }>`select txid_current()::text as own`.execute(tx)
    const [one, [other]] = await Promise.all([read(tx, callOf(1, 'a')), read(db, callOf(1, 'a'))])
    expect(one[0]?.statement).toBe(rows[0]?.own)
    expect(other?.statement).not.toBe(rows[0]?.own)
  })
})

it('answers a crowd of one turn', async () => {
  const calls = Array.from({ length: 120 }, (_, n) => callOf(n, 'a'))
  const answers = await Promise.all(calls.map((call) => read(db, call)))
  expect(answers.map(([row]) => row?.id)).toEqual(calls.map(({ id }) => id))
})

it('fails every call of a statement that fails, and none of the next turn', async () => {
  const calls = [callOf(1, 'a'), { ...callOf(2, 'b'), id: 'no id' }]
  const outcomes = await Promise.allSettled(calls.map((call) => read(db, call)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read(db, callOf(1, 'a'))).toHaveLength(1)
})
