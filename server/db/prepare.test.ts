import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { cloneTemplate } from '../testing/template.ts'
import { createDb, createPool, type Db } from './client.ts'
import { prepare } from './prepare.ts'

let database: { url: string; drop(): Promise<void> }
let db: Db
let built = 0

beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = createDb(createPool(database.url, { max: 2, onError: () => {} }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Values = { text: string | null; list: string[]; count: number; flag: boolean; at: Date }
const read = prepare((db, values: Values) => {
  built++
  return db.selectNoFrom([
    sql<string | null>`${values.text === null ? 'none' : values.text}::text`.as('text'),
    sql<string[]>`${values.list}::text[]`.as('list'),
    sql<number>`${sql.lit(values.count)}`.as('count'),
    sql<boolean>`${values.flag ? sql`true` : sql`false`}`.as('flag'),
    sql<Date>`${values.at}::timestamptz`.as('at'),
  ])
})

it('gives every call its own values, and builds once for each shape of them', async () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  const values = { text: 'one', list: [], count: 1, flag: true, at }
  const calls: Values[] = [
    values,
    { ...values, text: 'two', at: new Date(0) },
    { ...values, text: `'; drop table users; --` },
    { ...values, text: null },
    { ...values, count: 2 },
    { ...values, flag: false },
  ]
  built = 0
  for (const call of [...calls, ...calls]) {
    const [row] = await read(db, call)
    expect(row).toEqual({ ...call, text: call.text ?? 'none' })
  }
  expect(built).toBe(4)
})

it('fills in lists of every length', async () => {
  const list = prepare((db, { ids }: { ids: string[] }) =>
    db.selectNoFrom([
      sql<string[]>`${ids}::text[]`.as('whole'),
      sql<string[]>`array[${sql.join(ids)}]::text[]`.as('parts'),
    ]),
  )
  for (const ids of [['a'], ['b'], ['c', 'd'], ['e', 'f']])
    expect(await list(db, { ids })).toEqual([{ whole: ids, parts: ids }])
})
