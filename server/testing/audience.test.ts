import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type RouteName, routes } from '../../contract/index.ts'
import type { Route } from '../../contract/route.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from './builders.ts'
import { cardToken } from './gateway.ts'
import { type Harness, startHarness } from './harness.ts'
import { type Answer, accepts, PARTS, type Part, send, shapeOf, validInput } from './inputs.ts'

/**
 * Security row 51, and the person's half of row 47: every call of the contract, with the ids of a creator's things in
 * every field that takes an id, names and titles in every search, made by those whom the creator is hidden from; and the
 * same of a fan whom not everybody finds.
 */

const ABROAD = { 'x-country': 'DE' }
const HERE = { 'x-country': 'FR' }

/** What tells somebody who bought of the creator, and why. Whatever they didn't buy stays hidden here, too. */
const BUYERS_KEEP: Partial<Record<RouteName, string>> = {
  media: 'a bought item is seen where it always was',
  viewMedia: 'a bought item is seen where it always was, beside who made it',
  mediaVersion: 'the version that was bought',
  premiumContent: 'the list of what was bought',
  premiumCreators: 'whose it is that was bought',
  unlockedMedia: 'the ids of what one unlocked',
  yourSubscriptions: 'a subscription that is paid for can be found and canceled',
  ownSubscriptions: 'a subscription that is paid for can be found and canceled',
  cards: 'which of one’s subscriptions a card pays',
  receipts: 'one’s own money records',
  transactions: 'one’s own money records',
  me: 'the ids of what one unlocked and subscribes to',
}

/** Calls whose input can’t be made from their schema, so that each attempt is a 400; what covers them instead. */
const UNREACHED: Partial<Record<RouteName, string>> = {
  finishLogin: 'exactly one factor has to be sent; names nothing but the caller’s own challenge',
  reauthenticate: 'exactly one factor has to be sent; names nothing but the caller’s own challenge',
  saveBankDetails: 'numbers with check digits; names nothing but the caller’s own account',
  uploadChunk: 'a form with a file; names nothing but the caller’s own uploads',
}

/** Where everybody else meets the creator; each would be a leak. */
const SHOWING: RouteName[] = [
  'profileByUsername',
  'profileById',
  'users',
  'searchUsers',
  'search',
  'referrer',
  'profileMedia',
  'purchasableMedia',
  'discover',
  'creators',
  'creatorsToFollow',
  'newMedia',
  'media',
  'viewMedia',
  'bundleInfo',
  'bundle',
  'bundles',
  'subscription',
  'subscriptions',
  'offer',
  'following',
]

type Things = Awaited<ReturnType<typeof buildThings>>

const KEPT_OUT = ['blocked', 'geo-blocked', 'suspended'] as const

let harness: Harness
let own: { media: string; plan: string; bundle: string }

beforeAll(async () => {
  harness = await startHarness({
    environment: {
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
    },
  })
  const other = await buildCreator(harness)
  own = {
    media: await buildMedia(harness, other),
    plan: await buildPlan(harness, other),
    bundle: await buildBundle(harness, other),
  }
})
afterAll(() => harness?.stop())

/** Keeps this person, or who is abroad, or everybody out of what the creator has. */
async function keepOut(how: (typeof KEPT_OUT)[number], { creator }: Things, person: Person | null) {
  const api = harness.api.as(creator)
  if (how === 'blocked' && person) await api.call(routes.block, { body: { blockedId: person.id } })
  if (how === 'geo-blocked')
    await api.call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } as never })
  if (how !== 'suspended') return
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  await harness.api
    .as({ token })
    .call(routes.suspendPerson, { body: { userId: creator.id, reason: 'Trying it out' } })
}

async function buyFrom(things: Things, buyer: Person) {
  const api = harness.api.as(buyer)
  for (const [kind, itemId] of [
    ['single', things.single],
    ['bundle', things.bundle],
    ['subscription', things.plan],
  ] as const)
    await api.call(routes.purchase, { body: { kind, itemId, ...(await cardToken(harness)) } })
}

async function buildThings(name: string) {
  const creator = await buildCreator(harness, { username: `trace_${name}` })
  const title = (what: string) => `trace ${name} ${what}`
  const open = await buildMedia(harness, creator, {
    title: title('open'),
    showInSearch: true,
    mustUnlock: false,
  })
  const single = await buildMedia(harness, creator, { title: title('single'), showInStore: true })
  const bundled = await buildMedia(harness, creator, { title: title('bundled') })
  const lent = await buildMedia(harness, creator, { title: title('lent') })
  const unsold = await buildMedia(harness, creator, { title: title('unsold'), showInStore: true })
  const plan = await buildPlan(harness, creator, { title: title('plan'), mediaIds: [lent] })
  const bundle = await buildBundle(harness, creator, { title: title('bundle'), mediaIds: [bundled] })
  const otherPlan = await buildPlan(harness, creator, { title: title('otherplan'), mediaIds: [unsold] })
  const otherBundle = await buildBundle(harness, creator, { title: title('otherbundle'), mediaIds: [unsold] })
  const cover = await buildMedia(harness, creator, { title: title('cover'), showInStore: true })
  for (const table of ['subscription_plans', 'bundles'] as const)
    await harness.context.db
      .updateTable(table)
      .set({ cover_media_id: cover })
      .where('creator_id', '=', creator.id)
      .execute()
  const offer = await buildOffer(harness, creator, { type: 'freeBundle', title: title('offered') })
  const { referral_code } = await harness.context.db
    .selectFrom('users')
    .select('referral_code')
    .where('id', '=', creator.id)
    .executeTakeFirstOrThrow()
  return {
    name,
    creator,
    open,
    single,
    bundled,
    lent,
    unsold,
    cover,
    plan,
    bundle,
    otherPlan,
    otherBundle,
    offer,
    referral_code,
  }
}

