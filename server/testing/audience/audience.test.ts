import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../../contract/index.ts'
import type { Route } from '../../../contract/route.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../builders.ts'
import { cardToken } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { type Answer, send, textOf } from '../inputs.ts'
import { ID, inputsFor } from './inputs.ts'
import { buildThings, type Own, type Things, tracesOf } from './things.ts'

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
  transactionsFile: 'one’s own money records',
  me: 'the ids of what one unlocked and subscribes to',
  notifications: 'one’s own receipts, and what becomes of one’s subscriptions',
}

/**
 * What tells somebody who wrote with the creator, and why: a block and a hidden region end writing, and leave what was
 * written (docs/product.md, Chat). Of someone suspended they keep what came with a message, as buyers do.
 */
const CORRESPONDENTS_KEEP: Partial<Record<RouteName, string>> = {
  conversations: 'the list of those whom one wrote with',
  messages: 'what was written',
  searchMessages: 'what was written',
  customRequests: 'what the two asked each other for',
  declineCustomRequest: 'what was asked for can still be declined',
  fan: 'who asked one for something, with one’s own note on them',
}

/** The same where only a region is hidden, which leaves reactions. */
const CORRESPONDENTS_ABROAD_KEEP: Partial<Record<RouteName, string>> = {
  reactToMessage: 'the message that one reacts to',
}

/** Calls whose input can’t be made from their schema, so that each attempt is a 400; what covers them instead. */
const UNREACHED: Partial<Record<RouteName, string>> = {
  finishLogin: 'exactly one factor has to be sent; names nothing but the caller’s own challenge',
  reauthenticate: 'exactly one factor has to be sent; names nothing but the caller’s own challenge',
  saveBankDetails: 'numbers with check digits; names nothing but the caller’s own account',
  uploadChunk: 'a form with a file; names nothing but the caller’s own uploads',
}

/** Calls whose files are compressed, so that a search of them finds nothing; what covers them instead. */
const UNREAD: Partial<Record<RouteName, string>> = {
  statementFile:
    'sums of the caller’s own ledger; statements.test.ts reads one and finds no other person in it',
  anyStatementFile: 'the same file, for operators alone',
}

/** Where everybody else finds the creator; for those who must not, each would be a leak. */
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
  'conversations',
  'messages',
  'searchMessages',
  'reactToMessage',
  'editMessage',
  'customRequests',
  'acceptCustomRequest',
]

const KEPT_OUT = ['blocked', 'geo-blocked', 'suspended'] as const

let harness: Harness
let own: Own

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

const names = Object.keys(routes) as RouteName[]
/** Calls that a follow decides, before another call ends it by a block. */
const FIRST: RouteName[] = ['creatorsToFollow', 'toggleFollow', 'following', 'newMedia']
/** What makes somebody else of the caller, or ends their account, comes last. */
const LAST: RouteName[] = ['becomeCreator', 'deleteAccount']
const inOrder = [...FIRST, ...names.filter((name) => ![...FIRST, ...LAST].includes(name)), ...LAST]

type Caller = { person: Person | null; headers: Record<string, string> }
const AT_ONCE = 8

/**
 * Makes every call about these things; by the call’s name what of `traces` its answers held, those to an id of another
 * kind than the call asks for by themselves, and their statuses. With `astray` such ids are sent as well: they lead nowhere
 * even where nothing is hidden, so that not every audience has to try them.
 */
