import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneTemplate } from '../testing/template.ts'
import { createDb, createPool, type Db, inOneWrite, run } from './client.ts'

let database: { url: string; drop(): Promise<void> }
let db: Db
const broken: Error[] = []
beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = createDb(createPool(database.url, { max: 1, onError: (error) => broken.push(error) }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const read = (text: string) =>
  run(
    db,
    sql<{
      value: string
      process: number
    }>`select ${text}::text as value, pg_backend_pid() as process`.compile(db),
  )
const divide = (by: number) => run(db, sql<{ value: number }>`select 1 / ${by}::int as value`.compile(db))

describe('queries that share a connection', () => {
  it('each get their own rows, and one that fails fails alone', async () => {
    const asked = Array.from({ length: 200 }, (_, at) => (at % 7 === 0 ? divide(0) : read(`number ${at}`)))
    const answers = await Promise.allSettled(asked)
    const processes = new Set<number>()
    for (const [at, answer] of answers.entries()) {
      if (at % 7 === 0) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
      else {
        expect(answer).toMatchObject({ status: 'fulfilled', value: [{ value: `number ${at}` }] })
        if (answer.status === 'fulfilled')
          processes.add((answer.value as { process: number }[])[0]?.process ?? 0)
      }
    }
    expect(processes.size).toBe(2)
  })

  it('go by one connection where they are asked in one write, and fail by themselves there too', async () => {
    for (let round = 0; round < 4; round++) {
      const asked: Promise<{ value: string | number; process?: number }[]>[] = []
      inOneWrite(db, () => asked.push(read('one'), divide(0), read('other')))
      const answers = await Promise.allSettled(asked)
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      const processes = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      expect(new Set(processes.map(({ process }) => process)).size).toBe(1)
    }
  })

  it('fail where no connection can be made, and throw at nobody who awaits none of them', async () => {
    const address = `${database.url}?sslmode=verify-ca&sslrootcert=/nowhere/root.crt`
    const other = createDb(createPool(address, { max: 1, onError: () => {} }))
    const asked: Promise<unknown>[] = []
    inOneWrite(other, () => asked.push(run(other, sql`select 1`.compile(other))))
    expect(await Promise.allSettled(asked)).toMatchObject([
      { status: 'rejected', reason: { code: 'ENOENT' } },
    ])
    await other.destroy()
  })

  it('go on over new connections when theirs are ended', async () => {
    const [before] = [...(await read('before')), ...(await read('before'))]
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    const again = async (): Promise<number> => {
      try {
        return (await read('again'))[0]?.process ?? 0
      } catch {
        return again()
      }
    }
    expect(await again()).not.toBe(before?.process)
    expect(broken.length).toBeGreaterThan(0)
  })

  it('are answered before the connections are closed', async () => {
    const other = createDb(createPool(database.url, { max: 1, onError: () => {} }))
    const asked = Array.from({ length: 20 }, () =>
      run(other, sql<{ one: number }>`select 1 as one`.compile(other)),
    )
    await other.destroy()
    expect(await Promise.all(asked)).toEqual(Array(20).fill([{ one: 1 }]))
  })
})
