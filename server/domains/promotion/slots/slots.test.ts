import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/route.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import {
  buildFlair,
  buildPost,
  buildSubreddits,
  connectForum,
  submitDue,
} from '../../../testing/promotion.ts'
import { beginNoon } from '../../../testing/schedule.ts'

const DAY_MS = 86_400_000
const SUBREDDITS = Array.from({ length: 10 }, (_, index) => `EveningKnits${index}`)
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]

let harness: Harness
let accounts = 0
beforeAll(async () => {
  harness = await startHarness()
  beginNoon(harness)
  // How many of its times are ahead depends on the day of the week.
  while (harness.clock.now().getUTCDay() !== 1) harness.clock.advance(DAY_MS)
  await buildSubreddits(harness, SUBREDDITS)
})
afterAll(() => harness?.stop())

type Slot = Input<typeof routes.saveSlot>['body']

/** A creator with an account, and what they do with slots. */
async function buildPlanner() {
  const person = await buildCreator(harness)
  await connectForum(harness, person, `Knitter${accounts++}`)
  const api = harness.api.as(person)
  const timeline = async () => (await api.call(routes.timeline, { query: { limit: 60 } })).items
  return {
    person,
    api,
    timeline,
    save: (slot: Partial<Slot> = {}) =>
      api.call(routes.saveSlot, {
        body: { days: EVERY_DAY, time: '18:30', subreddit: null, accountId: null, byHand: false, ...slot },
      }),
    list: async () => (await api.call(routes.slots, {})).items,
    posts: (count: number, subreddits = SUBREDDITS) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          buildPost(harness, person, { subreddits, titles: [`A shawl ${index}`] }),
        ),
      ),
  }
}

const fill = () => harness.server.jobs['slots.fill']({}, { attempt: 1, lastAttempt: false })
const idOf = (person: Person) => person.id

