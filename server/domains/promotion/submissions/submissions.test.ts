import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import { buildCreator, buildMedia, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  type ForumEntry,
  forumAdmin,
  forumPosts,
  openSubreddits,
  submitDue,
} from '../../../testing/promotion.ts'

const MINUTE_MS = 60_000
let harness: Harness
let names = 0
/** What happens when a post comes to a checkpoint. */
let meanwhile: { [Name in Checkpoint]?: () => Promise<unknown> } = {}
beforeAll(async () => {
  harness = await startHarness({ checkpoint: async (name) => void (await meanwhile[name]?.()) })
  await forumAdmin(harness, 'POST', 'limits', { budget: 100_000 })
  await buildSubreddits(harness, ['Gardens', 'SlowBread', ...(await openSubreddits(harness))])
})
beforeEach(async () => {
  meanwhile = {}
  await forumAdmin(harness, 'DELETE', 'faults')
})
afterAll(() => harness?.stop())

type Poster = { person: Person; account: string; api: ReturnType<Harness['api']['as']> }

/** A creator with a connected account of their own. */
async function buildPoster(): Promise<Poster> {
  const person = await buildCreator(harness)
  const account = `Poster${names++}`
  await connectForum(harness, person, account)
  return { person, account, api: harness.api.as(person) }
}

type Wanted = { subreddit?: string; title?: string; comment?: string; minutes?: number; byHand?: boolean }

/** Schedules a new post; its time is so many minutes from now. */
async function scheduleOne({ person, api }: Poster, wanted: Wanted = {}) {
  const { subreddit = 'Lanterns', title = 'A quiet lake', comment = '', minutes = 10, byHand } = wanted
  const postId = await buildPost(harness, person, { subreddits: [subreddit], titles: [title] })
  return api.call(routes.createTimelineItem, {
    body: {
      postId,
      selectedSubreddit: subreddit,
      title,
      comment,
      postTime: new Date(harness.clock.now().getTime() + minutes * MINUTE_MS).toISOString(),
      ...(byHand === undefined ? {} : { byHand }),
    },
  })
}

const later = (minutes: number) => harness.clock.advance(minutes * MINUTE_MS)
const fault = (body: object) => forumAdmin(harness, 'POST', 'faults', body)
async function find({ api }: Poster, id: string) {
  const { items } = await api.call(routes.timeline, { query: { limit: 60 } })
  const item = items.find(({ _id }) => _id === id)
  if (!item) throw new Error('the item is not on the timeline')
  return item
}
const postsOf = async ({ account }: Poster): Promise<ForumEntry[]> =>
  (await forumPosts(harness)).filter(({ author }) => author === account)
const titlesOf = async (poster: Poster) => (await postsOf(poster)).map(({ title }) => title)
const told = async ({ api }: Poster) => {
  const { items } = await api.call(routes.notifications, { query: {} })
  return items.filter(({ event }) => event.kind === 'post.changed')
}

