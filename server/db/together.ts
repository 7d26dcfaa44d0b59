import { type Expression, sql } from 'kysely'
import { type Db, inOneWrite } from './client.ts'
import { prepare, shapeOf } from './prepare.ts'

type Value = string | Date | number | boolean | null
type Call<Values, Row> = PromiseWithResolvers<Row[]> & { values: Values }

/** Calls that one statement answers at most, so that a crowd’s go side by side on the connections there are. */
const MAX_TOGETHER = 50

/** Statements that are quick one after the other; more go side by side on the connections there are. */
const FEW = 4

type Statement = () => void

const dueAt = new WeakMap<Db, (() => Statement[])[]>()

/** Asks these statements at the end of the event loop's turn, by one write with what else is asked then. */
function askAtTurnEnd(db: Db, take: () => Statement[]): void {
  const due = dueAt.get(db)
  if (due) {
    due.push(take)
    return
  }
  const takes = [take]
  dueAt.set(db, takes)
  setImmediate(() => {
    dueAt.delete(db)
    const statements = takes.flatMap((each) => each())
    const askAll = () => {
      for (const ask of statements) ask()
    }
    if (statements.length > FEW) askAll()
    else inOneWrite(db, askAll)
  })
}

/**
 * A query that calls of one turn of the event loop ask by one statement, each with its own values: most of what a short
 * query costs, here and at the database, is that it is one. Nothing is kept for a later call. `types` says which values
 * are filled in at the call, as what; the others, and which of these are null, are the shape by which `build` may decide, as in
 * `prepare`.
 */
export function prepareTogether<Values extends Record<string, Value>, Row extends object>(
  types: Partial<Record<keyof Values & string, 'uuid' | 'text' | 'timestamptz'>>,
  build: (db: Db, values: Values) => Expression<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const waitingAt = new WeakMap<Db, Map<string, Call<Values, Row>[]>>()

  const read = prepare((db, { calls, ...shape }: Values & { calls: string }) => {
    const columns = Object.entries<string | undefined>(types).filter(([name]) => shape[name] !== null)
    const filledIn = columns.map(([name]) => [name, sql.ref(`call.${name}`)])
    const query = build(db, { ...shape, ...Object.fromEntries(filledIn) } as Values)
    const columnList = columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type ?? '')}`)
    return {
      // `offset 0` keeps each a query of its own, of a few probes of indexes.
      compile: () =>
        sql<Row & { call_place: number }>`
          select call.call_place, found.*
          from json_to_recordset(${calls}::json) as call (call_place int, ${sql.join(columnList)})
            cross join lateral (select * from ${query} as one offset 0) as found`.compile(db),
    }
  })

  async function answer(db: Db, calls: Call<Values, Row>[]): Promise<void> {
    const [first] = calls
    if (!first) return
    try {
      const asked = calls.map(({ values }, place) => ({ ...values, call_place: place }))
      const rows = await read(db, { ...first.values, calls: JSON.stringify(asked) })
      const found = calls.map((): Row[] => [])
      for (const { call_place: place, ...row } of rows) found[place]?.push(row as unknown as Row)
      for (const [place, { resolve }] of calls.entries()) resolve(found[place] ?? [])
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  function takeWaiting(db: Db): Statement[] {
    const waiting = [...(waitingAt.get(db)?.values() ?? [])]
    waitingAt.delete(db)
    return waiting.flatMap((calls) => {
      const starts = calls.map((_, at) => at).filter((at) => at % MAX_TOGETHER === 0)
      return starts.map((at) => () => void answer(db, calls.slice(at, at + MAX_TOGETHER)))
    })
  }

  return (db, values) => {
    let waiting = waitingAt.get(db)
    if (!waiting) {
      waiting = new Map()
      waitingAt.set(db, waiting)
      askAtTurnEnd(db, () => takeWaiting(db))
    }
    const call = { values, ...Promise.withResolvers<Row[]>() }
    const shape = shapeOf(values)
    const others = waiting.get(shape)
    if (others) others.push(call)
    else waiting.set(shape, [call])
    return call.promise
  }
}
