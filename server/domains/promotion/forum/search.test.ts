import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum, forumAdmin } from '../../../testing/promotion.ts'

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  await connectForum(harness, creator, 'SampleCreator')
})
afterAll(() => harness?.stop())

const as = (person: Person) => harness.api.as(person)

describe('the forum’s own search', () => {
  test('goes on by its token, and says what is tracked', async () => {
    await buildSubreddits(harness, ['Gardens'])
    const found = new Map<string, boolean>()
    let after: string | null = null
    let count = 0
    do {
      const page = await as(creator).call(routes.searchForum, {
        query: { search: 'gardens', count, ...(after ? { after } : {}) },
      })
      expect(page.subreddits.length).toBeLessThanOrEqual(10)
      for (const { name, known } of page.subreddits) found.set(name, known)
      count += page.subreddits.length
      after = page.after as string | null
    } while (after)
    expect(found.size).toBeGreaterThan(10)
    expect(found.get('Gardens')).toBe(true)
    expect([...found.values()].filter(Boolean)).toHaveLength(1)
  })

  test('brings the creator’s own record of what is tracked, and tells what they removed from search', async () => {
    const names = ['CozyTeapots', 'CozyBicycles', 'CozySweaters', 'CozyBakers']
    await buildSubreddits(harness, names)
    const [mine, other] = [await buildCreator(harness), await buildCreator(harness)]
    const record = { srName: 'CozyTeapots', status: 'pending' as const }
    await as(mine).call(routes.updateVerification, { body: record })
    for (const [person, subreddit] of [
      [mine, 'CozyBicycles'],
      [other, 'CozySweaters'],
    ] as const) {
      const { _id: listId } = await as(person).call(routes.createSubredditList, { body: { title: 'No' } })
      const body = { listId, title: 'No', subreddits: [subreddit], removeFromSearch: true }
      await as(person).call(routes.updateSubredditList, { body })
    }
    const found = new Map<string, unknown>()
    for (const search of names) {
      const { subreddits } = await as(mine).call(routes.searchForum, { query: { search } })
      for (const one of subreddits) found.set(one.name, one)
    }
    expect(found.get('CozyTeapots')).toMatchObject({
      known: true,
      status: 'pending',
      removedFromSearch: false,
    })
    expect(found.get('CozyBicycles')).toMatchObject({ status: null, removedFromSearch: true })
    expect(found.get('CozySweaters')).toMatchObject({ verificationType: 'unset', removedFromSearch: false })
  })

  test('finds no name that can’t be chosen then', async () => {
    const name = 'A-quiet-place-for-teapots'
    await buildSubreddits(harness, [name])
    const post = await buildPost(harness, creator, { subreddits: [name, 'Gardens'] })
    const { usableSubreddits } = await as(creator).call(routes.post, { params: { redditPostId: post } })
    expect(usableSubreddits).toEqual([name, 'Gardens'])
  })

  test('is there for who has no account yet', async () => {
    const page = await as(await buildCreator(harness)).call(routes.searchForum, {
      query: { search: 'ceramics' },
    })
    expect(page.subreddits.map(({ name }) => name)).toContain('Ceramics')
  })
})

test('a search goes on without an account that the forum no longer takes', async () => {
  const person = await buildCreator(harness)
  await connectForum(harness, person, 'Withdrawn')
  await forumAdmin(harness, 'POST', 'tokens/revoke', { account: 'Withdrawn' })
  const page = await as(person).call(routes.searchForum, { query: { search: 'ceramics' } })
  expect(page.subreddits.map(({ name }) => name)).toContain('Ceramics')
})
