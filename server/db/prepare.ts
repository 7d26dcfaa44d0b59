import type { Compilable, CompiledQuery } from 'kysely'
import { type Db, run } from './client.ts'

type Value = string | Date | number | boolean | null | string[]

/** Stands in a compiled query for a text or a time that each call brings. */
class Slot {
  readonly name: string
  /** Of a list the place in it. */
  readonly at: number | null

  constructor(name: string, at: number | null) {
    this.name = name
    this.at = at
  }
}

/** More shapes than a list ever has; the compiled text of what goes beyond is not kept. */
const MAX_SHAPES = 300

/**
 * A query that is built and compiled once for every shape of its values, as building one at each call costs as much
 * as the database's work. Texts and times are filled in at the call. Numbers, booleans, null, and the length of a
 * list are the shape, so `build` may decide by them, but never by the content of a text.
 */
export function prepare<Values extends Record<string, Value>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const compile = compileOnce(build)
  return (db, values) => run(db, compile(db, values))
}

/** The same query without asking it, for what takes longer than `run` is for. */
export function compileOnce<Values extends Record<string, Value>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => CompiledQuery<Row> {
  const shapes = new Map<string, CompiledQuery<Row>>()
  return (db, values) => {
    const shape = shapeOf(values)
    const compiled = shapes.get(shape) ?? build(db, slotsFor(values) as Values).compile()
    if (shapes.size < MAX_SHAPES) shapes.set(shape, compiled)
    return { ...compiled, parameters: compiled.parameters.map((parameter) => filledIn(parameter, values)) }
  }
}

/** The same for calls that one compiled query answers. */
export function shapeOf(values: Record<string, Value>): string {
  let shape = ''
  for (const name in values) {
    const value = values[name]
    if (Array.isArray(value)) shape += `${value.length}`
    else shape += typeof value === 'string' || value instanceof Date ? '_' : `${value}`
    shape += ','
  }
  return shape
}

function slotsFor(values: Record<string, Value>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map((_, at) => new Slot(name, at))]
      return [name, typeof value === 'string' || value instanceof Date ? new Slot(name, null) : value]
    }),
  )
}

function filledIn(parameter: unknown, values: Record<string, Value>): unknown {
  if (Array.isArray(parameter)) return parameter.map((one) => filledIn(one, values))
  if (!(parameter instanceof Slot)) return parameter
  const value = values[parameter.name]
  return parameter.at === null ? value : (value as string[])[parameter.at]
}
