import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NEW_SUBREDDITS_LIMIT } from '../../../../contract/forum.ts'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum, forumAdmin } from '../../../testing/promotion.ts'
import { trackNames } from './actions.ts'

let harness: Harness
let creator: Person
let unconnected: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  unconnected = await buildCreator(harness)
  await connectForum(harness, creator, 'SampleCreator')
})
beforeEach(() => forumAdmin(harness, 'DELETE', 'faults'))
afterAll(() => harness?.stop())

const HOUR_MS = 3_600_000
const as = (person: Person) => harness.api.as(person)
const requirements = (person: Person, subreddit: string) =>
  as(person).call(routes.subredditRequirements, { query: { subreddit } })
const flair = (person: Person, subreddit: string) =>
  as(person).send('GET', '/reddit/flair', { query: { subreddit } })
const refresh = (person: Person, subreddit: string) =>
  as(person).send('POST', '/reddit/srinfo/refresh', { body: { subreddit } })
const tracked = async (name: string) =>
  (await as(creator).send('GET', `/reddit/srinfo/${name}`)).status === 200
const fault = (body: object) => forumAdmin(harness, 'POST', 'faults', body)
const calls = async () => (await forumAdmin<{ count: number }>(harness, 'GET', 'requests')).count

describe('rules, flair and requirements', () => {
  test('come as the forum has them, and are kept for a day', async () => {
    const read = await requirements(creator, 'gardens')
    expect(read).toMatchObject({
      state: 'read',
      requirements: { is_flair_required: true, title_text_min_length: 10, title_required_strings: ['[OC]'] },
    })
    expect(read.rules.map(({ name }) => name)).toContain('Be kind')
    const { items } = await as(creator).call(routes.subredditFlair, { query: { subreddit: 'Gardens' } })
    expect(items.length).toBeGreaterThanOrEqual(3)
    const before = await calls()
    await requirements(creator, 'Gardens')
    await flair(unconnected, 'Gardens')
    expect(await calls()).toBe(before)
    harness.clock.advance(25 * HOUR_MS)
    await requirements(creator, 'Gardens')
    expect(await calls()).toBeGreaterThan(before)
  })

  test('of a subreddit whose people can’t choose flair are empty', async () => {
    expect(await flair(creator, 'PaperBoats')).toMatchObject({
      status: 200,
      body: { items: [], known: true },
    })
  })

  test('that an account can’t read are unknown, not none, and what another could read stays', async () => {
    const hidden = { path: '/r/GoldenTeapots/api/link_flair_v2', kind: 'status', status: 404, times: null }
    const name = 'GoldenTeapots'
    await forumAdmin(harness, 'POST', `subreddits/${name}`, {
      flair: [{ id: 'a1', text: 'Teapot', editable: false, modOnly: false, richtext: false }],
    })
    await fault(hidden)
    const unknown = await as(creator).call(routes.subredditFlair, { query: { subreddit: name } })
    expect(unknown).toMatchObject({ items: [], known: false })
    await forumAdmin(harness, 'DELETE', 'faults')
    await refresh(creator, name)
    const known = await as(creator).call(routes.subredditFlair, { query: { subreddit: name } })
    expect(known).toMatchObject({ items: [{ id: 'a1', text: 'Teapot' }], known: true })
    await fault(hidden)
    await refresh(creator, name)
    expect((await as(creator).call(routes.subredditFlair, { query: { subreddit: name } })).items).toEqual(
      known.items,
    )
  })

  test('that an account can’t read aren’t asked for at each view, and again after a while', async () => {
    const name = 'GoldenSweaters'
    for (const path of [`/r/${name}/api/link_flair_v2`, `/api/v1/${name}/post_requirements`])
      await fault({ path, kind: 'status', status: 404, times: null })
    await requirements(creator, name)
    const before = await calls()
    expect((await requirements(creator, name)).requirements).toBeNull()
    expect(await flair(creator, name)).toMatchObject({ status: 200, body: { known: false } })
    expect(await calls()).toBe(before)
    await forumAdmin(harness, 'DELETE', 'faults')
    harness.clock.advance(HOUR_MS + 1000)
    expect((await requirements(creator, name)).requirements).not.toBeNull()
  })

  test('without an account are rules alone', async () => {
    const read = await requirements(unconnected, 'Lanterns')
    expect(read).toMatchObject({ state: 'read', requirements: null })
    expect(await flair(unconnected, 'Lanterns')).toMatchObject({
      status: 409,
      body: { code: 'forum_not_connected' },
    })
  })

  test.each([
    ['QuietCorner', 409, 'subreddit_private'],
    ['OldMill', 409, 'subreddit_banned'],
    ['NeverThere', 404, 'subreddit_not_found'],
  ])('of %s are refused with a sentence, and nothing is tracked', async (name, status, code) => {
    expect(await flair(creator, name)).toMatchObject({ status, body: { code } })
    expect(await tracked(name)).toBe(false)
  })

  test('of a private subreddit are told to its members alone, as their own account sees them', async () => {
    const name = 'GoldenSweaters'
    const member = await buildCreator(harness)
    await connectForum(harness, member, 'QuietMember')
    await requirements(creator, name)
    await forumAdmin(harness, 'POST', `subreddits/${name}`, { type: 'private' })
    await forumAdmin(harness, 'POST', 'accounts/QuietMember', { contributesTo: [name] })
    await refresh(creator, name)
    const own = await flair(member, name)
    expect(own).toMatchObject({ status: 200, body: { known: true } })
    expect((own.body as { items: unknown[] }).items.length).toBeGreaterThan(0)
    for (const person of [creator, unconnected])
      expect(await flair(person, name)).toMatchObject({ status: 409, body: { code: 'subreddit_private' } })
    const { rules } = await requirements(member, name)
    expect(rules).toEqual([])
  })

  test('that changed are shown as changed', async () => {
    await refresh(creator, 'SlowBread')
    const before = await as(creator).call(routes.subreddit, { params: { subreddit: 'SlowBread' } })
    expect(before.changed).toBeNull()
    await forumAdmin(harness, 'POST', 'subreddits/SlowBread', {
      rules: [{ name: 'New rule', description: 'Bread only.', kind: 'all' }],
      subscribers: 60_001,
    })
    expect((await refresh(creator, 'SlowBread')).status).toBe(200)
    const after = await as(creator).call(routes.subreddit, { params: { subreddit: 'SlowBread' } })
    expect(after).toMatchObject({ subscribers: 60_001, changed: { parts: ['rules'] } })
    await forumAdmin(harness, 'POST', 'subreddits/SlowBread', { type: 'private' })
    expect(await refresh(creator, 'SlowBread')).toMatchObject({ status: 200, body: { state: 'private' } })
    const closed = await as(creator).call(routes.subreddit, { params: { subreddit: 'SlowBread' } })
    expect(closed).toMatchObject({ state: 'private', changed: { parts: ['access'] } })
  })

  test('that changed are kept with what they were, the latest few, and told to whoever planned a post there', async () => {
    const name = 'GoldenBicycles'
    const [planner, other] = [await buildCreator(harness), await buildCreator(harness)]
    await connectForum(harness, planner, 'Planner')
    await refresh(creator, name)
    const postId = await buildPost(harness, planner, { subreddits: [name] })
    await buildPost(harness, other, { subreddits: [name] })
    await as(planner).call(routes.createTimelineItem, {
      body: {
        ...{ postId, selectedSubreddit: name, title: 'A quiet lake', comment: '' },
        postTime: new Date(harness.clock.now().getTime() + HOUR_MS).toISOString(),
      },
    })
    const changes = async () =>
      (await as(creator).call(routes.subredditChanges, { params: { subreddit: name } })).items
    expect(await changes()).toEqual([])
    const kept = { name: 'Be kind', description: 'Kindness first.', kind: 'all' }
    const rules = (description: string) => ({ rules: [kept, { name: 'Titles', description, kind: 'all' }] })
    await forumAdmin(harness, 'POST', `subreddits/${name}`, rules('Short.'))
    await refresh(creator, name)
    await forumAdmin(harness, 'POST', `subreddits/${name}`, {
      ...rules('Long.'),
      requirements: { title_text_min_length: 12 },
    })
    await refresh(creator, name)
    const latest = (await changes()).slice(0, 2).map(({ change }) => change)
    expect(latest).toContainEqual({
      part: 'rules',
      before: [{ name: 'Titles', description: 'Short.' }],
      after: [{ name: 'Titles', description: 'Long.' }],
    })
    expect(latest.find(({ part }) => part === 'requirements')).toMatchObject({
      after: { title_text_min_length: 12 },
    })
    const told = async (person: Person) => {
      const { items } = await as(person).call(routes.notifications, { query: {} })
      return items.filter(({ event }) => event.kind === 'subreddit.changed').map(({ event }) => event.data)
    }
    expect(await told(planner)).toEqual([
      { subreddit: name, parts: ['rules', 'requirements'] },
      { subreddit: name, parts: ['rules'] },
    ])
    expect(await told(other)).toEqual([])
    for (let count = 0; count < 12; count++) {
      await forumAdmin(harness, 'POST', `subreddits/${name}`, rules(`Version ${count}.`))
      await refresh(creator, name)
    }
    expect(await changes()).toHaveLength(10)
  })

  test('that two readings find at once are kept and told once', async () => {
    const name = 'GoldenTeapots'
    const planner = await buildCreator(harness)
    await connectForum(harness, planner, 'TeapotPlanner')
    await refresh(planner, name)
    const postId = await buildPost(harness, planner, { subreddits: [name] })
    await as(planner).call(routes.createTimelineItem, {
      body: {
        ...{ postId, selectedSubreddit: name, title: 'A quiet lake', comment: '' },
        postTime: new Date(harness.clock.now().getTime() + HOUR_MS).toISOString(),
      },
    })
    const rules = [{ name: 'Titles', description: 'Short.', kind: 'all' }]
    await forumAdmin(harness, 'POST', `subreddits/${name}`, { rules })
    await Promise.all(Array.from({ length: 6 }, () => refresh(creator, name)))
    const { items } = await as(creator).call(routes.subredditChanges, { params: { subreddit: name } })
    expect(items.map(({ change }) => change.part)).toEqual(['rules'])
    const { items: told } = await as(planner).call(routes.notifications, { query: {} })
    expect(told.filter(({ event }) => event.kind === 'subreddit.changed')).toHaveLength(1)
  })

  test('that only moderators may choose stay with them', async () => {
    const moderator = await buildCreator(harness)
    await connectForum(harness, moderator, 'TheModerator')
    await forumAdmin(harness, 'POST', 'accounts/TheModerator', { moderates: ['Gardens'] })
    await refresh(moderator, 'Gardens')
    const { items } = await as(moderator).call(routes.subredditFlair, { query: { subreddit: 'Gardens' } })
    expect(items.map(({ text }) => text)).not.toContain('Moderators')
  })
})

