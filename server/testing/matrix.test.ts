import fc from 'fast-check'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../contract/errors.ts'
import { type RouteName, routes } from '../../contract/index.ts'
import { can, ROLES, type Role } from '../../contract/permissions.ts'
import type { Access, Route } from '../../contract/route.ts'
import type { Api } from './api.ts'
import { buildSession, buildUser, type Person } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import {
  ABSENT,
  type Answer,
  accepts,
  PARTS,
  type Part,
  type Parts,
  send,
  shapeOf,
  VALID,
  validInput,
} from './inputs.ts'

/** Security rows 1, 4, 12 and 40: made from the contract, so that a new call is covered the day it is declared. */

const LONG = 'x'.repeat(5000)
/** Sent where the field's schema refuses it. */
const BAD_IN_BODY = [
  undefined,
  null,
  '',
  '\u0000',
  LONG,
  'no-such-value',
  -1,
  1.5,
  1e308,
  true,
  {},
  { $ne: '' },
  [],
  [null],
  ['\u0000'],
  [LONG],
]
const BAD_IN_ADDRESS = [
  undefined,
  '',
  '\u0000',
  LONG,
  'no-such-value',
  '-1',
  '1.5',
  '1e308',
  '9'.repeat(40),
  ['a', 'b'],
  ['\u0000', '\u0000'],
]
/** Each run of as many fuzzers at once. */
const FUZZ_RUNS = 10
const FUZZERS = 5
/** A caller with this answer was refused before their input was read. */
const NO_ENTRY: unknown[] = [
  'not_authenticated',
  'email_unverified',
  'permission_required',
  'creators_only',
  'reauthentication_required',
] satisfies (keyof typeof errors)[]
/** Calls with an id in their path that don’t answer 404 for an unknown one, and why. */
const INSTEAD_OF_404: Partial<Record<RouteName, { status: number; why: string }>> = {
  putUpload: { status: 403, why: 'the signature of the address is looked at first' },
  deleteAccount: { status: 409, why: 'it names the caller, and the last superadmin may not go' },
}
/** Calls under way at once: one statement asks who their callers are. */
const AT_ONCE = 40

let harness: Harness
let other: Person
/** Another installation, so that what fuzzing changes doesn’t affect the other tests. */
let fuzzed: Harness
let fuzzedOther: Person
const operators: Record<Role, Person> = {} as never
const people: Record<'unverified' | 'fan' | 'creator' | 'operator', Person> = {} as never

beforeAll(async () => {
  harness = await startHarness()
  people.unverified = await buildUser(harness, { verified: false, isCreator: true, role: 'superadmin' })
  people.fan = await buildUser(harness)
  people.creator = await buildUser(harness, { isCreator: true })
  // The valid address is this person's own already, so that editing the profile doesn't change it.
  people.operator = await buildUser(harness, {
    isCreator: true,
    role: 'superadmin',
    email: 'ada@example.test',
  })
  other = await buildUser(harness, { isCreator: true })
  // Nobody else is a superadmin, so that the last one can’t delete their account.
  for (const role of ROLES)
    operators[role] =
      role === 'superadmin' ? people.operator : await buildUser(harness, { isCreator: true, role })
  await countWrites()
  fuzzed = await startHarness()
  fuzzedOther = await buildUser(fuzzed, { isCreator: true })
})
afterAll(() => Promise.all([harness?.stop(), fuzzed?.stop()]))

/** A session of its own for every test that a call may end; in which they have just re-authenticated. */
async function as(person: Person, reauthenticated = true, of = harness): Promise<Api> {
  const options = reauthenticated ? { reauthenticatedAt: of.clock.now() } : {}
  return of.api.as({ token: await buildSession(of, person.id, options) })
}

const refused = new Map<string, Promise<Api>>()

/** A session that every test shares whose calls are all refused: nothing may end it, as nothing is written. */
function refusedAs(person: Person, reauthenticated = true): Promise<Api> {
  const key = `${person.id} ${reauthenticated}`
  const api = refused.get(key) ?? as(person, reauthenticated)
  refused.set(key, api)
  return api
}

/** One field wrong at a time, each in every way that its schema refuses; and the whole body of another kind. */
function* badInputs(route: Route, self: string): Generator<[what: string, input: Parts]> {
  for (const part of PARTS) {
    for (const [name, schema] of shapeOf(route[part])) {
      const candidates: unknown[] = part === 'body' ? BAD_IN_BODY : BAD_IN_ADDRESS
      for (const value of candidates.filter((candidate) => !accepts(schema, candidate))) {
        // An empty or overlong parameter would be a different path.
        if (part === 'params' && (typeof value !== 'string' || value === '' || value === LONG)) continue
        const input = validInput(route, self)
        input[part] = { ...input[part], [name]: value }
        yield [`${part}.${name} = ${JSON.stringify(value)?.slice(0, 40)}`, input]
      }
    }
  }
  if (!route.body) return
  for (const body of [[], [{}], 'text', 5])
    yield [`body = ${JSON.stringify(body)}`, { ...validInput(route, self), body }]
}