/** Everything by which the creator or one of their things could be recognized, and what of it a buyer may still meet. */
function tracesOf({ creator, referral_code, ...things }: Things) {
  const title = (what: string) => `trace ${things.name} ${what}`
  const bought = [
    creator.id,
    creator.username,
    ...[things.single, things.bundled, things.lent, things.plan, things.bundle],
    ...['single', 'bundled', 'lent', 'plan', 'bundle'].map(title),
  ]
  const others = [
    creator.email,
    ...[things.open, things.unsold, things.cover, things.otherPlan, things.otherBundle, things.offer],
    ...['open', 'unsold', 'cover', 'otherplan', 'otherbundle', 'offered'].map(title),
  ]
  return { all: [...bought, ...others], others }
}

const idsOf = ({ creator, open, single, plan, bundle, otherBundle, offer }: Things) => [
  creator.id,
  open,
  single,
  plan,
  bundle,
  otherBundle,
  offer,
]

const takesId = (schema: z.ZodType) => accepts(schema, ID) && !accepts(schema, 'no id')
const takesIds = (schema: z.ZodType) => accepts(schema, [ID]) && !accepts(schema, ['no id'])
const ID = '01890000-0000-7000-8000-000000000001'

/** Choices that decide what a call does are fewer; a list of countries decides nothing. */
const KINDS_AT_MOST = 20

/** What each field of a call is filled with, beyond a plain valid value; required ids also with the caller’s own. */
function choicesFor(route: Route, things: Things) {
  const choices: { part: Part; field: string; required: boolean; values: unknown[] }[] = []
  const texts = [things.creator.username, `trace ${things.name} open`, things.referral_code]
  for (const part of PARTS) {
    for (const [field, schema] of shapeOf(route[part])) {
      const required = !accepts(schema, undefined)
      const add = (values: unknown[]) => choices.push({ part, field, required, values })
      if (field === route.self || field === 'cursor') continue
      if (takesIds(schema)) add(idsOf(things).map((id) => [id]))
      else if (takesId(schema)) add(required ? [...idsOf(things), ...Object.values(own)] : idsOf(things))
      else if (schema instanceof z.ZodEnum && required) add(schema.options.slice(0, KINDS_AT_MOST))
      else if (part !== 'body' && accepts(schema, things.creator.username))
        add(texts.filter((text) => accepts(schema, text)))
    }
  }
  return choices
}

/**
 * Every way to fill the required fields, and every optional value with those of them that suit: whose every id is of what
 * its field is called after, and of the kind that the call asks for. With others a call ends before it looks further.
 */
function* inputsFor(route: Route, things: Things, callerId: string) {
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
  yield* required
  const kinds = kindsOf(things)
  const suiting = required.filter((input) =>
    PARTS.every((part) =>
      Object.entries(input[part]).every(([field, value]) => suits(field, value, input[part].kind, kinds)),
    ),
  )
  for (const choice of choices.filter(({ required }) => !required))
    for (const input of suiting) for (const value of choice.values) yield fill(input, choice, value)
}

type Kind = 'person' | 'single' | 'subscription' | 'bundle' | 'offer'

/** What each id is of. */
const kindsOf = ({ creator, open, single, plan, bundle, otherBundle, offer }: Things) =>
  new Map<unknown, Kind>([
    [creator.id, 'person'],
    [open, 'single'],
    [single, 'single'],
    [own.media, 'single'],
    [plan, 'subscription'],
    [own.plan, 'subscription'],
    [bundle, 'bundle'],
    [otherBundle, 'bundle'],
    [own.bundle, 'bundle'],
    [offer, 'offer'],
  ])

