import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { posters } from '../../../testing/posters.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  forumAdmin,
  openSubreddits,
  submitDue,
} from '../../../testing/promotion.ts'

const DAY_MS = 24 * 3600 * 1000

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, titlesOf, told } = scene

describe('a refusal', () => {
  test('about the post fails it with the forum’s reason, and is never tried again', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { subreddit: 'Gardens', title: 'Short' })
    later(10)
    await submitDue(scene.harness)
    await submitDue(scene.harness)
    const failed = await find(poster, item._id)
    expect(failed).toMatchObject({ state: 'failed', failure: { remedy: 'edit' } })
    expect(failed.failure?.message).toMatch(/flair|title/i)
    const { count } = await forumAdmin<{ count: number }>(
      scene.harness,
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
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['[OC] A garden in spring'])
  })

  test('of the account closes this subreddit for it, until its person opens it', async () => {
    const poster = await buildPoster()
    const [name] = await openSubreddits(scene.harness)
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { bannedIn: [name] })
    const item = await scheduleOne(poster, { subreddit: name ?? '' })
    const next = await scheduleOne(poster, { subreddit: name ?? '', minutes: 20 })
    later(20)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      failure: { code: 'SUBREDDIT_NOTALLOWED_BANNED', remedy: 'reopen' },
    })
    expect(await find(poster, next._id)).toMatchObject({ state: 'failed', failure: { code: 'closed' } })
    expect(
      await forumAdmin(scene.harness, 'GET', `requests?path=/api/submit&account=${poster.account}`),
    ).toMatchObject({ count: 1 })
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { bannedIn: [] })
    await poster.api.call(routes.reopenPair, { body: { itemId: item._id } })
    later(24 * 60)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
  })

  test('stays in the way of that account alone, and its person can open it once what was refused is gone', async () => {
    const poster = await buildPoster()
    const [name = ''] = await openSubreddits(scene.harness)
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { bannedIn: [name] })
    const item = await scheduleOne(poster, { subreddit: name })
    later(10)
    await submitDue(scene.harness)
    await poster.api.call(routes.cancelTimelineItem, { body: { itemId: item._id } })
    const postId = await buildPost(scene.harness, poster.person, { subreddits: [name] })
    const query = { postId, subreddit: name, title: 'A quiet lake' }
    const brokenBy = async (more: { byHand?: 'true' } = {}) =>
      (await poster.api.call(routes.checkPost, { query: { ...query, ...more } })).verdicts.map(
        ({ rule }) => rule,
      )
    expect(await brokenBy()).toEqual(['closed'])
    // A second account, and the person by hand, can.
    expect(await brokenBy({ byHand: 'true' })).toEqual([])
    const byHand = await scheduleOne(poster, { subreddit: name, byHand: true, minutes: 60 })
    expect(byHand).toMatchObject({ state: 'scheduled', byHand: true })
    const stranger = await buildPoster()
    const { accounts } = await poster.api.call(routes.queue, {})
    const body = { accountId: accounts[0]?._id, subreddit: name }
    await expect(stranger.api.call(routes.reopenSubreddit, { body })).rejects.toMatchObject({ status: 404 })
    await stranger.api.call(routes.reopenSubreddit, { body: { subreddit: name } })
    expect(await brokenBy()).toEqual(['closed'])
    await poster.api.call(routes.reopenSubreddit, { body })
    expect(await brokenBy()).toEqual([])
  })

  test('of the person’s account as a whole stops it, and nothing else is sent', async () => {
    const poster = await buildPoster()
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { suspended: true })
    const first = await scheduleOne(poster)
    const second = await scheduleOne(poster, { minutes: 11 })
    later(15)
    await submitDue(scene.harness)
    await submitDue(scene.harness)
    expect(await find(poster, first._id)).toMatchObject({ state: 'failed', failure: { code: 'IN_TIMEOUT' } })
    expect(await find(poster, second._id)).toMatchObject({ state: 'scheduled' })
    expect((await poster.api.call(routes.queue, {})).accounts).toMatchObject([
      { state: 'stopped', stoppedBy: 'forum' },
    ])
    expect((await poster.api.call(routes.forumAccounts, {})).items).toMatchObject([
      { status: 'connected', stoppedBy: 'forum' },
    ])
  })
})

