import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NEW_SUBREDDITS_LIMIT } from '../../../../contract/forum.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { consent, forumAdmin } from '../../../testing/promotion.ts'
import { createBudget, WINDOW_CALLS } from './budget.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const MINUTE_MS = 60_000
const budget = (client: string) => createBudget(harness.context.db, client)
const now = () => harness.clock.now()

/** As many as a server has connections: more would wait for one, and longer on a busy machine than is waited. */
const AT_ONCE = 20

/** How many of these calls were given, of which so many are asked for at once. */
async function given(calls: number, take: () => Promise<number | null>): Promise<number> {
  let left = calls
  let count = 0
  const caller = async () => {
    while (left-- > 0) if ((await take()) === null) count += 1
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
  return count
}

describe('the budget of calls', () => {
  test('gives each of many callers one call or none, and leaves some to what matters more', async () => {
    const { take } = budget('many')
    const background = await given(1_100, () => take('background', now()))
    const interactive = await given(1_100, () => take('interactive', now()))
    expect(background).toBeGreaterThan(400)
    expect(interactive).toBeGreaterThan(200)
    expect(background + interactive).toBeLessThan(WINDOW_CALLS)
    const wait = await take('interactive', now())
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(600)
  })

  test('is all there for what publishes, however much people read', async () => {
    const { take } = budget('publishing')
    const read = await given(1_100, () => take('interactive', now()))
    expect(await given(1_100, () => take('publishing', now()))).toBe(WINDOW_CALLS - read)
    expect(WINDOW_CALLS - read).toBeGreaterThan(50)
    expect(await take('publishing', now())).toBeGreaterThan(0)
  })

  test('is whole again when its window is over', async () => {
    const { take, note } = budget('window')
    const at = now()
    await take('interactive', at)
    await note({ used: null, remaining: 0, resetSeconds: 300 }, at)
    expect(await take('interactive', at)).toBe(300)
    harness.clock.advance(5 * MINUTE_MS + 1000)
    expect(await take('background', now())).toBeNull()
  })

  test('is lowered by what the forum says, and never raised within a window', async () => {
    const { take, note } = budget('headers')
    await take('interactive', now())
    await note({ used: 939, remaining: 61, resetSeconds: 500 }, now())
    await note({ used: 100, remaining: 900, resetSeconds: 500 }, now())
    expect(await take('interactive', now())).toBeNull()
    expect(await take('interactive', now())).not.toBeNull()
  })

  test('grows with what the forum allows, also in the windows that follow, and shrinks with it', async () => {
    const { take, note } = budget('allowance')
    const taken = () => given(1_500, () => take('interactive', now()))
    await take('interactive', now())
    await note({ used: 1, remaining: 1_199, resetSeconds: 600 }, now())
    await note({ used: 1, remaining: 1_199, resetSeconds: 600 }, now())
    expect(await taken()).toBe(1_188 - 61)
    harness.clock.advance(10 * MINUTE_MS + 1000)
    expect(await taken()).toBe(1_188 - 60)
    harness.clock.advance(10 * MINUTE_MS + 1000)
    await take('interactive', now())
    await note({ used: 1, remaining: 199, resetSeconds: 600 }, now())
    expect(await taken()).toBe(199 - 60)
  })
})

describe('the share of a person', () => {
  test('is used up by that person alone, of many at once too, and is whole again after its window', async () => {
    const { takeShare } = budget('shares')
    const { points, seconds } = NEW_SUBREDDITS_LIMIT
    const at = now()
    const answers = await Promise.all(Array.from({ length: points + 20 }, () => takeShare('one', at)))
    expect(answers.filter((wait) => wait === null)).toHaveLength(points)
    expect(answers.filter((wait) => wait !== null && wait > 0 && wait <= seconds)).toHaveLength(20)
    expect(await takeShare('other', now())).toBeNull()
    harness.clock.advance(seconds * 1000 + 1000)
    expect(await takeShare('one', now())).toBeNull()
    // Past counts are deleted, and nobody is named.
    const rows = await harness.context.db
      .selectFrom('forum_budget')
      .select('client')
      .where('client', 'like', 'share of shares %')
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(' one')
  })
})

test('a post goes up, and one in doubt is looked up, while people’s reading used up its share', async () => {
  const { forum, db } = harness.context
  if (!forum) throw new Error('there is no forum')
  const { code } = await consent(forum.authorizeUrl('state'), 'BusyPoster')
  const tokens = await forum.exchange(code)
  if (tokens.kind !== 'answered') throw new Error('the code was refused')
  const { accessToken } = tokens.value
  await forum.rules('Gardens', 'interactive')
  await db
    .updateTable('forum_budget')
    .set({ remaining: 60 })
    .where('client', 'not like', 'share of %')
    .execute()
  expect((await forum.rules('Gardens', 'interactive')).kind).toBe('busy')
  const post = { subreddit: 'Lanterns', title: 'A quiet lake', url: 'https://redgifs.com/watch/quietlake' }
  const sent = await forum.submit(
    { ...post, flairId: null, flairText: null, isNsfw: true, isRepeated: false },
    accessToken,
  )
  if (sent.kind !== 'published') throw new Error(`the post was ${sent.kind}`)
  const there = await forum.submissions('BusyPoster', accessToken, 'publishing')
  expect(there).toMatchObject({ kind: 'answered', value: [{ id: sent.value.id }] })
  expect((await forum.submissions('BusyPoster', accessToken, 'background')).kind).toBe('busy')
  expect((await forum.comments(sent.value.id, accessToken)).kind).toBe('answered')
  harness.clock.advance(11 * MINUTE_MS)
})

test('deleting leaves calls to what matters more: posts to what people do, messages to what publishes', async () => {
  const { forum, db } = harness.context
  if (!forum) throw new Error('there is no forum')
  const { code } = await consent(forum.authorizeUrl('state'), 'TidyPoster')
  const tokens = await forum.exchange(code)
  if (tokens.kind !== 'answered') throw new Error('the code was refused')
  const { accessToken } = tokens.value
  const post = { subreddit: 'Lanterns', title: 'A tidy lake', url: 'https://redgifs.com/watch/tidylake' }
  await forum.rules('Gardens', 'interactive')
  const remain = (remaining: number) =>
    db.updateTable('forum_budget').set({ remaining }).where('client', 'not like', 'share of %').execute()
  await remain(400)
  expect((await forum.deletePost('none', accessToken)).kind).toBe('busy')
  expect((await forum.deleteMessage('t4_none', accessToken)).kind).toBe('answered')
  await remain(60)
  expect((await forum.deleteMessage('t4_none', accessToken)).kind).toBe('busy')
  const sent = await forum.submit(
    { ...post, flairId: null, flairText: null, isNsfw: true, isRepeated: false },
    accessToken,
  )
  expect(sent.kind).toBe('published')
  harness.clock.advance(11 * MINUTE_MS)
  expect((await forum.deletePost('none', accessToken)).kind).toBe('answered')
})

test('a thousand calls at once are all answered in the end, without one refusal by the forum', async () => {
  const { forum } = harness.context
  if (!forum) throw new Error('there is no forum')
  let waiting = 1_000
  let windows = 0
  while (waiting > 0) {
    const callers = Array.from({ length: 16 }, async (_, caller) => {
      let left = 0
      for (let count = caller; count < waiting; count += 16) {
        const { kind } = await forum.rules('Gardens', 'interactive')
        if (kind === 'busy') left++
        else expect(kind).toBe('answered')
      }
      return left
    })
    waiting = (await Promise.all(callers)).reduce((sum, left) => sum + left, 0)
    windows++
    harness.clock.advance(10 * MINUTE_MS + 1000)
  }
  expect(windows).toBe(2)
  const refused = await forumAdmin<{ count: number }>(harness, 'GET', 'requests?status=429')
  expect(refused.count).toBe(0)
})