/** Has the database count each row that is written from now on, in the same transaction: what is undone never was. */
async function countWrites(): Promise<void> {
  const { db } = harness.context
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname = 'public' or tablename = '_private_jobs'
  `.execute(db)
  expect(tables.length).toBeGreaterThan(20)
  await sql`
    create schema written;
    create table written.rows (at int generated always as identity);
    create function written.count() returns trigger language plpgsql as $$
      begin insert into written.rows default values; return null; end $$
  `.execute(db)
  for (const { schema, name } of tables) {
    const on = sql`on ${sql.table(`${schema}.${name}`)}`
    await sql`
      create trigger written after insert or update or delete ${on} for each row execute function written.count();
      create trigger emptied after truncate ${on} execute function written.count()
    `.execute(db)
  }
}

/** How many rows were written: what a refusal must leave as it was. */
async function written(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from written.rows`.execute(harness.context.db)
  return rows[0]?.count ?? 0
}

/** Sent by each of these, who name that id as theirs, the call is refused, and writes nothing. */
async function expectRefused(
  status: number,
  code: keyof typeof errors,
  route: Route,
  senders: [api: Api, self: string][],
): Promise<void> {
  const before = await written()
  const answers = await Promise.all(senders.map(([api, self]) => send(api, route, validInput(route, self))))
  const refusals = answers.map((answer) => [answer.status, (answer.body as { code?: string }).code])
  expect(refusals).toEqual(senders.map(() => [status, code]))
  expect(await written()).toBe(before)
}

/** What no refusal tells: where in the code it was made, and how the database is asked. */
const INSIDE = /node_modules|\.ts:\d|\bat \S+ \(|\b(select|insert|update|delete)\b.+\b(from|into|set)\b/i

/** What holds for every answer; `expect` only says what is wrong, as tens of thousands of calls of it take seconds. */
function expectValidAnswer(route: Route, { status, body }: Answer): void {
  const wrong = (what: string) => expect.fail(`${what}: ${status} ${JSON.stringify(body)}`)
  if (status >= 500) wrong('failed')
  if (status < 300 && route.file) return void (Buffer.isBuffer(body) || wrong('no file'))
  if (status < 300) return void route.output.parse(body)
  const { code, error, details, ...rest } = body as {
    code: keyof typeof errors
    error: string
    details?: object
  }
  if (errors[code]?.status !== status) wrong('not in the catalogue')
  if (Object.keys(rest).length > 0) wrong('more than a refusal')
  if (typeof error !== 'string' || INSIDE.test(error)) wrong('tells of the inside')
}

const names = Object.keys(routes) as RouteName[]
const withAccess = (...access: Access[]) => names.filter((name) => access.includes(routes[name].access))

test('the contract has calls of several kinds', () => {
  expect(withAccess('public').length).toBeGreaterThan(5)
  expect(withAccess('user').length).toBeGreaterThan(5)
  expect(new Set(names.map((name) => `${routes[name].method} ${routes[name].path}`)).size).toBe(names.length)
})

test('rows that are written are counted, but for those of a transaction that is undone', async () => {
  const before = await written()
  const undone = harness.context.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('sessions').execute()
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await written()).toBe(before)
  await as(people.fan)
  expect(await written()).toBeGreaterThan(before)
})

/** All but those that anybody may make, and that take nothing. */
const restricted = names.filter((name) => {
  const route: Route = routes[name]
  return route.access !== 'public' || PARTS.some((part) => route[part])
})