describe('what is due', () => {
  test('goes up once, with its flair and its comment, and not before its time', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Hello there' })
    later(9)
    await submitDue(harness)
    expect(await postsOf(poster)).toEqual([])
    later(1)
    await submitDue(harness)
    await submitDue(harness)
    const [post, ...others] = await postsOf(poster)
    expect(others).toEqual([])
    expect(post).toMatchObject({
      subreddit: 'Lanterns',
      title: 'A quiet lake',
      comments: [{ author: poster.account, body: 'Hello there' }],
    })
    expect(await find(poster, item._id)).toMatchObject({
      state: 'posted',
      commentState: 'posted',
      failure: null,
      permalink: expect.stringContaining(`/comments/${post?.name.slice(3)}`),
    })
    const read = await poster.api.call(routes.post, { params: { redditPostId: item.postId } })
    expect(read).toMatchObject({
      usableSubreddits: [],
      subredditsOnTimeline: [],
      postedSubreddits: [{ subreddit: 'Lanterns' }],
    })
  })

  test('goes up in the order of its times', async () => {
    const poster = await buildPoster()
    for (const [title, minutes] of [
      ['third', 30],
      ['first', 10],
      ['second', 20],
    ] as const)
      await scheduleOne(poster, { title, minutes })
    later(40)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['first', 'second', 'third'])
  })

  test('goes up a little apart after an outage, in its order', async () => {
    const poster = await buildPoster()
    for (const [title, minutes] of [
      ['second', 20],
      ['first', 10],
    ] as const)
      await scheduleOne(poster, { title, minutes })
    later(24 * 60)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['first'])
    later(14)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['first'])
    later(1)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['first', 'second'])
  })

  test('goes up once whatever number of workers take it', async () => {
    const posters = [await buildPoster(), await buildPoster(), await buildPoster()]
    for (const poster of posters)
      for (let number = 0; number < 5; number++)
        await scheduleOne(poster, { title: `Number ${number}`, comment: 'Hi' })
    later(10)
    await Promise.all(Array.from({ length: 6 }, () => submitDue(harness)))
    await submitDue(harness)
    for (const poster of posters) {
      const posts = await postsOf(poster)
      expect(posts.map(({ title }) => title)).toEqual(
        Array.from({ length: 5 }, (_, number) => `Number ${number}`),
      )
      expect(posts.map(({ comments }) => comments.length)).toEqual([1, 1, 1, 1, 1])
    }
  })

  test('stays while everything is paused, while its account is stopped, and once it is canceled', async () => {
    const poster = await buildPoster()
    const canceled = await scheduleOne(poster, { title: 'canceled' })
    await scheduleOne(poster, { title: 'kept' })
    await poster.api.call(routes.cancelTimelineItem, { body: { itemId: canceled._id } })
    await poster.api.call(routes.editQueue, { body: { paused: true } })
    later(10)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual([])
    await poster.api.call(routes.editQueue, { body: { paused: false } })
    const { accounts } = await poster.api.call(routes.queue, {})
    const accountId = accounts[0]?._id ?? ''
    await poster.api.call(routes.stopAccount, { body: { accountId, stopped: true } })
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual([])
    await poster.api.call(routes.stopAccount, { body: { accountId, stopped: false } })
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['kept'])
  })
})

describe('a refusal', () => {
  test('about the post fails it with the forum’s reason, and is never tried again', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { subreddit: 'Gardens', title: 'Short' })
    later(10)
    await submitDue(harness)
    await submitDue(harness)
    const failed = await find(poster, item._id)
    expect(failed).toMatchObject({ state: 'failed', failure: { remedy: 'edit' } })
    expect(failed.failure?.message).toMatch(/flair|title/i)
    const { count } = await forumAdmin<{ count: number }>(
      harness,
      'GET',
      `requests?path=/api/submit&account=${poster.account}`,
    )
    expect(count).toBe(1)
    expect(await told(poster)).toHaveLength(1)
    // Mended by the person, it goes up.
    const requirements = await poster.api.call(routes.subredditFlair, { query: { subreddit: 'Gardens' } })
    await poster.api.call(routes.editTimelineItem, {
      body: { itemId: item._id, title: '[OC] A garden in spring', flairId: requirements.items[0]?.id ?? '' },
    })
    later(120)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['[OC] A garden in spring'])
  })

  test('of the account closes this subreddit for it, until its person opens it', async () => {
    const poster = await buildPoster()
    const [name] = await openSubreddits(harness)
    await forumAdmin(harness, 'POST', `accounts/${poster.account}`, { bannedIn: [name] })
    const item = await scheduleOne(poster, { subreddit: name ?? '' })
    const next = await scheduleOne(poster, { subreddit: name ?? '', minutes: 20 })
    later(20)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      failure: { code: 'SUBREDDIT_NOTALLOWED_BANNED', remedy: 'reopen' },
    })
    expect(await find(poster, next._id)).toMatchObject({ state: 'failed', failure: { code: 'closed' } })
    expect(
      await forumAdmin(harness, 'GET', `requests?path=/api/submit&account=${poster.account}`),
    ).toMatchObject({ count: 1 })
    await forumAdmin(harness, 'POST', `accounts/${poster.account}`, { bannedIn: [] })
    await poster.api.call(routes.reopenPair, { body: { itemId: item._id } })
    later(24 * 60)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
  })

  test('of the person’s account as a whole stops it, and nothing else is sent', async () => {
    const poster = await buildPoster()
    await forumAdmin(harness, 'POST', `accounts/${poster.account}`, { suspended: true })
    const first = await scheduleOne(poster)
    const second = await scheduleOne(poster, { minutes: 11 })
    later(15)
    await submitDue(harness)
    await submitDue(harness)
    expect(await find(poster, first._id)).toMatchObject({ state: 'failed', failure: { code: 'IN_TIMEOUT' } })
    expect(await find(poster, second._id)).toMatchObject({ state: 'scheduled' })
    expect((await poster.api.call(routes.queue, {})).accounts).toMatchObject([
      { state: 'stopped', stoppedBy: 'forum' },
    ])
  })
})

