import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits, forumAdmin } from '../../../testing/promotion.ts'

let harness: Harness
let creator: Person
let operator: Person
const names = ['Asters', 'Begonias', 'Camellias', 'Dahlias']
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  operator = await buildUser(harness, { role: 'superadmin' })
  await buildSubreddits(harness, names)
})
afterAll(() => harness?.stop())

const as = (person: Person) => harness.api.as(person)
const create = (person: Person, title: string, siteWide = false) =>
  as(person).call(routes.createSubredditList, { body: { title, siteWide } })
const found = async (person: Person, query: Record<string, unknown> = {}) =>
  (await as(person).call(routes.searchSubreddits, { query: { sortBy: 'name', ...query } })).items.map(
    ({ name }) => name,
  )

describe('a list of subreddits', () => {
  test('is created empty, filled sorted by name, renamed and deleted', async () => {
    const { _id: listId } = await create(creator, 'working')
    const update = {
      listId,
      title: 'Works well',
      subreddits: ['dahlias', 'Asters', 'ASTERS'],
      removeFromSearch: false,
    }
    const updated = await as(creator).call(routes.updateSubredditList, { body: update })
    expect(updated).toMatchObject({ title: 'Works well', count: 2, siteWide: false })
    const shown = await as(creator).call(routes.subredditList, { params: { listId } })
    expect(shown.subreddits).toEqual(['Asters', 'Dahlias'])
    // What isn't named stays.
    const renamed = await as(creator).call(routes.updateSubredditList, {
      body: { listId, title: 'Works best' },
    })
    expect(renamed).toMatchObject({ title: 'Works best', count: 2 })
    await as(creator).call(routes.updateSubredditList, { body: { listId, subreddits: ['Asters'] } })
    const all = await as(creator).call(routes.subredditLists, { query: {} })
    expect(all.items.map(({ title }) => title)).toEqual(['Works best'])
    await as(creator).call(routes.deleteSubredditList, { body: { listId } })
    expect((await as(creator).call(routes.subredditLists, { query: {} })).items).toEqual([])
    expect(await found(creator)).toEqual(names)
  })

  test('has a title of its own, of twenty at once too', async () => {
    const person = await buildCreator(harness)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        as(person).send('POST', '/reddit/srlists/create', {
          body: { title: index % 2 ? 'Banned' : 'banned' },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  test('keeps what it can of an update, and tells what it can’t', async () => {
    const person = await buildCreator(harness)
    const { _id: listId } = await create(person, 'pending')
    const body = {
      listId,
      title: 'other',
      subreddits: ['Asters', ...Array.from({ length: 26 }, (_, index) => `Unknown${index}`), 'Begonias'],
      removeFromSearch: true,
    }
    const { refused, count } = await as(person).call(routes.updateSubredditList, { body })
    expect(count).toBe(2)
    const codes = new Map(refused.map(({ name, code }) => [name, code]))
    expect(codes.get('Unknown0')).toBe('subreddit_not_found')
    expect(codes.get('Unknown25')).toBe('too_many_new_subreddits')
    expect(refused).toHaveLength(26)
    const shown = await as(person).call(routes.subredditList, { params: { listId } })
    expect(shown).toMatchObject({ title: 'other', subreddits: ['Asters', 'Begonias'] })
  })

  test('keeps its subreddits out of every search of tracked ones when it removes from search', async () => {
    const person = await buildCreator(harness)
    const { _id: listId } = await create(person, 'problem')
    const body = { listId, title: 'problem', subreddits: ['Begonias'], removeFromSearch: true }
    await as(person).call(routes.updateSubredditList, { body })
    expect(await found(person)).toEqual(['Asters', 'Camellias', 'Dahlias'])
    expect(await found(creator)).toEqual(names)
    const { _id: other } = await create(person, 'later')
    await as(person).call(routes.updateSubredditList, {
      body: { listId: other, title: 'later', subreddits: ['Asters'], removeFromSearch: false },
    })
    expect(await found(person, { excludeListIds: [other] })).toEqual(['Camellias', 'Dahlias'])
    // Another list can hold it all the same.
    expect(await found(person, { search: 'begonias' })).toEqual([])
    expect(await found(person, { search: 'begonias', withRemoved: 'true' })).toEqual(['Begonias'])
    expect(await found(person, { withRemoved: 'true', excludeListIds: [other] })).toEqual(names.slice(1))
    // Another’s list is nobody’s business: naming it leaves nothing out.
    expect(await found(creator, { excludeListIds: [other, listId] })).toEqual(names)
  })

  test('of another creator isn’t there', async () => {
    const stranger = await buildCreator(harness)
    const { _id: listId } = await create(creator, 'private')
    const answers = [
      await as(stranger).send('GET', `/reddit/srlists/${listId}`),
      await as(stranger).send('POST', '/reddit/srlists/delete', { body: { listId } }),
      await as(stranger).send('POST', '/reddit/srlists/update', {
        body: { listId, title: 'mine', subreddits: [], removeFromSearch: false },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await as(creator).call(routes.subredditList, { params: { listId } })).toMatchObject({
      title: 'private',
    })
  })
})

describe('an operator’s list for everybody', () => {
  test('is seen by all who ask for it, and changed by operators only', async () => {
    const { _id: listId } = await create(operator, 'Good for a start', true)
    const body = { listId, title: 'Good for a start', subreddits: ['Camellias'], removeFromSearch: false }
    await as(operator).call(routes.updateSubredditList, { body })
    const seen = await as(creator).call(routes.subredditLists, { query: { getSiteWide: 'true' } })
    expect(seen.items.filter(({ siteWide }) => siteWide)).toMatchObject([
      { _id: listId, subreddits: ['Camellias'] },
    ])
    const refused = [
      await as(creator).send('POST', '/reddit/srlists/create', { body: { title: 'x', siteWide: true } }),
      await as(creator).send('POST', '/reddit/srlists/delete', { body: { listId } }),
      await as(creator).send('POST', '/reddit/srlists/update', { body: { ...body, subreddits: [] } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    // Nor does the forum get a call for them.
    const calls = async () => (await forumAdmin<{ count: number }>(harness, 'GET', 'requests')).count
    const before = await calls()
    const change = { ...body, subreddits: ['NeverNamed'] }
    expect((await as(creator).send('POST', '/reddit/srlists/update', { body: change })).status).toBe(403)
    expect(await calls()).toBe(before)
    const shown = await as(creator).call(routes.subredditList, { params: { listId } })
    expect(shown.subreddits).toEqual(['Camellias'])
  })
})
