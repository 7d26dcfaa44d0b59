import { z } from 'zod'
import type { Route } from '../../../contract/route.ts'
import { accepts, PARTS, type Part, shapeOf, validInput } from '../inputs.ts'
import { idsOf, type Kind, kindsOf, type Things } from './things.ts'

const takesId = (schema: z.ZodType) => accepts(schema, ID) && !accepts(schema, 'no id')
const takesIds = (schema: z.ZodType) => accepts(schema, [ID]) && !accepts(schema, ['no id'])
/** An id that nothing has. */
export const ID = '01890000-0000-7000-8000-000000000001'

/** Choices that decide what a call does are fewer; a list of countries decides nothing. */
const KINDS_AT_MOST = 20

/** What each field of a call is filled with, beyond a plain valid value; required ids also with the caller’s own. */
function choicesFor(route: Route, things: Things) {
  const choices: { part: Part; field: string; required: boolean; values: unknown[] }[] = []
  const texts = [
    things.creator.username,
    ...['open', 'said'].map((what) => `trace ${things.name} ${what}`),
    things.referral_code,
  ]
  for (const part of PARTS) {
    for (const [field, schema] of shapeOf(route[part])) {
      const required = !accepts(schema, undefined)
      const add = (values: unknown[]) => choices.push({ part, field, required, values })
      if (field === route.self || field === 'cursor') continue
      if (takesIds(schema)) add(idsOf(things).map((id) => [id]))
      else if (takesId(schema))
        add(required ? [...idsOf(things), ...Object.values(things.own)] : idsOf(things))
      else if (schema instanceof z.ZodEnum && required) add(schema.options.slice(0, KINDS_AT_MOST))
      else if (part !== 'body' && accepts(schema, things.creator.username))
        add(texts.filter((text) => accepts(schema, text)))
    }
  }
  return choices
}

/**
 * Every value of each required field, beside others that suit; and every optional value beside required ones that suit: whose
 * every id is of what its field is called after, and of the kind that the call asks for. A call with others ends before it
 * looks further, so that two of them find no more than each by itself.
 */
export function* inputsFor(route: Route, things: Things, callerId: string) {
  const choices = choicesFor(route, things)
  const fill = (input: Filled, { part, field }: (typeof choices)[number], value: unknown): Filled => ({
    ...input,
    [part]: { ...input[part], [field]: value },
  })
  const required = choices
    .filter((choice) => choice.required)
    .reduce<Filled[]>(
      (inputs, choice) => inputs.flatMap((input) => choice.values.map((value) => fill(input, choice, value))),
      [validInput(route, callerId)],
    )
  const kinds = kindsOf(things)
  const unsuited = (input: Filled) =>
    PARTS.flatMap((part) =>
      Object.entries(input[part]).filter(([field, value]) => !suits(field, value, input[part].kind, kinds)),
    ).length
  const marked = (input: Filled): [Filled, boolean] => [input, unsuited(input) > 0]
  yield* required.filter((input) => unsuited(input) <= 1).map(marked)
  const suiting = required.filter((input) => unsuited(input) === 0)
  for (const choice of choices.filter(({ required }) => !required))
    for (const input of suiting) for (const value of choice.values) yield marked(fill(input, choice, value))
}
/** What fields are called after; those of another name take nothing that is sold, so that one id stands for all. */
const CALLED: [RegExp, Kind[]][] = [
  [/massMessage/i, ['mass']],
  [/message|replyTo/i, ['message']],
  [/request/i, ['custom']],
  [/media|^version$/i, ['single']],
  [/subscription|plan/i, ['subscription']],
  [/bundle/i, ['bundle']],
  [/offer/i, ['offer']],
  [/^(ids?|itemId)$/, ['person', 'single', 'subscription', 'bundle', 'offer', 'message', 'custom']],
]

/** Whether what is in this field may be meant by it, and of the kind that the call asks for. */
function suits(field: string, value: unknown, kind: unknown, kinds: Map<unknown, Kind>): boolean {
  const of = kinds.get(Array.isArray(value) ? value[0] : value)
  const [, called = ['person']] = CALLED.find(([name]) => name.test(field)) ?? []
  if (of === undefined) return true
  if (kind === undefined || field !== 'itemId') return called.includes(of)
  return of === (called.find((each) => each === kind) ?? 'person')
}
type Filled = ReturnType<typeof validInput>
