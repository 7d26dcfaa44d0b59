import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type RouteName, routes } from '../../../../contract/index.ts'
import type { Route } from '../../../../contract/route.ts'
import type { Api } from '../../../testing/api.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { textOf } from '../../../testing/inputs.ts'
import { storeFiles, streamedVideo } from '../../../testing/media-files.ts'

/** Security row 2: made from the contract, so that a new call is searched the day it is declared. */

const ORIGINAL = 'ORIGINAL-beach-holiday'
const SHA256 = `${'c0ffee'.repeat(10)}cafe`
/** Calls that tell an owner, and nobody else, what their files were called. */
const OWN_NAMES: RouteName[] = ['uploads', 'chunkedUpload', 'manageMedia']
/** The one GET that ends the session. */
const getNames = (Object.keys(routes) as RouteName[]).filter(
  (name) => routes[name].method === 'GET' && name !== 'logout',
)

let harness: Harness
let creator: Person
const items = { free: '', locked: '', video: '', bought: '', direct: '' }
const storageIds: string[] = []
/** Of items in their first version, which lie below their own ids. */
const firstKeys: string[] = []
let bundleId = ''
let planId = ''
const people: Record<string, Person | null> = {}
/** The items of which a person may hold links. */
const MAY_OPEN: Record<string, (keyof typeof items)[]> = {
  visitor: ['free'],
  stranger: ['free'],
  buyer: ['free', 'bought'],
  'another creator': ['free'],
  owner: ['free', 'locked', 'video', 'bought', 'direct'],
  operator: ['free', 'locked', 'video', 'bought', 'direct'],
}

beforeAll(async () => {
  harness = await startHarness()
  const { db, clock } = harness.context
  creator = await buildCreator(harness)
  items.free = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
  items.locked = await buildMedia(harness, creator, { showInSearch: true })
  items.video = await buildMedia(harness, creator, { type: 'video', showInStore: true, showInSearch: true })
  items.bought = await buildMedia(harness, creator, { type: 'video', showInStore: true })
  items.direct = await buildMedia(harness, creator, { directOnly: true })
  for (const id of Object.values(items)) {
    const files = streamedVideo('bytes:')
    if (id === items.video || id === items.bought) {
      await storeFiles(harness, id, files, id)
      firstKeys.push(...files.map(({ name }) => `media/${id}/${name}`))
    } else storageIds.push(await storeFiles(harness, id, files))
    await db.updateTable('media').set({ sha256: SHA256 }).where('id', '=', id).execute()
    await db
      .insertInto('uploads')
      .values({
        id,
        owner_id: creator.id,
        file_name: `${ORIGINAL}.mov`,
        status: 'ready',
        sha256: SHA256,
        created_at: clock.now(),
        updated_at: clock.now(),
        expires_at: clock.now(),
      })
      .execute()
  }
  bundleId = await buildBundle(harness, creator, { mediaIds: [items.locked, items.video] })
  planId = await buildPlan(harness, creator, { mediaIds: [items.locked] })
  const buyer = await buildFan(harness)
  await buildGrant(harness, buyer, [items.bought])
  people.visitor = null
  people.stranger = await buildFan(harness)
  people.buyer = buyer
  people['another creator'] = await buildCreator(harness)
  people.owner = creator
  people.operator = await buildUser(harness, { role: 'superadmin', isCreator: true })
})
afterAll(() => harness?.stop())

/** Values for a field, all of which are tried; none for one that needs nothing. */
function valuesOf(name: string, schema: z.ZodType, self: string | null): unknown[] {
  const fits = (value: unknown) => schema.safeParse(value).success
  const everyItem = Object.values(items)
  const known: Record<string, unknown[]> = {
    mediaId: everyItem,
    uploadId: everyItem,
    mediaIds: [everyItem],
    uploadIds: [everyItem],
    selectedMediaIds: [everyItem],
    bundleId: [bundleId],
    subscriptionId: [planId],
    planId: [planId],
    username: [creator.username],
    limit: ['60'],
    month: ['2030-01'],
  }
  const candidates = self === null ? (known[name] ?? []) : [self]
  const fitting = candidates.filter(fits)
  if (fitting.length > 0) return fitting
  if (fits(undefined)) return []
  const fallback = [
    creator.id,
    creator.username,
    'all',
    'single',
    'followers',
    'test',
    'true',
    '1',
    'US',
  ].find(fits)
  if (fallback === undefined) throw new Error(`say what ${name} may be`)
  return [fallback]
}

/** Every address of a GET call that these people's ids and items make. */
function addressesOf(route: Route, person: Person | null): { path: string; query: object }[] {
  let found = [{ path: route.path, query: {} as Record<string, unknown> }]
  for (const part of ['params', 'query'] as const) {
    for (const [name, schema] of Object.entries(route[part]?.shape ?? {}) as [string, z.ZodType][]) {
      const self = name === route.self ? (person?.id ?? creator.id) : null
      const values = valuesOf(name, schema, self)
      if (values.length === 0) continue
      found = found.flatMap(({ path, query }) =>
        values.map((value) =>
          part === 'params'
            ? { path: path.replace(`:${name}`, encodeURIComponent(String(value))), query }
            : { path, query: { ...query, [name]: value } },
        ),
      )
    }
  }
  return found
}

type Answer = { name: RouteName; status: number; text: string }

/** The answers of every GET call to this person, headers included. */
async function everything(api: Api, person: Person | null): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const name of getNames) {
    for (const { path, query } of addressesOf(routes[name], person)) {
      const { status, headers, body } = await api.send('GET', path, { query })
      answers.push({ name, status, text: textOf({ body }) + JSON.stringify([...headers]) })
    }
  }
  return answers
}

describe.each(Object.keys(MAY_OPEN))('every GET call answers %s', (kind) => {
  it('without keys of the store, hashes, names of originals, and links beyond what is theirs', async () => {
    const person = people[kind] ?? null
    const api = person ? harness.api.as(person) : harness.api.visitor()
    const answers = await everything(api, person)
    expect(answers.filter(({ status }) => status >= 500).map(({ name }) => name)).toEqual([])
    const answered = new Set(answers.filter(({ status }) => status === 200).map(({ name }) => name))
    // Else it would have searched refusals only.
    for (const name of ['media', 'viewMedia', 'profileMedia', 'discover'] as const)
      expect(answered).toContain(name)
    expect(answered.size).toBeGreaterThan(person ? 20 : 8)

    for (const { name, text } of answers) {
      const own = kind === 'owner' && OWN_NAMES.includes(name)
      const secrets = [
        ...storageIds,
        ...firstKeys,
        SHA256,
        'uploads/',
        '.avif',
        'hls-720',
        '"variants"',
        'storage_id',
        'sha256',
      ]
      const found = [...secrets, ...(own ? [] : [ORIGINAL])].filter((secret) => text.includes(secret))
      expect([name, found]).toEqual([name, []])
    }
    const everythingTold = answers.map(({ text }) => text).join('\n')
    expect(everythingTold.includes(ORIGINAL)).toBe(kind === 'owner')
    const names = Object.keys(items) as (keyof typeof items)[]
    const opened = names.filter((item) => everythingTold.includes(`/files/media/${items[item]}/`))
    expect(opened.toSorted()).toEqual([...(MAY_OPEN[kind] ?? [])].sort())
  })
})