describe('a limit', () => {
  test('keeps the account waiting as long as the forum says, and the order as it was', async () => {
    const poster = await buildPoster()
    await forumAdmin(harness, 'POST', `accounts/${poster.account}`, { ageDays: 2 })
    await forumAdmin(harness, 'POST', 'limits', { postingSeconds: 540 })
    const items = []
    for (const title of ['one', 'two', 'three'])
      items.push(await scheduleOne(poster, { title, comment: title }))
    later(10)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['one'])
    expect((await poster.api.call(routes.queue, {})).accounts).toMatchObject([{ state: 'resting' }])
    later(8)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['one'])
    // Each post and each comment has to wait for what went up before it.
    for (let round = 0; round < 5; round++) {
      later(10)
      await submitDue(harness)
    }
    expect(await titlesOf(poster)).toEqual(['one', 'two', 'three'])
    for (const { _id } of items)
      expect(await find(poster, _id)).toMatchObject({ state: 'posted', failure: null })
    await forumAdmin(harness, 'POST', 'limits', { postingSeconds: 600 })
  })

  test('of the forum’s own trouble lets nothing be lost', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ kind: 'tooMany', path: '/api/submit', account: poster.account, times: 1 })
    later(10)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'scheduled' })
    for (let round = 0; round < 3; round++) {
      later(20)
      await submitDue(harness)
    }
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
    expect(await postsOf(poster)).toHaveLength(1)
  })
})