describe.each(restricted)('%s', (name) => {
  const route: Route = routes[name]
  const { access, self } = route

  if (access !== 'public')
    test('401 for strangers', async () => {
      const strangers = [harness.api.visitor(), harness.api.as({ token: 'x'.repeat(43) })]
      const senders = strangers.map((api): [Api, string] => [api, people.operator.id])
      await expectRefused(401, 'not_authenticated', route, senders)
    })

  if (access !== 'public' && access !== 'session')
    test('403 for an unconfirmed email, whatever the role', async () => {
      const api = await refusedAs(people.unverified)
      await expectRefused(403, 'email_unverified', route, [[api, people.unverified.id]])
    })

  if (access === 'creator')
    test('403 for fans', async () => {
      const api = await refusedAs(people.fan)
      await expectRefused(403, 'creators_only', route, [[api, people.fan.id]])
    })

  if (typeof access === 'object') {
    test('403 for fans and creators, and for every role that lacks the permission', async () => {
      const lacking = ROLES.filter((role) => !can({ role }, access.permission)).map((role) => operators[role])
      const callers = [people.fan, people.creator, ...lacking]
      const senders = callers.map(
        async (person): Promise<[Api, string]> => [await refusedAs(person), person.id],
      )
      await expectRefused(403, 'permission_required', route, await Promise.all(senders))
    })

    test('lets every role in that has the permission', async () => {
      for (const role of ROLES.filter((one) => can({ role: one }, access.permission))) {
        const { body } = await send(await as(operators[role]), route, validInput(route, operators[role].id))
        expect((body as { code?: string }).code, role).not.toBe('permission_required')
      }
    })
  }

  if (route.reauthentication === 'recent')
    test('403 for who has not re-authenticated lately', async () => {
      const api = await refusedAs(people.operator, false)
      await expectRefused(403, 'reauthentication_required', route, [[api, people.operator.id]])
    })

  if (route.publishing === 'required')
    test('403 while publishing is closed', async () => {
      const api = await refusedAs(people.creator)
      harness.context.publishingOpen = false
      try {
        await expectRefused(403, 'publishing_closed', route, [[api, people.creator.id]])
      } finally {
        harness.context.publishingOpen = true
      }
    })

  if (self !== undefined)
    test('403 for acting as another', async () => {
      const api = await refusedAs(people.creator)
      const senders = [other.id, ABSENT].map((id): [Api, string] => [api, id])
      await expectRefused(403, 'not_yourself', route, senders)
      const own = await send(await as(people.operator), route, validInput(route, people.operator.id))
      expect((own.body as { code?: string }).code).not.toBe('not_yourself')
    })

  const inputs = [...badInputs(route, 'self')].length
  if (inputs > 0)
    test('400 for bad input', async () => {
      const api = await refusedAs(people.operator)
      const before = await written()
      await pLimit(AT_ONCE).map(badInputs(route, people.operator.id), async ([what, input]) => {
        const { status, body } = await send(api, route, input)
        if (status !== 400) expect.fail(`${what} is answered ${status} ${JSON.stringify(body)}`)
        expectValidAnswer(route, { status, body })
      })
      expect(await written()).toBe(before)
    })

  if (route.params)
    test('a thing that is not there is said to be not there', async () => {
      const { status, body } = await send(
        await as(people.operator),
        route,
        validInput(route, people.operator.id),
      )
      expect(status, JSON.stringify(body)).toBe(INSTEAD_OF_404[name]?.status ?? 404)
    })
})

/** Routes at once, so that one statement asks who the callers of several are. */
describe.concurrent('nothing that is sent makes it fail', () => {
  test.each(names)('%s', async (name) => {
    const route: Route = routes[name]
    // A new person for every call, as some calls end the account.
    const person = await buildUser(fuzzed, { isCreator: true, role: 'superadmin' })
    const fieldsOf = (part: Part) => {
      const bad =
        part === 'body' ? BAD_IN_BODY : BAD_IN_ADDRESS.filter((value) => part !== 'params' || value !== LONG)
      const text = fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.uuid(),
        fc.constantFrom(person.id, fuzzedOther.id, ABSENT, '$4'),
      )
      const any = part === 'body' ? fc.oneof(text, fc.jsonValue()) : text
      const shape = shapeOf(route[part])
      const fields = shape.map(([field, schema]) => {
        const valid = fc.constantFrom(
          ...[undefined, person.id, ...VALID].filter((value) => accepts(schema, value)),
        )
        return [
          field,
          fc.oneof(
            { arbitrary: valid, weight: 3 * shape.length },
            { arbitrary: any, weight: 1 },
            { arbitrary: fc.constantFrom(...bad), weight: 1 },
          ),
        ]
      })
      return fc.record(Object.fromEntries(fields))
    }
    const input = fc.record({ params: fieldsOf('params'), query: fieldsOf('query'), body: fieldsOf('body') })
    /** What logged-in callers were answered. */
    const codes = new Set<string | undefined>()
    const fuzz = (logIn: () => Api | Promise<Api>, isLoggedIn: boolean) => {
      let api: Api | undefined
      const property = fc.asyncProperty(input, async (parts) => {
        api ??= await logIn()
        const answer = await send(api, route, parts)
        // Their session may have ended by it.
        if (answer.status === 401) api = undefined
        if (isLoggedIn) codes.add((answer.body as { code?: string } | undefined)?.code)
        expectValidAnswer(route, answer)
      })
      return fc.assert(property, { numRuns: FUZZ_RUNS })
    }
    const loggedIn = Array.from({ length: FUZZERS - 1 }, () => fuzz(() => as(person, true, fuzzed), true))
    await Promise.all([fuzz(() => fuzzed.api.visitor(), false), ...loggedIn])
    const beyond = [...codes].filter((code) => !NO_ENTRY.includes(code))
    expect(beyond.length, `${[...codes]} are all answers`).toBeGreaterThan(0)
  })
})
