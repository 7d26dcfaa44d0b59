import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { type Poster, posters } from '../../../testing/posters.ts'
import { buildPost, connectForum, forumAdmin, openSubreddits, submitDue } from '../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, titlesOf, told } = scene
const HOUR_MINUTES = 60

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
    await submitDue(scene.harness)
    expect(await postsOf(poster)).toEqual([])
    await connectForum(scene.harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'scheduled',
      failure: null,
      account: poster.account,
    })
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('leaves its slots without posts by another account, until it is back', async () => {
    const poster = await buildPoster()
    const { items } = await poster.api.call(routes.forumAccounts, {})
    const slot = { days: [0, 1, 2, 3, 4, 5, 6], time: '18:30', subreddit: null, byHand: false }
    await poster.api.call(routes.saveSlot, { body: { ...slot, accountId: items[0]?._id ?? '' } })
    await disconnect(poster)
    await connectForum(scene.harness, poster.person, `${poster.account}Other`)
    await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'] })
    const fill = () => scene.harness.server.jobs['slots.fill']({}, { attempt: 1, lastAttempt: false })
    await fill()
    const slots = async () => (await poster.api.call(routes.slots, {})).items
    expect(await slots()).toMatchObject([{ planned: 0, problem: expect.stringContaining('disconnected') }])
    const back = await connectForum(scene.harness, poster.person, poster.account)
    await fill()
    expect(await slots()).toMatchObject([{ planned: 1, accountId: back._id }])
  })

  test('while the forum answers loses neither where its post is nor why it was refused', async () => {
    const [poster, banned] = [await buildPoster(), await buildPoster()]
    const [name] = await openSubreddits(scene.harness)
    await forumAdmin(scene.harness, 'POST', `accounts/${banned.account}`, { bannedIn: [name] })
    const item = await scheduleOne(poster)
    const refused = await scheduleOne(banned, { subreddit: name ?? '' })
    const isSent = async ({ account }: Poster) => {
      const query = `requests?path=/api/submit&account=${account}`
      return (await forumAdmin<{ count: number }>(scene.harness, 'GET', query)).count > 0
    }
    const bothSent = Promise.withResolvers<void>()
    const bothLeft = bothSent.promise.then(() => Promise.all([poster, banned].map(disconnect)))
    scene.meanwhile['post.answered'] = async () => {
      const sent = await Promise.all([poster, banned].map(isSent))
      if (sent.every(Boolean)) bothSent.resolve()
      await bothLeft
    }
    later(10)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'posted',
      permalink: expect.stringContaining('/comments/'),
      accountId: null,
    })
    const isRefused = { state: 'failed', failure: { code: 'SUBREDDIT_NOTALLOWED_BANNED', remedy: 'reopen' } }
    expect(await find(banned, refused._id)).toMatchObject(isRefused)
    // Items that the forum refused don't wait for the account.
    await connectForum(scene.harness, banned.person, banned.account)
    expect(await find(banned, refused._id)).toMatchObject(isRefused)
  })

  test('while the forum takes nothing up has the post wait for it, and says so', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ kind: 'tooMany', path: '/api/submit', account: poster.account, times: 1 })
    scene.meanwhile['post.answered'] = () => disconnect(poster)
    later(10)
    await submitDue(scene.harness)
    scene.meanwhile = {}
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      failure: { code: 'disconnected', remedy: 'reconnect' },
    })
    expect(await told(poster)).toHaveLength(1)
    await connectForum(scene.harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({ state: 'scheduled', failure: null })
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('and connecting it again while its post is in doubt has the post looked up by it', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ kind: 'dropAfter', path: '/api/submit', account: poster.account, times: 1 })
    later(10)
    await submitDue(scene.harness)
    expect(await disconnect(poster)).toMatchObject({ posts: 0 })
    const { _id: accountId } = await connectForum(scene.harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({ state: 'submitting', accountId })
    later(3)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', accountId })
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('sends the first comment of what it had posted once it is connected again', async () => {
    const poster = await buildPoster()
    await fault({ kind: 'status', status: 503, path: '/api/comment', account: poster.account, times: null })
    const { _id: itemId } = await scheduleOne(poster, { comment: 'Hello there' })
    later(10)
    await submitDue(scene.harness)
    await disconnect(poster)
    await forumAdmin(scene.harness, 'DELETE', 'faults')
    later(HOUR_MINUTES)
    await submitDue(scene.harness)
    expect(await find(poster, itemId)).toMatchObject({
      commentState: 'failed',
      commentFailure: `u/${poster.account} was disconnected. Once you connect it again, we’ll post the comment.`,
    })
    await expect(poster.api.call(routes.retryComment, { body: { itemId } })).rejects.toMatchObject({
      code: 'forum_not_connected',
    })
    // More than a day after its post.
    later(30 * HOUR_MINUTES)
    await connectForum(scene.harness, poster.person, poster.account)
    await submitDue(scene.harness)
    const [post] = await postsOf(poster)
    expect(post?.comments.map(({ body }) => body)).toEqual(['Hello there'])
    expect(await find(poster, itemId)).toMatchObject({ commentState: 'posted', commentFailure: null })
  })

  test('while its post is on its way has the first comment follow once it is connected again', async () => {
    const poster = await buildPoster()
    const { _id: itemId } = await scheduleOne(poster, { comment: 'Hello there' })
    scene.meanwhile['post.answered'] = () => disconnect(poster)
    later(10)
    await submitDue(scene.harness)
    scene.meanwhile = {}
    expect(await find(poster, itemId)).toMatchObject({
      state: 'posted',
      accountId: null,
      commentState: 'failed',
    })
    await connectForum(scene.harness, poster.person, poster.account)
    await submitDue(scene.harness)
    expect(await find(poster, itemId)).toMatchObject({ account: poster.account, commentState: 'posted' })
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
  })

  test('forgets neither what it posted, for its name and for its score, nor where it was refused', async () => {
    const poster = await buildPoster()
    const [name = ''] = await openSubreddits(scene.harness)
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { bannedIn: [name] })
    const posted = await scheduleOne(poster)
    later(10)
    await submitDue(scene.harness)
    const refused = await scheduleOne(poster, { subreddit: name })
    later(10)
    await submitDue(scene.harness)
    await disconnect(poster)
    const back = await connectForum(scene.harness, poster.person, poster.account)
    expect(await find(poster, posted._id)).toMatchObject({ account: poster.account, accountId: back._id })
    expect(await find(poster, refused._id)).toMatchObject({ state: 'failed', failure: { remedy: 'reopen' } })
    await expect(scheduleOne(poster, { subreddit: name })).rejects.toMatchObject({
      code: 'post_breaks_rule',
      message: expect.stringContaining(`The forum refused this account in r/${name}`),
    })
    // Another account isn't held up by what one was refused.
    await connectForum(scene.harness, poster.person, `${poster.account}Other`)
    await poster.api.call(routes.disconnectForum, { body: { accountId: back._id } })
    expect(await scheduleOne(poster, { subreddit: name })).toMatchObject({
      account: `${poster.account}Other`,
    })
    await connectForum(scene.harness, poster.person, poster.account)
    const { db } = scene.harness.context
    await db.updateTable('scheduled_posts').set({ score: -5 }).where('id', '=', posted._id).execute()
    await poster.api.call(routes.editQueue, { body: { removeBelow: 0, removeAfterHours: 1 } })
    later(2 * HOUR_MINUTES)
    await scene.harness.server.jobs['posts.take-down']({}, { attempt: 1, lastAttempt: false })
    expect((await find(poster, posted._id)).takenDownAt).not.toBeNull()
  })

  test('leaves its posts without another account’s name, whatever is changed of them, and lets them be given to one', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await disconnect(poster)
    const other = await connectForum(scene.harness, poster.person, `${poster.account}Other`)
    for (const change of [
      { title: 'A corrected lake' },
      { postTime: 'endOfQueue' as const },
      { resubmit: true },
    ])
      await expect(
        poster.api.call(routes.editTimelineItem, { body: { itemId: item._id, ...change } }),
      ).rejects.toMatchObject({ status: 409, code: 'forum_reconnect' })
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      title: 'A quiet lake',
      account: null,
    })
    await poster.api.call(routes.editTimelineItem, { body: { itemId: item._id, accountId: other._id } })
    await connectForum(scene.harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'scheduled',
      account: `${poster.account}Other`,
    })
  })
})