describe('a limit', () => {
  test('keeps the account waiting as long as the forum says, and the order as it was', async () => {
    const poster = await buildPoster()
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { ageDays: 2 })
    await forumAdmin(scene.harness, 'POST', 'limits', { postingSeconds: 540 })
    const items = []
    for (const title of ['one', 'two', 'three'])
      items.push(await scheduleOne(poster, { title, comment: title }))
    later(10)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['one'])
    expect((await poster.api.call(routes.queue, {})).accounts).toMatchObject([{ state: 'resting' }])
    later(8)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['one'])
    // Each post and each comment has to wait for what went up before it.
    for (let round = 0; round < 5; round++) {
      later(10)
      await submitDue(scene.harness)
    }
    expect(await titlesOf(poster)).toEqual(['one', 'two', 'three'])
    for (const { _id } of items)
      expect(await find(poster, _id)).toMatchObject({ state: 'posted', failure: null })
    await forumAdmin(scene.harness, 'POST', 'limits', { postingSeconds: 600 })
  })

  test('of the forum’s own trouble lets nothing be lost', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ kind: 'tooMany', path: '/api/submit', account: poster.account, times: 1 })
    later(10)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'scheduled' })
    for (let round = 0; round < 3; round++) {
      later(20)
      await submitDue(scene.harness)
    }
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
    expect(await postsOf(poster)).toHaveLength(1)
  })
})

test('an account whose permission was revoked scene.meanwhile posts nothing, and its items wait', async () => {
  const poster = await buildPoster()
  const item = await scheduleOne(poster)
  await forumAdmin(scene.harness, 'POST', 'tokens/revoke', { account: poster.account })
  later(10)
  await submitDue(scene.harness)
  await submitDue(scene.harness)
  expect(await find(poster, item._id)).toMatchObject({ state: 'scheduled' })
  expect(await postsOf(poster)).toEqual([])
  await connectForum(scene.harness, poster.person, poster.account)
  await submitDue(scene.harness)
  expect(await titlesOf(poster)).toEqual(['A quiet lake'])
})

test('a limit of one subreddit holds up what goes there, and nothing else', async () => {
  const poster = await buildPoster()
  const [limited = '', open = ''] = (await openSubreddits(scene.harness)).slice(-7)
  const code = 'SUBREDDIT_RATELIMIT'
  const message = 'Take a break for 9 minutes before trying again.'
  await fault({ kind: 'refuse', code, message, path: '/api/submit', account: poster.account, times: 1 })
  const [one, two] = [
    await scheduleOne(poster, { subreddit: limited, title: 'One' }),
    await scheduleOne(poster, { subreddit: limited, title: 'Two' }),
  ]
  await scheduleOne(poster, { subreddit: open, title: 'Three' })
  const byHand = await scheduleOne(poster, { subreddit: limited, title: 'Four', byHand: true, minutes: 15 })
  later(10)
  await submitDue(scene.harness)
  expect(await titlesOf(poster)).toEqual(['Three'])
  const times = []
  for (const { _id } of [one, two]) {
    const item = await find(poster, _id)
    expect(item).toMatchObject({ state: 'scheduled', failure: null })
    times.push(Date.parse(item.postTime))
  }
  const { gapMinutes } = await poster.api.call(routes.queue, {})
  const [first = 0, second = 0] = times.toSorted((a, b) => a - b)
  expect(second - first).toBe(gapMinutes * 60_000)
  // People who post by hand follow the forum's limits themselves.
  expect(await find(poster, byHand._id)).toMatchObject({ postTime: byHand.postTime })
  later(8)
  await submitDue(scene.harness)
  expect(await titlesOf(poster)).toEqual(['Three'])
  for (const minutes of [2, gapMinutes + 1]) {
    later(minutes)
    await submitDue(scene.harness)
  }
  expect((await titlesOf(poster)).toSorted()).toEqual(['One', 'Three', 'Two'])
  expect(await told(poster)).toMatchObject([{ event: { data: { state: 'waiting', title: 'Four' } } }])
})

