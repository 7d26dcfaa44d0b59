import { expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from './index.ts'
import type { Route } from './route.ts'
import './schemas.ts'

type Schema = z.core.$ZodType
type Def = { type: string; checks?: { _zod: { def: Record<string, unknown> } }[] } & Record<string, unknown>
const defOf = (schema: Schema) => schema._zod.def as unknown as Def

/** The schemas that are part of another one. */
function partsOf({ shape, element, options, innerType, in: first, out, items }: Def): Schema[] {
  const parts = [...Object.values(shape ?? {}), element, innerType, first, out]
  return [...parts, ...((options as Schema[]) ?? []), ...((items as Schema[]) ?? [])].filter(
    (part): part is Schema => typeof part === 'object' && part !== null && '_zod' in part,
  )
}

/** All schemas of what calls take. */
function schemasOf(roots: Schema[]): Set<Schema> {
  const found = new Set<Schema>()
  const visit = (schema: Schema) => {
    if (found.has(schema)) return
    found.add(schema)
    for (const part of partsOf(defOf(schema))) visit(part)
  }
  for (const root of roots) visit(root)
  return found
}

/** Values that are beyond each limit of a schema. */
function beyond(schema: Schema): unknown[] {
  const { type, checks = [] } = defOf(schema)
  const sized = (count: number): unknown =>
    type === 'array' ? Array(Math.max(0, count)) : 'x'.repeat(Math.max(0, count))
  return checks.flatMap(({ _zod: { def } }): unknown[] => {
    if (def.check === 'max_length') return [sized(Number(def.maximum) + 1)]
    if (def.check === 'min_length') return [sized(Number(def.minimum) - 1)]
    if (def.check === 'length_equals') return [sized(Number(def.length) + 1), sized(Number(def.length) - 1)]
    if (def.check === 'less_than') return [Number(def.value) + 1]
    if (def.check === 'greater_than') return [Number(def.value) - 1]
    if (def.check === 'number_format') return [0.5, 1e300, -1e300, 'many']
    if (def.check === 'multiple_of') return [Number(def.value) / 2]
    return []
  })
}

const CODES = ['too_big', 'too_small', 'not_multiple_of']
const isLimit = (issue: z.core.$ZodIssue) =>
  CODES.includes(issue.code) || (issue.code === 'invalid_type' && ['int', 'number'].includes(issue.expected))

test('each limit of every call is said in a sentence, not in the words of a schema', () => {
  const inputs = Object.values(routes as Record<string, Route>).flatMap(({ params, query, body }) =>
    [params, query, body].filter((schema) => schema !== undefined),
  )
  const said = new Set<string>()
  for (const schema of schemasOf(inputs))
    for (const value of beyond(schema)) {
      const issues = z.safeParse(schema as z.ZodType, value).error?.issues ?? []
      for (const issue of issues) if (isLimit(issue) && issue.path.length === 0) said.add(issue.message)
    }
  expect(said.size).toBeGreaterThan(40)
  expect([...said].filter((text) => !/^[A-Z][^:<>=]*$/.test(text) || /^(Too|Invalid) /.test(text))).toEqual(
    [],
  )
})

test.each([
  [z.number().max(1440), 1441, 'Enter 1,440 or less.'],
  [z.number().min(1), 0, 'Enter 1 or more.'],
  [z.number().gt(0), 0, 'Enter more than 0.'],
  [z.number().lt(10), 10, 'Enter less than 10.'],
  [z.number().int(), 1.5, 'Enter a whole number.'],
  [z.number().int(), 1e300, 'Enter a smaller number.'],
  [z.number().int(), -1e300, 'Enter a larger number.'],
  [z.number().multipleOf(30), 7, 'Enter a multiple of 30.'],
  [z.coerce.number(), 'ten', 'Enter a number.'],
  [z.string().max(3), 'four', 'Use at most 3 characters.'],
  [z.string().min(3), 'a', 'Use at least 3 characters.'],
  [z.string().min(1), '', 'Fill this in.'],
  [z.string().length(1), '', 'Use exactly 1 character.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'Choose at most 1.'],
  [z.array(z.string()).min(2), ['a'], 'Choose at least 2.'],
  [z.string().max(3, 'Shorter.'), 'four', 'Shorter.'],
])('%#: %j says %j', (schema, value, text) => {
  expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([text])
})