describe('an answer that never came', () => {
  test.each([
    ['the connection broke after the post went up', { kind: 'dropAfter' }],
    ['the forum answered an error after the post went up', { kind: 'statusAfter', status: 502 }],
    ['half of the answer came', { kind: 'malformed' }],
  ])('is looked up and found: %s', async (_, how) => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ ...how, path: '/api/submit', account: poster.account, times: 1 })
    later(10)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'submitting' })
    later(3)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
    expect(await postsOf(poster)).toHaveLength(1)
    expect(await told(poster)).toEqual([])
  })

  test.each([
    ['the connection broke before', { kind: 'drop' }],
    ['the forum answered an error', { kind: 'status', status: 503 }],
  ])('is left to its person where nothing is found: %s', async (_, how) => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    const next = await scheduleOne(poster, { title: 'The next one', minutes: 11 })
    await fault({ ...how, path: '/api/submit', account: poster.account, times: 1 })
    for (let round = 0; round < 5; round++) {
      later(round === 0 ? 10 : 3)
      await submitDue(harness)
    }
    expect(await find(poster, item._id)).toMatchObject({
      state: 'unknown',
      failure: { code: 'unconfirmed', remedy: 'check' },
    })
    expect(await told(poster)).toHaveLength(1)
    // It is never sent again by itself, and keeps nothing else waiting.
    later(60)
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['The next one'])
    expect(await find(poster, next._id)).toMatchObject({ state: 'posted' })
    await poster.api.call(routes.cancelTimelineItem, { body: { itemId: item._id } })
    const post = await poster.api.call(routes.post, { params: { redditPostId: item.postId } })
    expect(post).toMatchObject({ usableSubreddits: ['Lanterns'], subredditsOnTimeline: [] })
  })

  test('takes no other post of the same words for its own', async () => {
    const poster = await buildPoster()
    const earlier = await scheduleOne(poster)
    later(10)
    await submitDue(harness)
    const { postId } = earlier
    await poster.api.call(routes.forgetPosted, { body: { redditPostId: postId, subreddit: 'Lanterns' } })
    await poster.api.call(routes.editPost, {
      params: { redditPostId: postId },
      body: { usableSubreddits: ['Lanterns'] },
    })
    const again = await poster.api.call(routes.createTimelineItem, {
      body: {
        postId,
        selectedSubreddit: 'Lanterns',
        title: 'A quiet lake',
        postTime: new Date(harness.clock.now().getTime() + 1000).toISOString(),
      },
    })
    await fault({ kind: 'drop', path: '/api/submit', account: poster.account, times: 1 })
    for (let round = 0; round < 5; round++) {
      later(round === 0 ? 0.5 : 3)
      await submitDue(harness)
    }
    expect(await find(poster, again._id)).toMatchObject({ state: 'unknown' })
    expect(await find(poster, earlier._id)).toMatchObject({ state: 'posted' })
  })

  test('keeps a comment from being doubled', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Only once' })
    await fault({ kind: 'dropAfter', path: '/api/comment', account: poster.account, times: 1 })
    for (let round = 0; round < 4; round++) {
      later(10)
      await submitDue(harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', commentState: 'posted' })
  })

  test('keeps a comment in doubt while nobody can look it up', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Only once' })
    await fault({ kind: 'dropAfter', path: '/api/comment', account: poster.account, times: 1 })
    await fault({ kind: 'status', status: 500, path: '/comments', account: poster.account, times: 6 })
    for (let round = 0; round < 6; round++) {
      later(30)
      await submitDue(harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', commentState: 'posted' })
  })

  test('lets a comment that has to wait go before the next post, however many follow', async () => {
    const poster = await buildPoster()
    await forumAdmin(harness, 'POST', `accounts/${poster.account}`, { linkKarma: 1, commentKarma: 1 })
    for (let number = 0; number < 8; number++)
      await scheduleOne(poster, { title: `Number ${number}`, comment: 'Hi', minutes: 10 + number * 240 })
    later(10)
    for (let round = 0; round < 20; round++) {
      await submitDue(harness)
      later(240)
    }
    const posts = await postsOf(poster)
    expect(posts.map(({ title }) => title)).toEqual(
      Array.from({ length: 8 }, (_, number) => `Number ${number}`),
    )
    expect(posts.map(({ comments }) => comments.length)).toEqual(Array(8).fill(1))
  })

  test('tries a comment again that never arrived, and never the post', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Only once' })
    await fault({ kind: 'status', status: 500, path: '/api/comment', account: poster.account, times: 2 })
    for (let round = 0; round < 6; round++) {
      later(30)
      await submitDue(harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', commentState: 'posted' })
  })
})

test('what was posted is followed: its score, and that it was removed', async () => {
  const poster = await buildPoster()
  const kept = await scheduleOne(poster, { title: 'A quiet lake' })
  const removed = await scheduleOne(poster, { title: 'A pond [moderator]' })
  later(10)
  await submitDue(harness)
  const [first] = await postsOf(poster)
  await forumAdmin(harness, 'POST', `posts/${first?.name}/score`, { score: 321 })
  for (let round = 0; round < 3; round++) {
    later(20)
    await harness.server.jobs['posts.follow']({}, { attempt: 1, lastAttempt: false })
  }
  const seen = await find(poster, kept._id)
  expect(seen.removedBy).toBeNull()
  // The sandbox's posts gain a little by the hour.
  expect(seen.score).toBeGreaterThanOrEqual(321)
  expect(await find(poster, removed._id)).toMatchObject({ state: 'posted', removedBy: 'moderator' })
  expect(await told(poster)).toHaveLength(1)
})

test('a post is followed for a week, and its author’s own deletion is told to nobody', async () => {
  const poster = await buildPoster()
  const [late, own] = [
    await scheduleOne(poster, { title: 'Late' }),
    await scheduleOne(poster, { title: 'Own' }),
  ]
  later(10)
  await submitDue(harness)
  const posts = await postsOf(poster)
  const remove = (title: string, category: string) =>
    forumAdmin(harness, 'POST', `posts/${posts.find((post) => post.title === title)?.name}/remove`, {
      category,
    })
  const follow = () => harness.server.jobs['posts.follow']({}, { attempt: 1, lastAttempt: false })
  await remove('Own', 'author')
  for (let day = 0; day < 6; day++) {
    later(24 * 60)
    await follow()
  }
  expect(await find(poster, own._id)).toMatchObject({ removedBy: 'author' })
  expect(await told(poster)).toEqual([])
  await remove('Late', 'anti_evil_ops')
  later(2 * 24 * 60)
  await follow()
  expect(await find(poster, late._id)).toMatchObject({ removedBy: 'anti_evil_ops' })
  expect(await told(poster)).toHaveLength(1)
})

test('what changed since it was scheduled fails it with what leads on, and nothing is sent', async () => {
  const poster = await buildPoster()
  const [hidden = '', gone = '', texts = '', asking = ''] = (await openSubreddits(harness)).slice(-4)
  const items = await Promise.all(
    [hidden, gone, texts, asking].map((subreddit) => scheduleOne(poster, { subreddit, title: subreddit })),
  )
  await forumAdmin(harness, 'POST', `subreddits/${hidden}`, { type: 'private' })
  await forumAdmin(harness, 'POST', `subreddits/${gone}`, { access: 'gone' })
  await forumAdmin(harness, 'POST', `subreddits/${texts}`, { submissionType: 'self' })
  for (const subreddit of [hidden, gone, texts])
    await poster.api.call(routes.refreshSubreddit, { body: { subreddit } })
  await harness.context.db
    .updateTable('subreddits')
    .set({ verification_type: 'required' })
    .where('name', '=', asking)
    .execute()
  later(10)
  await submitDue(harness)
  const failures = await Promise.all(items.map(async ({ _id }) => (await find(poster, _id)).failure))
  expect(failures).toEqual([
    { code: 'subreddit', message: `r/${hidden} is private.`, remedy: 'none' },
    { code: 'subreddit', message: `r/${gone} doesn’t exist anymore.`, remedy: 'none' },
    { code: 'kinds', message: `r/${texts} takes text posts only, and this is a link.`, remedy: 'none' },
    { code: 'verification', message: `r/${asking} asks for verification first.`, remedy: 'verify' },
  ])
  expect(await told(poster)).toHaveLength(4)
  expect(await postsOf(poster)).toEqual([])
})

describe('submitting at once', () => {
  test('says until when it has to wait where the forum limits the account', async () => {
    const poster = await buildPoster()
    await forumAdmin(harness, 'POST', `accounts/${poster.account}`, { ageDays: 2 })
    const postId = await buildPost(harness, poster.person, { subreddits: ['Lanterns', 'Gardens'] })
    await scheduleOne(poster)
    later(10)
    await submitDue(harness)
    const { accounts } = await poster.api.call(routes.queue, {})
    expect(accounts[0]?.state).toBe('posting')
    const item = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } })
    expect(item).toMatchObject({ state: 'scheduled', account: poster.account })
    expect(Date.parse(item.waitsUntil ?? '')).toBeGreaterThan(harness.clock.now().getTime())
  })

  test('answers with what became of it', async () => {
    const poster = await buildPoster()
    const postId = await buildPost(harness, poster.person, { subreddits: ['Lanterns', 'SlowBread'] })
    const posted = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } })
    expect(posted).toMatchObject({ state: 'posted', title: 'A quiet lake' })
    const refused = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'SlowBread' } })
    expect(refused).toMatchObject({ state: 'failed', failure: { code: 'NO_LINKS' } })
    const again = await poster.api.send('POST', '/reddit/manualsubmit', {
      body: { postId, subreddit: 'Lanterns' },
    })
    expect(again.status).toBe(409)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('twenty times over posts once', async () => {
    const poster = await buildPoster()
    const postId = await buildPost(harness, poster.person, { subreddits: ['Lanterns'] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        poster.api.send('POST', '/reddit/manualsubmit', { body: { postId, subreddit: 'Lanterns' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await titlesOf(poster)).toHaveLength(1)
  })

  test('is refused without an account, before anything is written', async () => {
    const person = await buildCreator(harness)
    const postId = await buildPost(harness, person, { subreddits: ['Lanterns'] })
    const api = harness.api.as(person)
    const answer = await api.send('POST', '/reddit/manualsubmit', { body: { postId, subreddit: 'Lanterns' } })
    expect(answer.status).toBe(409)
    expect((await api.call(routes.timeline, { query: {} })).items).toEqual([])
  })
})

test('an account whose permission was revoked meanwhile posts nothing, and its items wait', async () => {
  const poster = await buildPoster()
  const item = await scheduleOne(poster)
  await forumAdmin(harness, 'POST', 'tokens/revoke', { account: poster.account })
  later(10)
  await submitDue(harness)
  await submitDue(harness)
  expect(await find(poster, item._id)).toMatchObject({ state: 'scheduled' })
  expect(await postsOf(poster)).toEqual([])
  await connectForum(harness, poster.person, poster.account)
  await submitDue(harness)
  expect(await titlesOf(poster)).toEqual(['A quiet lake'])
})

describe('disconnecting an account', () => {
  const disconnect = async ({ api }: Poster) => {
    const { items } = await api.call(routes.forumAccounts, {})
    return api.call(routes.disconnectForum, { body: { accountId: items[0]?._id ?? '' } })
  }

  test('says before and after what will wait, and its posts go up once it is connected again', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    const [account] = (await poster.api.call(routes.forumAccounts, {})).items
    await poster.api.call(routes.saveSlot, {
      body: {
        days: [0, 1, 2, 3, 4, 5, 6],
        time: '18:30',
        subreddit: null,
        byHand: false,
        accountId: account?._id ?? '',
      },
    })
    expect((await poster.api.call(routes.forumAccounts, {})).items).toMatchObject([
      { scheduledPosts: 1, slots: 1 },
    ])
    expect(await disconnect(poster)).toMatchObject({ posts: 1, slots: 1 })
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      failure: {
        code: 'disconnected',
        remedy: 'reconnect',
        message: expect.stringContaining(poster.account),
      },
    })
    later(10)
    await submitDue(harness)
    expect(await postsOf(poster)).toEqual([])
    await connectForum(harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'scheduled',
      failure: null,
      account: poster.account,
    })
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('leaves its slots without posts by another account, until it is back', async () => {
    const poster = await buildPoster()
    const { items } = await poster.api.call(routes.forumAccounts, {})
    const slot = { days: [0, 1, 2, 3, 4, 5, 6], time: '18:30', subreddit: null, byHand: false }
    await poster.api.call(routes.saveSlot, { body: { ...slot, accountId: items[0]?._id ?? '' } })
    await disconnect(poster)
    await connectForum(harness, poster.person, `${poster.account}Other`)
    await buildPost(harness, poster.person, { subreddits: ['Lanterns'] })
    const fill = () => harness.server.jobs['slots.fill']({}, { attempt: 1, lastAttempt: false })
    await fill()
    const slots = async () => (await poster.api.call(routes.slots, {})).items
    expect(await slots()).toMatchObject([{ planned: 0, problem: expect.stringContaining('disconnected') }])
    const back = await connectForum(harness, poster.person, poster.account)
    await fill()
    expect(await slots()).toMatchObject([{ planned: 1, accountId: back._id }])
  })

  test('while the forum answers loses neither where its post is nor why it was refused', async () => {
    const [poster, banned] = [await buildPoster(), await buildPoster()]
    const [name] = await openSubreddits(harness)
    await forumAdmin(harness, 'POST', `accounts/${banned.account}`, { bannedIn: [name] })
    const item = await scheduleOne(poster)
    const refused = await scheduleOne(banned, { subreddit: name ?? '' })
    const leaving = [poster, banned]
    meanwhile['post.answered'] = () => Promise.all(leaving.splice(0).map(disconnect))
    later(10)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'posted',
      permalink: expect.stringContaining('/comments/'),
      accountId: null,
    })
    const isRefused = { state: 'failed', failure: { code: 'SUBREDDIT_NOTALLOWED_BANNED', remedy: 'reopen' } }
    expect(await find(banned, refused._id)).toMatchObject(isRefused)
    // What the forum refused isn't what waits for the account.
    await connectForum(harness, banned.person, banned.account)
    expect(await find(banned, refused._id)).toMatchObject(isRefused)
  })

  test('while the forum takes nothing up has the post wait for it, and says so', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ kind: 'tooMany', path: '/api/submit', account: poster.account, times: 1 })
    meanwhile['post.answered'] = () => disconnect(poster)
    later(10)
    await submitDue(harness)
    meanwhile = {}
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      failure: { code: 'disconnected', remedy: 'reconnect' },
    })
    expect(await told(poster)).toHaveLength(1)
    await connectForum(harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({ state: 'scheduled', failure: null })
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('and connecting it again while its post is in doubt has the post looked up by it', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ kind: 'dropAfter', path: '/api/submit', account: poster.account, times: 1 })
    later(10)
    await submitDue(harness)
    expect(await disconnect(poster)).toMatchObject({ posts: 0 })
    const { _id: accountId } = await connectForum(harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({ state: 'submitting', accountId })
    later(3)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', accountId })
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('lets a post that waits be given to another account', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await disconnect(poster)
    const other = await connectForum(harness, poster.person, `${poster.account}Other`)
    await poster.api.call(routes.editTimelineItem, { body: { itemId: item._id, accountId: other._id } })
    await connectForum(harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'scheduled',
      account: `${poster.account}Other`,
    })
  })
})