test('a link goes up again where the forum takes it again, and is planned for no earlier', async () => {
  const poster = await buildPoster()
  await buildSubreddits(scene.harness, ['Ceramics'])
  await poster.api.call(routes.refreshSubreddit, { body: { subreddit: 'Ceramics' } })
  const plan = async (link: string, days: number) => {
    const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Ceramics'], link })
    const postTime = new Date(scene.harness.clock.now().getTime() + days * DAY_MS).toISOString()
    const body = { postId, selectedSubreddit: 'Ceramics', title: 'A bowl', comment: '', postTime }
    return poster.api.call(routes.createTimelineItem, { body }).catch(({ body }) => body)
  }
  expect(await plan('bluebowl', 1)).toMatchObject({ state: 'scheduled' })
  const refused = 'r/Ceramics allows the same picture once every 30 days.'
  expect(await plan('bluebowl', 30)).toMatchObject({ code: 'post_breaks_rule', details: { repost: refused } })
  expect(await plan('greenbowl', 30)).toMatchObject({ state: 'scheduled' })
  expect(await plan('bluebowl', 31)).toMatchObject({ state: 'scheduled' })
})

test('who says that they are a member of a private subreddit posts there, if the forum says so, too', async () => {
  const [member, other] = [await buildPoster(), await buildPoster()]
  const [name = ''] = (await openSubreddits(scene.harness)).slice(-5)
  await forumAdmin(scene.harness, 'POST', `subreddits/${name}`, { type: 'private' })
  await forumAdmin(scene.harness, 'POST', `accounts/${member.account}`, { contributesTo: [name] })
  await member.api.call(routes.refreshSubreddit, { body: { subreddit: name } })
  const items = []
  for (const poster of [member, other]) {
    await poster.api.call(routes.updateVerification, { body: { srName: name, status: 'done' } })
    items.push(await scheduleOne(poster, { subreddit: name }))
  }
  later(10)
  await submitDue(scene.harness)
  expect(await titlesOf(member)).toEqual(['A quiet lake'])
  expect(await find(other, items[1]?._id ?? '')).toMatchObject({ failure: { remedy: 'reopen' } })
  expect(await postsOf(other)).toEqual([])
})

test('what changed since it was scheduled fails it with what leads on, and nothing is sent', async () => {
  const poster = await buildPoster()
  const [hidden = '', gone = '', texts = '', asking = ''] = (await openSubreddits(scene.harness)).slice(-4)
  const items = await Promise.all(
    [hidden, gone, texts, asking].map((subreddit) => scheduleOne(poster, { subreddit, title: subreddit })),
  )
  await forumAdmin(scene.harness, 'POST', `subreddits/${hidden}`, { type: 'private' })
  await forumAdmin(scene.harness, 'POST', `subreddits/${gone}`, { access: 'gone' })
  await forumAdmin(scene.harness, 'POST', `subreddits/${texts}`, { submissionType: 'self' })
  for (const subreddit of [hidden, gone, texts])
    await poster.api.call(routes.refreshSubreddit, { body: { subreddit } })
  await scene.harness.context.db
    .updateTable('subreddits')
    .set({ verification_type: 'required' })
    .where('name', '=', asking)
    .execute()
  later(10)
  await submitDue(scene.harness)
  const failures = await Promise.all(items.map(async ({ _id }) => (await find(poster, _id)).failure))
  expect(failures).toEqual([
    {
      code: 'verification',
      message: `r/${hidden} is private. If your account is a member, mark it as verified first.`,
      remedy: 'verify',
    },
    { code: 'subreddit', message: `r/${gone} doesn’t exist anymore.`, remedy: 'none' },
    { code: 'kinds', message: `r/${texts} allows text posts only, and this is a link.`, remedy: 'none' },
    { code: 'verification', message: `r/${asking} requires verification first.`, remedy: 'verify' },
  ])
  expect(await told(poster)).toHaveLength(4)
  expect(await postsOf(poster)).toEqual([])
})