describe('a forum in trouble', () => {
  const lanterns = () => refresh(creator, 'Lanterns')

  test.each([
    ['down', { kind: 'status', status: 503 }, 503, 'forum_down'],
    ['cut off', { kind: 'drop' }, 503, 'forum_down'],
    ['over its limit', { kind: 'tooMany' }, 503, 'forum_busy'],
    ['unreadable', { kind: 'malformed' }, 502, 'forum_malformed'],
    ['a page', { kind: 'html', status: 200 }, 502, 'forum_malformed'],
  ] as const)(
    'that is %s is told in one sentence, and what was known stays',
    async (_, fails, status, code) => {
      await lanterns()
      const before = await requirements(creator, 'Lanterns')
      await fault({ path: '/r/', times: null, ...fails })
      expect(await lanterns()).toMatchObject({ status, body: { code } })
      expect(await requirements(creator, 'Lanterns')).toEqual(before)
    },
  )

  test('leaves what it said the day before, until somebody asks it again', async () => {
    const flairOf = (person: Person) =>
      as(person).call(routes.subredditFlair, { query: { subreddit: 'Lanterns' } })
    await lanterns()
    const before = [await requirements(creator, 'Lanterns'), await flairOf(creator)]
    harness.clock.advance(25 * HOUR_MS)
    await fault({ path: '/r/', kind: 'status', status: 503, times: null })
    expect([await requirements(creator, 'Lanterns'), await flairOf(creator)]).toEqual(before)
    expect(await lanterns()).toMatchObject({ status: 503, body: { code: 'forum_down' } })
    // A field that was never read isn't shown as known.
    await buildSubreddits(harness, ['SlowBread'])
    expect(await flair(creator, 'SlowBread')).toMatchObject({ status: 503, body: { code: 'forum_down' } })
    await forumAdmin(harness, 'DELETE', 'faults')
    expect((await flairOf(creator)).readAt).not.toBe(before[0]?.readAt)
  })

  test('is asked again when it stumbled once', async () => {
    await fault({ path: '/r/', kind: 'status', status: 502, times: 1 })
    expect((await lanterns()).status).toBe(200)
  })

  test('keeps nobody from what is tracked already, and loses nothing of what is new', async () => {
    await buildSubreddits(harness, ['Ceramics'])
    await fault({ path: '/r/', kind: 'status', status: 503, times: null })
    const update = (srName: string) =>
      as(creator).send('POST', '/reddit/updateusersrinfo', { body: { srName, status: 'todo' } })
    expect((await update('Ceramics')).status).toBe(200)
    expect(await update('CozyGardens')).toMatchObject({ status: 503, body: { code: 'forum_down' } })
    expect(await tracked('CozyGardens')).toBe(false)
    await forumAdmin(harness, 'DELETE', 'faults')
    expect(await update('cozygardens')).toMatchObject({ status: 200, body: { name: 'CozyGardens' } })
    expect(await tracked('CozyGardens')).toBe(true)
    expect(await update('NeverThere')).toMatchObject({ status: 404, body: { code: 'subreddit_not_found' } })
  })
})