describe('a creator who is suspended, or asked for deletion', () => {
  const suspend = async ({ person }: Poster, suspended: boolean) => {
    const set = suspended
      ? { suspended_at: harness.clock.now(), suspension_reason: 'Stolen pictures' }
      : { suspended_at: null, suspension_reason: null }
    await harness.context.db.updateTable('users').set(set).where('id', '=', person.id).execute()
  }

  test('posts nothing and is asked for nothing, until they are back', async () => {
    const poster = await buildPoster()
    await scheduleOne(poster)
    const byHand = await scheduleOne(poster, { byHand: true, title: 'By hand' })
    await suspend(poster, true)
    later(10)
    await submitDue(harness)
    expect(await postsOf(poster)).toEqual([])
    await suspend(poster, false)
    expect(await find(poster, byHand._id)).toMatchObject({ state: 'scheduled' })
    await submitDue(harness)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
    expect(await find(poster, byHand._id)).toMatchObject({ state: 'waiting' })
  })

  test('comments on nothing that is up already', async () => {
    const poster = await buildPoster()
    await fault({ kind: 'status', status: 500, path: '/api/comment', account: poster.account, times: 1 })
    const item = await scheduleOne(poster, { comment: 'Hello' })
    later(10)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
    await suspend(poster, true)
    for (let round = 0; round < 3; round++) {
      later(30)
      await submitDue(harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([0])
    await suspend(poster, false)
    later(30)
    await submitDue(harness)
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
  })
})

describe('an item that may not be shown', () => {
  const change = (mediaId: string, set: object) =>
    harness.context.db.updateTable('media').set(set).where('id', '=', mediaId).execute()
  const deleted = () => ({ deleted_at: harness.clock.now() })
  const cases = [
    ['was deleted', deleted],
    ['was taken down', () => ({ quarantined_at: harness.clock.now() })],
    ['no longer promotes', () => ({ reddit_promotion: false })],
  ] as const
  const build = async ({ person, api }: Poster) => {
    const mediaId = await buildMedia(harness, person, { redditPromotion: true, mustUnlock: false })
    const { _id: postId } = await api.call(routes.createPost, {
      body: { titles: ['A lake'], comment: '', mediaId },
    })
    await api.call(routes.editPost, {
      params: { redditPostId: postId },
      body: { usableSubreddits: ['Lanterns', 'Gardens'] },
    })
    return { mediaId, postId }
  }
  const schedule = ({ api }: Poster, postId: string) =>
    api.send('POST', '/reddit/timeline/item/create', {
      body: {
        postId,
        selectedSubreddit: 'Lanterns',
        title: 'A lake',
        postTime: new Date(harness.clock.now().getTime() + 10 * MINUTE_MS).toISOString(),
      },
    })

  test.each(cases)('since it %s isn’t posted, and its person is told why', async (_, how) => {
    const poster = await buildPoster()
    const { mediaId, postId } = await build(poster)
    const item = (await schedule(poster, postId)).body as { _id: string }
    await change(mediaId, how())
    later(10)
    await submitDue(harness)
    expect(await postsOf(poster)).toEqual([])
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      failure: { code: 'media', message: expect.stringContaining('media of this post') },
    })
  })

  test.each(cases)('since it %s is no candidate, can’t be scheduled, and fills no slot', async (_, how) => {
    const poster = await buildPoster()
    const { mediaId, postId } = await build(poster)
    const candidates = async () => (await poster.api.call(routes.scheduleCandidates, { query: {} })).count
    expect(await candidates()).toBe(2)
    await change(mediaId, how())
    expect(await candidates()).toBe(0)
    expect(await schedule(poster, postId)).toMatchObject({ status: 409, body: { code: 'post_breaks_rule' } })
    const slot = {
      days: [0, 1, 2, 3, 4, 5, 6],
      time: '18:30',
      subreddit: null,
      accountId: null,
      byHand: false,
    }
    expect(await poster.api.call(routes.saveSlot, { body: slot })).toMatchObject({ scheduled: 0 })
  })
})

