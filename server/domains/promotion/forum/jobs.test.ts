import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum, forumAdmin } from '../../../testing/promotion.ts'
import { findReading } from './data.ts'
import { forumJobs } from './jobs.ts'

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  await connectForum(harness, creator, 'SampleCreator')
})
beforeEach(() => forumAdmin(harness, 'DELETE', 'faults'))
afterAll(() => harness?.stop())

const HOUR_MS = 3_600_000
const as = (person: Person) => harness.api.as(person)
const fault = (body: object) => forumAdmin(harness, 'POST', 'faults', body)
const calls = async () => (await forumAdmin<{ count: number }>(harness, 'GET', 'requests')).count

describe('the job', () => {
  const work = () => harness.server.jobs['forum.refresh']({}, { attempt: 1, lastAttempt: true })
  const state = async (name: string) =>
    (await as(creator).call(routes.subreddit, { params: { subreddit: name } })).state

  test('reads what is due, and once the forum is back what failed', async () => {
    await buildSubreddits(harness, ['QuietGardens', 'GoldenGardens', 'Vanished'])
    await fault({ path: '/r/', kind: 'status', status: 503, times: null })
    await work()
    expect(await state('QuietGardens')).toBe('unread')
    await forumAdmin(harness, 'DELETE', 'faults')
    harness.clock.advance(2 * HOUR_MS)
    await work()
    expect([await state('QuietGardens'), await state('GoldenGardens'), await state('Vanished')]).toEqual([
      'read',
      'read',
      'gone',
    ])
    const before = await calls()
    await work()
    expect(await calls()).toBe(before)
  })

  test('asks soon for what takes an account, once one is connected whose posts can go there', async () => {
    const [one, other] = ['BrightBicycles', 'BrightSweaters']
    await buildSubreddits(harness, [one, other])
    const [keeper, later] = [await buildCreator(harness), await buildCreator(harness)]
    await buildPost(harness, keeper, { subreddits: [one] })
    await work()
    const isKnown = async (name: string) =>
      Boolean((await findReading(harness.context.db, name))?.account_read_at)
    // Nobody’s account could tell.
    expect([await isKnown(one), await isKnown(other)]).toEqual([false, false])
    await connectForum(harness, keeper, 'LateKeeper')
    await work()
    expect([await isKnown(one), await isKnown(other)]).toEqual([true, false])
    // A post of somebody without an account asks for nothing.
    await buildPost(harness, later, { subreddits: [other] })
    const before = await calls()
    await work()
    expect(await calls()).toBe(before)
    await buildPost(harness, keeper, { subreddits: [other] })
    await work()
    expect(await isKnown(other)).toBe(true)
  })

  test('keeps fresh what takes an account where everything is on the timeline already', async () => {
    const name = 'BrightLanterns'
    await buildSubreddits(harness, [name])
    const planner = await buildCreator(harness)
    await connectForum(harness, planner, 'LatePlanner')
    const postId = await buildPost(harness, planner, { subreddits: [name] })
    await work()
    const body = {
      postId,
      selectedSubreddit: name,
      title: 'A quiet lake',
      comment: '',
      postTime: 'endOfQueue',
    }
    await as(planner).call(routes.createTimelineItem, { body })
    const before = await findReading(harness.context.db, name)
    harness.clock.advance(25 * HOUR_MS)
    await work()
    const after = await findReading(harness.context.db, name)
    expect(after?.account_read_at?.getTime()).toBeGreaterThan(before?.account_read_at?.getTime() ?? Infinity)
  })

  test('tries another account where the first can’t tell', async () => {
    const name = 'BrightTeapots'
    await buildSubreddits(harness, [name])
    const names = ['ReaderOne', 'ReaderTwo', 'ReaderThree']
    for (const account of names) {
      const person = await buildCreator(harness)
      await connectForum(harness, person, account)
      await buildPost(harness, person, { subreddits: [name] })
    }
    for (const account of names.slice(0, 2))
      await fault({ account, kind: 'status', status: 404, times: null })
    harness.clock.advance(25 * HOUR_MS)
    await work()
    const { flair, requirements } = (await findReading(harness.context.db, name)) ?? {}
    expect([flair, requirements]).toEqual([expect.anything(), expect.anything()])
  })

  test('ends after a while, however slow the forum is, and goes on in the next run', async () => {
    await buildSubreddits(harness, ['SlowTeapots', 'SlowBicycles', 'SlowGardens'])
    const { clock } = harness.context
    // Each look at the clock is a minute later.
    let looks = 0
    const slow = { ...clock, now: () => new Date(clock.now().getTime() + looks++ * 60_000) }
    const unread = async () => {
      const states = ['SlowTeapots', 'SlowBicycles', 'SlowGardens'].map((name) => state(name))
      return (await Promise.all(states)).filter((each) => each === 'unread').length
    }
    const run = () => forumJobs({ ...harness.context, clock: slow })['forum.refresh']()
    await run()
    expect(await unread()).toBe(2)
    await run()
    expect(await unread()).toBe(1)
  })

  test('isn’t held up by subreddits whose answers can’t be read', async () => {
    const odd = ['OddOne', 'OddTwo', 'OddThree', 'OddFour']
    await buildSubreddits(harness, odd)
    harness.clock.advance(1000)
    await buildSubreddits(harness, ['WarmGardens'])
    await fault({ path: '/r/Odd', kind: 'html', status: 200, times: null })
    await work()
    expect(await state('WarmGardens')).not.toBe('unread')
    expect(await state('OddOne')).toBe('unread')
  })

  test('leaves what is due as it is once the limit is used up', async () => {
    await buildSubreddits(harness, ['SoftGardens', 'WarmTeapots'])
    await fault({ path: '/r/', kind: 'tooMany', times: null })
    const before = await calls()
    await work()
    expect((await calls()) - before).toBe(1)
  })
})
