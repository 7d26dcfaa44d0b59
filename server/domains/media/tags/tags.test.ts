import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { tagName } from '../rules.ts'
import { enqueueTagCount } from './actions.ts'

let harness: Harness
let creator: Person

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
})
afterAll(() => harness?.stop())

const add = (name: string, person = creator) => harness.api.as(person).call(routes.addTag, { body: { name } })
const list = (query: { search?: string; ids?: string[]; limit?: number } = {}) =>
  harness.api.visitor().call(routes.tags, { query: { ids: [], ...query } })
const namesOf = (tags: { name: string }[]) => tags.map(({ name }) => name)
const rowsNamed = (name: string) =>
  harness.context.db.selectFrom('tags').select('name').where('name', 'ilike', name).execute()

describe('a tag', () => {
  it('is added once, whatever its case, and everybody has it', async () => {
    const tag = await add('  Golden   Hour ')
    expect(tag.name).toBe('Golden Hour')
    expect(await add('golden hour')).toEqual(tag)
    expect(await add('GOLDEN HOUR', await buildCreator(harness))).toEqual(tag)
    expect((await list({ ids: [tag._id] })).tags).toEqual([tag])
  })

  it('added many times at once is one', async () => {
    const people = await Promise.all([0, 1, 2, 3, 4, 5].map(() => buildCreator(harness)))
    const tags = await Promise.all(
      people.map((person, index) => add(index % 2 ? 'Blue Hour' : 'blue hour', person)),
    )
    expect(new Set(tags.map(({ _id }) => _id)).size).toBe(1)
    expect(await rowsNamed('blue hour')).toHaveLength(1)
  })

  it.each(['', 'a\u0000b', 'x'.repeat(41), '\u200b\u200b', '…'])('is not made of %j', async (name) => {
    const before = await harness.context.db.selectFrom('tags').select('id').execute()
    await expect(add(name)).rejects.toMatchObject({ status: 400, code: 'invalid_input' })
    expect(await harness.context.db.selectFrom('tags').select('id').execute()).toHaveLength(before.length)
  })

  it('is not a fan’s to add', async () => {
    await expect(add('Fan made', await buildFan(harness))).rejects.toMatchObject({ code: 'creators_only' })
    expect(await rowsNamed('fan made')).toEqual([])
  })
})

describe('tags', () => {
  it('come by part of their name, taken literally', async () => {
    await add('100% real')
    expect(namesOf((await list({ search: 'DEN HO' })).tags)).toEqual(['Golden Hour'])
    expect(namesOf((await list({ search: '0%' })).tags)).toEqual(['100% real'])
    expect(namesOf((await list({ search: '_' })).tags)).toEqual([])
    expect(namesOf((await list({ search: 'yo' })).tags)).toEqual(['Yoga'])
  })

  it('come the most used first once they are counted, and what discover really shows is suggested', async () => {
    const { db } = harness.context
    const [rare, common, locked] = [await add('Rare one'), await add('Common one'), await add('Locked one')]
    const item = async (tagIds: string[], mustUnlock = false) => {
      const id = await buildMedia(harness, creator, { mustUnlock, showInSearch: true })
      await db.updateTable('media').set({ tag_ids: tagIds }).where('id', '=', id).execute()
      return id
    }
    const first = await item([rare._id, common._id])
    await item([common._id])
    await item([locked._id], true)
    expect((await list()).suggested).toEqual([])
    await db.transaction().execute((tx) => enqueueTagCount(tx, harness.clock.now()))
    await db.transaction().execute((tx) => enqueueTagCount(tx, harness.clock.now()))
    const waiting = await sql`select from graphile_worker.jobs where key = 'tags.count'`.execute(db)
    expect(waiting.rows).toHaveLength(1)
    await harness.server.jobs['tags.count']({}, { attempt: 1, lastAttempt: true })
    const counted = await list({ limit: 3 })
    expect(namesOf(counted.suggested)).toEqual(['Common one', 'Rare one'])
    expect(namesOf(counted.tags).slice(0, 2)).toEqual(['Common one', 'Rare one'])
    await db.updateTable('media').set({ must_unlock: true }).where('id', '=', first).execute()
    await harness.server.jobs['tags.count']({}, { attempt: 1, lastAttempt: true })
    expect(namesOf((await list()).suggested)).toEqual(['Common one'])
  })

  it('are suggested 15 at most', async () => {
    const { db } = harness.context
    await db.updateTable('tags').set({ uses: 7 }).execute()
    expect((await list()).suggested).toHaveLength(15)
  })
})

it.each([
  [' Café  crème ', 'Café crème'],
  ['Cafe\u0301', 'Café'],
  ['🔥', '🔥'],
  ['a\u200bb', 'ab'],
  ['👩\u200d🎨', '👩\u200d🎨'],
  ['\u202e\u200b', null],
  ['!?', null],
])('the name %j is kept as %j', (typed, kept) => {
  expect(tagName(typed)).toBe(kept)
})