describe('names that nobody used before', () => {
  test('are looked up so often for one person, wherever they name them, and not for others', async () => {
    const curious = await buildCreator(harness)
    const { points } = NEW_SUBREDDITS_LIMIT
    const before = await calls()
    const { _id: listId } = await as(curious).call(routes.createSubredditList, { body: { title: 'All' } })
    const asked = { listId, title: 'All', removeFromSearch: false }
    for (let first = 0; first < points; first += 25) {
      const subreddits = Array.from({ length: 25 }, (_, index) => `Unheard${first + index}`)
      await as(curious).call(routes.updateSubredditList, { body: { ...asked, subreddits } })
    }
    expect((await calls()) - before).toBe(points)
    const update = (person: Person, srName: string) =>
      as(person).send('POST', '/reddit/updateusersrinfo', { body: { srName, status: 'todo' } })
    const verify = (subreddit: string) =>
      as(curious).send('POST', '/reddit/verifysub', { body: { subreddit } })
    const refused = { status: 429, body: { code: 'rate_limited' } }
    expect(await update(curious, 'OneMore')).toMatchObject(refused)
    expect(await verify('OneMore')).toMatchObject(refused)
    expect(await refresh(curious, 'OneMore')).toMatchObject(refused)
    expect((await calls()) - before).toBe(points)
    await buildSubreddits(harness, ['KnownAlready'])
    expect((await update(curious, 'KnownAlready')).status).toBe(200)
    expect((await update(creator, 'OneMore')).status).toBe(404)
    harness.clock.advance(NEW_SUBREDDITS_LIMIT.seconds * 1000 + 1000)
    expect((await update(curious, 'OneMore')).status).toBe(404)
  })

  test('that can’t be looked up hold up no other: what is found is tracked, the rest told', async () => {
    const names = ['GoldenBakers', 'NeverThere', 'OldMill', 'GoldenLanterns', 'QuietCorner']
    const refused = await trackNames(harness.context, { names, userId: creator.id })
    expect(refused.map(({ name, error }) => [name, error.code])).toEqual([
      ['NeverThere', 'subreddit_not_found'],
      ['OldMill', 'subreddit_banned'],
    ])
    for (const name of ['GoldenBakers', 'GoldenLanterns', 'QuietCorner'])
      expect(await tracked(name)).toBe(true)
  })

  test('are asked for no further once the forum is down', async () => {
    await fault({ path: '/r/', kind: 'status', status: 503, times: null })
    const names = Array.from({ length: 20 }, (_, index) => `Quiet${index}Teapots`)
    const before = await calls()
    const refused = await trackNames(harness.context, { names, userId: creator.id })
    expect(refused.map(({ error }) => error.code)).toEqual(Array(20).fill('forum_down'))
    // Five at once, each three times.
    expect((await calls()) - before).toBe(15)
  })
})