/** What fields are called after; those of another name take nothing that is sold, so that one id stands for all. */
const CALLED: [RegExp, Kind[]][] = [
  [/media/i, ['single']],
  [/subscription|plan/i, ['subscription']],
  [/bundle/i, ['bundle']],
  [/offer/i, ['offer']],
  [/^(id|itemId)$/, ['single', 'subscription', 'bundle', 'offer']],
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

const names = Object.keys(routes) as RouteName[]
/** Calls that a follow decides, before another call ends it by a block. */
const FIRST: RouteName[] = ['creatorsToFollow', 'toggleFollow', 'following', 'newMedia']
/** What ends the caller’s account comes last. */
const LAST: RouteName[] = ['deleteAccount']
const inOrder = [...FIRST, ...names.filter((name) => ![...FIRST, ...LAST].includes(name)), ...LAST]

type Caller = { person: Person | null; headers: Record<string, string> }
const AT_ONCE = 8

/** Makes every call about these things; by the call’s name what of `traces` its answers held, and their statuses. */
async function callEverything(things: Things, { person, headers }: Caller, traces: string[]) {
  const found = new Map<RouteName, { traces: Set<string>; codes: Set<string> }>()
  for (const name of inOrder) {
    if (!person && routes[name].access !== 'public') continue
    const route: Route = routes[name]
    const seen = { traces: new Set<string>(), codes: new Set<string>() }
    found.set(name, seen)
    const made = [...inputsFor(route, things, person?.id ?? ID)]
    // To operators’ calls these people are refused before anything is read.
    const inputs = typeof route.access === 'object' ? made.slice(0, 1) : made
    const api = await apiOf(person)
    const work = async () => {
      for (let input = inputs.pop(); input; input = inputs.pop()) {
        const { status, body } = await send(api, route, input, headers)
        const text = JSON.stringify(body ?? '')
        for (const trace of traces) if (text.includes(trace)) seen.traces.add(trace)
        seen.codes.add(status < 300 ? 'done' : codeOf(body))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  return found
}

/** A session of its own for every route, because some end it. */
async function apiOf(person: Person | null) {
  if (!person) return harness.api.visitor()
  return harness.api.as({
    token: await buildSession(harness, person.id, { reauthenticatedAt: harness.clock.now() }),
  })
}

const codeOf = (body: Answer['body']) => (body as { code?: string } | undefined)?.code ?? ''

function leaks(found: Awaited<ReturnType<typeof callEverything>>): Record<string, string[]> {
  const leaking = [...found].filter(([, { traces }]) => traces.size > 0)
  return Object.fromEntries(leaking.map(([name, { traces }]) => [name, [...traces].sort()]))
}

/** Every call of the contract is made in each of these tests, in milliseconds. */
const timeout = 180_000

describe.each(KEPT_OUT)('what a creator has who is %s', (how) => {
  test('leaves no trace in any answer', { timeout }, async () => {
    const things = await buildThings(how)
    const person = await buildCreator(harness)
    await keepOut(how, things, person)
    const found = await callEverything(things, { person, headers: ABROAD }, tracesOf(things).all)
    expect(leaks(found)).toEqual({})
  })

  test('leaves to who bought of it what they bought, where that is declared, and nothing else', {
    timeout,
  }, async () => {
    const things = await buildThings(`${how}_bought`)
    const person = await buildCreator(harness)
    await buyFrom(things, person)
    await keepOut(how, things, person)
    const { all, others } = tracesOf(things)
    const found = leaks(await callEverything(things, { person, headers: ABROAD }, all))
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(BUYERS_KEEP).toSorted())
    expect(
      Object.values(found)
        .flat()
        .filter((trace) => others.includes(trace)),
    ).toEqual([])
    expect(found.premiumContent).toEqual(expect.arrayContaining([things.single, things.bundled, things.lent]))
  })

  if (how !== 'blocked')
    test('leaves no trace for visitors', { timeout }, async () => {
      const things = await buildThings(`${how}_visited`)
      await keepOut(how, things, null)
      const found = await callEverything(things, { person: null, headers: ABROAD }, tracesOf(things).all)
      expect(leaks(found)).toEqual({})
    })
})

test.each([
  ['another fan', () => buildFan(harness)],
  ['a visitor', async () => null],
])('a fan who does not want to be found leaves no trace for %s', { timeout }, async (who, caller) => {
  const name = who.replace(/\W/g, '_')
  const fan = await buildFan(harness, { username: `trace_of_fan_${name}` })
  const things = { ...(await buildThings(name)), creator: fan }
  const traces = [fan.id, fan.username, fan.email]
  const found = await callEverything(things, { person: await caller(), headers: HERE }, traces)
  expect(leaks(found)).toEqual({})
})

test('whoever is not kept out finds it, in more than a dozen calls, and every call is reached', {
  timeout,
}, async () => {
  const things = await buildThings('found')
  await keepOut('geo-blocked', things, null)
  const person = await buildCreator(harness)
  const found = await callEverything(things, { person, headers: HERE }, tracesOf(things).all)
  expect(Object.keys(leaks(found))).toEqual(expect.arrayContaining(SHOWING))
  const unreached = [...found].filter(([, { codes }]) => [...codes].every((code) => code === 'invalid_input'))
  expect(unreached.map(([name]) => name).sort()).toEqual(Object.keys(UNREACHED).sort())
})
