import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { type Poster, posters } from '../../../testing/posters.ts'
import { buildPost, connectForum, forumAdmin, openSubreddits, submitDue } from '../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, titlesOf, told } = scene

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
    const leaving = [poster, banned]
    scene.meanwhile['post.answered'] = () => Promise.all(leaving.splice(0).map(disconnect))
    later(10)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'posted',
      permalink: expect.stringContaining('/comments/'),
      accountId: null,
    })
    const isRefused = { state: 'failed', failure: { code: 'SUBREDDIT_NOTALLOWED_BANNED', remedy: 'reopen' } }
    expect(await find(banned, refused._id)).toMatchObject(isRefused)
    // What the forum refused isn't what waits for the account.
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

  test('lets a post that waits be given to another account', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await disconnect(poster)
    const other = await connectForum(scene.harness, poster.person, `${poster.account}Other`)
    await poster.api.call(routes.editTimelineItem, { body: { itemId: item._id, accountId: other._id } })
    await connectForum(scene.harness, poster.person, poster.account)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'scheduled',
      account: `${poster.account}Other`,
    })
  })
})