test('what comes too soon by now goes up later, each a gap from everything else', async () => {
  const poster = await buildPoster()
  const [name = ''] = await openSubreddits(harness)
  const { db } = harness.context
  const items = []
  for (const minutes of [10, 80, 150, 220])
    items.push(await scheduleOne(poster, { subreddit: name, minutes }))
  const other = await scheduleOne(poster, { minutes: 24 * 60 + 20 })
  await db
    .updateTable('subreddits')
    .set({ post_max: 1, post_interval: 1, post_unit: 'days' })
    .where('name', '=', name)
    .execute()
  later(230)
  await submitDue(harness)
  later(20)
  await submitDue(harness)
  await db
    .updateTable('subreddits')
    .set({ post_max: null, post_interval: null, post_unit: null })
    .where('name', '=', name)
    .execute()
  const found = await Promise.all([...items, other].map(({ _id }) => find(poster, _id)))
  expect(found.map(({ state }) => state)).toEqual([
    'posted',
    'scheduled',
    'scheduled',
    'scheduled',
    'scheduled',
  ])
  const at = found.map(({ postTime, postedTime }) => Date.parse(postedTime ?? postTime))
  const [first = 0, second = 0, third = 0, fourth = 0] = at
  const day = 24 * 60 * MINUTE_MS
  for (const [one, next] of [
    [first, second],
    [second, third],
    [third, fourth],
  ] as const)
    expect(next - one).toBeGreaterThanOrEqual(day)
  const sorted = at.toSorted((a, b) => a - b)
  for (const [index, one] of sorted.slice(1).entries())
    expect(one - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(60 * MINUTE_MS)
})

test('a subreddit that takes texts only is named before anything is sent there', async () => {
  const poster = await buildPoster()
  const postId = await buildPost(harness, poster.person, { subreddits: ['SlowBread'] })
  await poster.api.call(routes.subredditFlair, { query: { subreddit: 'SlowBread' } })
  const check = await poster.api.call(routes.checkPost, {
    query: { postId, subreddit: 'SlowBread', title: 'A quiet lake' },
  })
  expect(check.verdicts).toMatchObject([{ rule: 'kinds' }])
  const submit = await poster.api.send('POST', '/reddit/manualsubmit', {
    body: { postId, subreddit: 'SlowBread' },
  })
  expect(submit).toMatchObject({ status: 409, body: { code: 'post_breaks_rule' } })
})