async function callEverything(
  things: Things,
  { person, headers }: Caller,
  traces: string[],
  { astray = false } = {},
) {
  const found = new Map<RouteName, { traces: Set<string>; astray: Set<string>; codes: Set<string> }>()
  for (const name of inOrder) {
    if (!person && routes[name].access !== 'public') continue
    const route: Route = routes[name]
    const seen = { traces: new Set<string>(), astray: new Set<string>(), codes: new Set<string>() }
    found.set(name, seen)
    const made = [...inputsFor(route, things, person?.id ?? ID)].filter(([, isAstray]) => astray || !isAstray)
    // To operators’ calls these people are refused before anything is read.
    const inputs = typeof route.access === 'object' ? made.slice(0, 1) : made
    const api = await apiOf(person)
    const work = async () => {
      for (let next = inputs.pop(); next; next = inputs.pop()) {
        const [input, isAstray] = next
        const { status, body } = await send(api, route, input, headers)
        if (status >= 500) expect.fail(`${status} for ${name} ${JSON.stringify(input)}`)
        const text = textOf({ body })
        for (const trace of traces.filter((one) => text.includes(one))) {
          seen.traces.add(trace)
          if (isAstray) seen.astray.add(trace)
        }
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
const timeout = 600_000

describe.each(KEPT_OUT)('what a creator has who is %s', (how) => {
  test('leaves no trace in any answer', { timeout }, async () => {
    const things = await buildThings(harness, how, own)
    const person = await buildCreator(harness)
    await keepOut(how, things, person)
    const found = await callEverything(things, { person, headers: ABROAD }, tracesOf(things).all)
    expect(leaks(found)).toEqual({})
  })

  test('leaves to who bought of it and wrote with its creator what is declared, and nothing else', {
    timeout,
  }, async () => {
    const person = await buildCreator(harness)
    const things = await buildThings(harness, `${how}_bought`, own, person)
    await buyFrom(things, person)
    await keepOut(how, things, person)
    const { all, written, others } = tracesOf(things)
    const astray = how === 'blocked'
    const found = leaks(await callEverything(things, { person, headers: ABROAD }, all, { astray }))
    const correspondentsKeep = Object.keys({
      ...(how === 'suspended' ? {} : CORRESPONDENTS_KEEP),
      ...(how === 'geo-blocked' ? CORRESPONDENTS_ABROAD_KEEP : {}),
    })
    // A card pays for nothing that a block ends.
    const buyersKeep = Object.keys(BUYERS_KEEP).filter((name) => name !== 'cards' || how !== 'blocked')
    expect(Object.keys(found).toSorted()).toEqual([...buyersKeep, ...correspondentsKeep].toSorted())
    for (const [name, seen] of Object.entries(found)) {
      const forbidden = correspondentsKeep.includes(name) ? others : [...others, ...written]
      expect([name, seen.filter((trace) => forbidden.includes(trace))]).toEqual([name, []])
    }
    // Notifications name no creator who blocked their reader or is suspended, and keep the titles of what was paid for.
    if (how !== 'geo-blocked')
      expect(found.notifications).toEqual(
        ['bundle', 'plan', 'single'].map((bought) => `trace ${things.name} ${bought}`),
      )
    expect(found.premiumContent).toEqual(
      expect.arrayContaining([things.single, things.bundled, things.lent, things.attached]),
    )
  })

  if (how !== 'blocked')
    test('leaves no trace for visitors', { timeout }, async () => {
      const things = await buildThings(harness, `${how}_visited`, own)
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
  const things = { ...(await buildThings(harness, name, own)), creator: fan }
  const traces = [fan.id, fan.username, fan.email]
  const found = await callEverything(things, { person: await caller(), headers: HERE }, traces)
  expect(leaks(found)).toEqual({})
})

test('whoever is not kept out finds it, in more than a dozen calls, and every call is reached', {
  timeout,
}, async () => {
  const person = await buildCreator(harness)
  const things = await buildThings(harness, 'found', own, person)
  await keepOut('geo-blocked', things, null)
  const { all } = tracesOf(things)
  const found = await callEverything(things, { person, headers: HERE }, all, { astray: true })
  expect(Object.keys(leaks(found))).toEqual(expect.arrayContaining(SHOWING))
  expect([...found].filter(([, { astray }]) => astray.size > 0).map(([name]) => name)).toEqual([])
  const compressed = names.filter((name) => (routes[name] as Route).file === 'application/pdf')
  expect(compressed.sort()).toEqual(Object.keys(UNREAD).sort())
  const unreached = [...found].filter(([, { codes }]) => [...codes].every((code) => code === 'invalid_input'))
  expect(unreached.map(([name]) => name).sort()).toEqual(Object.keys(UNREACHED).sort())
})