describe('a recurring slot', () => {
  test('is filled for the days ahead with the first candidates, each day once, whoever fills it how often', async () => {
    const planner = await buildPlanner()
    await planner.posts(2)
    const saved = await planner.save()
    expect(saved).toMatchObject({ problem: null })
    expect(saved.scheduled).toBeGreaterThanOrEqual(7)
    const items = await planner.timeline()
    expect(items).toHaveLength(saved.scheduled)
    expect(items.every(({ postTime }) => postTime.endsWith('T18:30:00.000Z'))).toBe(true)
    expect(new Set(items.map(({ postTime }) => postTime)).size).toBe(items.length)
    // One subreddit of each post in turn, as candidates are offered.
    expect(new Set(items.slice(0, 2).map(({ postId }) => postId)).size).toBe(2)
    await Promise.all([fill(), fill(), fill()])
    expect(await planner.timeline()).toEqual(items)
    const [slot] = await planner.list()
    expect(slot).toMatchObject({ _id: saved._id, time: '18:30', planned: items.length, problem: null })
    expect(slot?.nextTime).toBe(items[0]?.postTime)
  })

  test('that loses a post leaves that day free, and fills the next week as it comes', async () => {
    const planner = await buildPlanner()
    await planner.posts(3)
    await planner.save({ days: [3] })
    const [item] = await planner.timeline()
    await planner.api.call(routes.cancelTimelineItem, { body: { itemId: item?._id ?? '' } })
    await fill()
    expect((await planner.timeline()).map(({ postTime }) => postTime)).not.toContain(item?.postTime)
    const before = (await planner.timeline()).length
    harness.clock.advance(7 * DAY_MS)
    await fill()
    const times = (await planner.timeline()).map(({ postTime }) => postTime)
    expect(times).toHaveLength(before + 1)
    expect(new Set(times).size).toBe(times.length)
  })

  test('is for one subreddit and one account where they are named, and by hand where that is chosen', async () => {
    const planner = await buildPlanner()
    await connectForum(harness, planner.person, `Second${accounts++}`)
    const second = (await planner.api.call(routes.queue, {})).accounts[1]
    await planner.posts(8)
    await planner.save({ subreddit: 'eveningknits4', accountId: second?._id ?? null, time: '07:05' })
    await planner.save({ byHand: true, time: '21:00', days: [0, 6] })
    const items = await planner.timeline()
    const named = items.filter(({ postTime }) => postTime.includes('T07:05'))
    expect(named.length).toBeGreaterThanOrEqual(7)
    expect(new Set(named.map(({ subreddit }) => subreddit))).toEqual(new Set(['EveningKnits4']))
    expect(new Set(named.map(({ account }) => account))).toEqual(new Set([second?.name]))
    expect(named.some(({ byHand }) => byHand)).toBe(false)
    const byHand = items.filter(({ postTime }) => postTime.includes('T21:00'))
    expect(byHand.length).toBeGreaterThan(0)
    expect(byHand.every((item) => item.byHand)).toBe(true)
  })

  test('is filled however many there are: what is read at once isn’t all there is', async () => {
    const planner = await buildPlanner()
    const { db, clock } = harness.context
    await planner.posts(28)
    await db
      .insertInto('forum_slots')
      .values(
        Array.from({ length: 30 }, (_, index) => ({
          user_id: idOf(planner.person),
          days: EVERY_DAY,
          minute: index * 40,
          created_at: clock.now(),
        })),
      )
      .execute()
    await fill()
    const slots = await planner.list()
    const planned = slots.reduce((sum, slot) => sum + slot.planned, 0)
    expect(planned).toBeGreaterThanOrEqual(30 * 7)
    expect(slots.map(({ problem }) => problem)).toEqual(slots.map(() => null))
  })

  test('that can’t be filled says why, and is filled once there is something', async () => {
    const planner = await buildPlanner()
    const { _id, scheduled, problem } = await planner.save()
    expect([scheduled, problem]).toEqual([0, expect.stringContaining('run out of posts')])
    const [postId = ''] = await planner.posts(1, SUBREDDITS.slice(0, 1))
    await planner.api.call(routes.hidePost, { params: { redditPostId: postId }, body: { hidden: true } })
    await fill()
    expect(await planner.timeline()).toEqual([])
    await planner.api.call(routes.hidePost, { params: { redditPostId: postId }, body: { hidden: false } })
    await fill()
    expect(await planner.timeline()).toHaveLength(1)
    expect((await planner.list())[0]).toMatchObject({ _id, planned: 1 })
  })

  test('passes over what breaks a rule, and names the rule where all do', async () => {
    const { db } = harness.context
    const planner = await buildPlanner()
    const frequency = { post_max: 1, post_interval: 30, post_unit: 'days' as const }
    await db.updateTable('subreddits').set(frequency).where('name', '=', 'EveningKnits9').execute()
    await planner.posts(2, ['EveningKnits9', 'EveningKnits1'])
    const { scheduled, problem } = await planner.save()
    // Both posts in one subreddit, one of them in the other.
    expect(scheduled).toBe(3)
    expect(problem).toContain('EveningKnits9 allows 1 post every 30 days')
    const there = (await planner.timeline()).filter(({ subreddit }) => subreddit === 'EveningKnits9')
    expect(there).toHaveLength(1)
  })

  test('is filled beyond whatever many posts a subreddit or a picture refuses', async () => {
    const { db } = harness.context
    const names = ['EveningGate', 'EveningPath']
    await buildSubreddits(harness, names)
    const gate = db.updateTable('subreddits').where('name', '=', 'EveningGate')
    await gate.set({ verification_type: 'required' }).execute()
    const planner = await buildPlanner()
    await planner.posts(25, names)
    const saved = await planner.save()
    expect(saved).toMatchObject({ problem: null })
    expect(saved.scheduled).toBeGreaterThanOrEqual(7)
    const items = await planner.timeline()
    expect(new Set(items.map(({ subreddit }) => subreddit))).toEqual(new Set(['EveningPath']))
    // A slot of the other subreddit alone says what is wrong there, whatever is known from the first one.
    expect(await planner.save({ time: '20:00', subreddit: 'EveningGate' })).toMatchObject({
      scheduled: 0,
      problem: 'r/EveningGate requires verification first.',
    })
  })

  test('reads on where the first hundreds of candidates are all refused', async () => {
    const { db, clock } = harness.context
    await buildSubreddits(harness, ['EveningQueue', 'EveningRest'])
    const planner = await buildPlanner()
    const [last = ''] = await planner.posts(1, ['EveningRest'])
    const titles = ['A shawl']
    const made = await db
      .insertInto('forum_posts')
      .values(
        Array.from({ length: 230 }, (_, index) => ({
          user_id: idOf(planner.person),
          titles,
          comment: '',
          link: `https://www.redgifs.com/ifr/shawl${index}`,
          created_at: clock.now(),
        })),
      )
      .returning('id')
      .execute()
    const { id: subreddit_id } = await db
      .updateTable('subreddits')
      .set({ post_max: 1, post_interval: 30, post_unit: 'days' })
      .where('name', '=', 'EveningQueue')
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('forum_post_subreddits')
      .values(made.map(({ id }) => ({ post_id: id, subreddit_id, state: 'usable' as const, place: 0 })))
      .execute()
    await planner.save()
    const items = await planner.timeline()
    expect(items.map(({ subreddit }) => subreddit)).toEqual(['EveningQueue', 'EveningRest'])
    expect(items[1]?.postId).toBe(last)
  })

  test('takes the flair that its person used there last where the subreddit asks for one', async () => {
    const planner = await buildPlanner()
    await buildSubreddits(harness, ['EveningFlair'])
    await buildFlair(harness, 'EveningFlair', [{ id: 'own', text: 'Yours', editable: true }])
    const [postId = ''] = await planner.posts(3, ['EveningFlair'])
    expect(await planner.save({ days: [2] })).toMatchObject({
      scheduled: 0,
      problem: 'Choose a flair: r/EveningFlair requires one.',
    })
    await planner.api.call(routes.createTimelineItem, {
      body: {
        ...{ postId, selectedSubreddit: 'EveningFlair', title: 'A shawl', comment: '' },
        ...{
          flairId: 'own',
          flairText: 'By the fire',
          postTime: new Date(harness.clock.now().getTime() + 60_000).toISOString(),
        },
      },
    })
    await fill()
    expect((await planner.list())[0]).toMatchObject({ planned: 1, problem: null })
    expect((await planner.timeline()).map(({ flairText }) => flairText)).toEqual([
      'By the fire',
      'By the fire',
    ])
  })

  test('that is deleted leaves what is scheduled, and added again schedules nothing twice', async () => {
    const planner = await buildPlanner()
    await planner.posts(4)
    const { _id } = await planner.save()
    const items = await planner.timeline()
    await planner.api.call(routes.deleteSlot, { body: { slotId: _id } })
    expect(await planner.list()).toEqual([])
    expect(await planner.timeline()).toEqual(items)
    expect((await planner.save()).scheduled).toBe(0)
    expect(await planner.timeline()).toEqual(items)
    expect((await planner.list())[0]).toMatchObject({ planned: items.length, problem: null })
  })

  test('has its own post beside another slot of the same time', async () => {
    const planner = await buildPlanner()
    await planner.posts(3)
    await planner.save({ days: [2] })
    const once = (await planner.timeline()).length
    await planner.save({ days: [2], subreddit: 'EveningKnits7' })
    await fill()
    expect(await planner.timeline()).toHaveLength(2 * once)
    expect((await planner.list()).map(({ planned }) => planned)).toEqual([once, once])
  })

  test('goes by the time zone of the queue, and fills a paused one too, from which nothing goes up', async () => {
    const planner = await buildPlanner()
    await planner.posts(4)
    await planner.api.call(routes.editQueue, { body: { timeZone: 'Asia/Tokyo', paused: true } })
    await planner.save({ time: '00:30' })
    const items = await planner.timeline()
    expect(items.every(({ postTime }) => postTime.endsWith('T15:30:00.000Z'))).toBe(true)
    harness.clock.advance(2 * DAY_MS)
    await submitDue(harness)
    expect((await planner.timeline()).map(({ state }) => state)).toEqual(items.map(() => 'scheduled'))
  })

  test('of somebody else isn’t there, and nobody’s account or subreddit is borrowed', async () => {
    const planner = await buildPlanner()
    const { _id: slotId } = await planner.save()
    const stranger = await buildPlanner()
    const own = (await planner.api.call(routes.queue, {})).accounts[0]?._id ?? null
    await expect(stranger.save({ slotId })).rejects.toMatchObject({ code: 'slot_not_found' })
    await expect(stranger.api.call(routes.deleteSlot, { body: { slotId } })).rejects.toMatchObject({
      code: 'slot_not_found',
    })
    await expect(stranger.save({ accountId: own })).rejects.toMatchObject({ code: 'forum_account_not_found' })
    await expect(stranger.save({ subreddit: 'Nowhere' })).rejects.toMatchObject({
      code: 'subreddit_not_found',
    })
    expect(await stranger.list()).toEqual([])
    expect((await planner.list()).map(({ _id }) => _id)).toEqual([slotId])
  })

  test('is one of at most a hundred, however many are added at once', async () => {
    const planner = await buildPlanner()
    const { db, clock } = harness.context
    await db
      .insertInto('forum_slots')
      .values(
        Array.from({ length: 97 }, (_, minute) => ({
          user_id: idOf(planner.person),
          days: [1],
          minute,
          created_at: clock.now(),
        })),
      )
      .execute()
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => planner.save()))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await planner.list()).toHaveLength(100)
  })
})
