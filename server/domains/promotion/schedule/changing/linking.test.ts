import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { until } from '../../../../testing/chat.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { type Poster, posters } from '../../../../testing/posters.ts'
import { buildPost, openSubreddits, postOnForum, submitDue } from '../../../../testing/promotion.ts'
import { lockQueue } from '../queue/actions.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf } = scene
/** A RedGifs link for the forum; each test has its own, as the forum takes no link twice in a subreddit. */
const watched = (name: string) => `https://www.redgifs.com/watch/${name}`
const embedded = (name: string) => `https://www.redgifs.com/ifr/${name}`

/** In minutes; what is scheduled then is still to come in the other tests, which stop at the first post that goes up. */
const FAR_AHEAD = 7 * 24 * 60

const relink = ({ api }: Poster, redditPostId: string, link: string) =>
  api.call(routes.editPost, { params: { redditPostId }, body: { link } })
const urlsOf = async (poster: Poster) => (await postsOf(poster)).map(({ url }) => url)

test('what waits for its person keeps the link they were shown, and given to an account has the new one', async () => {
  const poster = await buildPoster()
  const { _id: itemId, postId, link } = await scheduleOne(poster, { byHand: true })
  later(10)
  await submitDue(scene.harness)
  await relink(poster, postId, watched('greenlake'))
  const edit = (body: object) => poster.api.call(routes.editTimelineItem, { body: { itemId, ...body } })
  expect(await edit({ title: 'A green lake' })).toMatchObject({ state: 'waiting', link })
  expect(await edit({ byHand: false })).toMatchObject({ state: 'scheduled', link: embedded('greenlake') })
  await submitDue(scene.harness)
  expect(await urlsOf(poster)).toEqual([watched('greenlake')])
})

test('a link is changed in the order in which posts are scheduled, so that neither waits for the other forever', async () => {
  const poster = await buildPoster()
  const { postId } = await scheduleOne(poster, { minutes: FAR_AHEAD })
  const { db } = scene.harness.context
  const isWaiting = async () => {
    const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
    return rows.length > 0
  }
  let changing: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await lockQueue(tx, poster.person.id)
    changing = relink(poster, postId, watched('whitelake'))
    await until(isWaiting)
    const post = tx.selectFrom('forum_posts').select('id').where('id', '=', postId)
    expect(await post.forUpdate().skipLocked().execute()).toHaveLength(1)
  })
  await changing
})

test('the link of a post that is going up is refused with that, and can be changed once it is up', async () => {
  const poster = await buildPoster()
  const { _id: itemId, postId } = await scheduleOne(poster)
  let refused: unknown
  scene.meanwhile['post.claimed'] = async () => {
    scene.meanwhile = {}
    refused = await relink(poster, postId, watched('greylake')).catch((error: unknown) => error)
  }
  later(10)
  await submitDue(scene.harness)
  expect(refused).toMatchObject({ status: 409, code: 'post_going_up' })
  const link = async () =>
    (await poster.api.call(routes.post, { params: { redditPostId: postId } })).link.split('/').at(-1)
  expect(await urlsOf(poster)).toEqual([watched((await link()) ?? '')])
  await relink(poster, postId, watched('greylake'))
  expect([await link(), (await find(poster, itemId)).state]).toEqual(['greylake', 'posted'])
})

describe('a post that comes back unsent while its link is changed', () => {
  /** Has a post that is due answered, and not taken; notes nothing of it before `note`. */
  async function sendInVain(poster: Poster) {
    const [answered, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    scene.meanwhile['post.answered'] = () => {
      scene.meanwhile = {}
      answered.resolve()
      return held.promise
    }
    await fault({ kind: 'tooMany', path: '/api/submit', account: poster.account, times: 1 })
    later(10)
    const done = submitDue(scene.harness)
    await answered.promise
    return { note: held.resolve, done }
  }
  /** A change of a link, until it ended or so many wait for a lock. */
  async function begin(poster: Poster, postId: string, { waiting, link }: { waiting: number; link: string }) {
    let isOver = false
    const code = relink(poster, postId, link)
      .then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      )
      .finally(() => {
        isOver = true
      })
    const { db } = scene.harness.context
    await until(async () => isOver || (await waitingForLocks(db)) >= waiting)
    return { code }
  }

  test('goes up with the new one where that is noted first', async () => {
    const poster = await buildPoster()
    const { _id: itemId, postId } = await scheduleOne(poster)
    const { db } = scene.harness.context
    const { note, done } = await sendInVain(poster)
    const { code } = await db.transaction().execute(async (tx) => {
      // The job that records the outcome stops with the item locked.
      const accounts = tx.selectFrom('forum_accounts').select('id').where('user_id', '=', poster.person.id)
      await accounts.forUpdate().execute()
      note()
      await until(async () => (await waitingForLocks(db)) > 0)
      return begin(poster, postId, { waiting: 2, link: watched('violetlake') })
    })
    await done
    expect(await code).toBe('accepted')
    expect(await find(poster, itemId)).toMatchObject({ state: 'scheduled', link: embedded('violetlake') })
    later(60)
    await submitDue(scene.harness)
    expect(await urlsOf(poster)).toEqual([watched('violetlake')])
  })

  test('is never left with the old one by a change that is accepted', async () => {
    const poster = await buildPoster()
    const [first = '', second = ''] = await openSubreddits(scene.harness)
    const postId = await buildPost(scene.harness, poster.person, { subreddits: [first, second] })
    const schedule = (selectedSubreddit: string, minutes: number) => {
      const postTime = new Date(scene.harness.clock.now().getTime() + minutes * 60_000).toISOString()
      return poster.api.call(routes.createTimelineItem, { body: { postId, selectedSubreddit, postTime } })
    }
    const { _id: itemId, link } = await schedule(first, 10)
    const { _id: otherId } = await schedule(second, FAR_AHEAD)
    const { note, done } = await sendInVain(poster)
    const { code } = await scene.harness.context.db.transaction().execute(async (tx) => {
      const other = tx.selectFrom('scheduled_posts').select('id').where('id', '=', otherId)
      await other.forUpdate().execute()
      const begun = await begin(poster, postId, { waiting: 1, link: watched('copperlake') })
      note()
      await done
      return begun
    })
    expect(await code).toBe('post_going_up')
    expect(await find(poster, itemId)).toMatchObject({ state: 'scheduled', link })
    expect(await find(poster, otherId)).toMatchObject({ state: 'scheduled', link })
    later(60)
    await submitDue(scene.harness)
    expect(await find(poster, itemId)).toMatchObject({ state: 'posted', link })
  })
})

test('what is put back has the link that its post was given meanwhile', async () => {
  const poster = await buildPoster()
  const { _id: itemId, postId } = await scheduleOne(poster)
  await poster.api.call(routes.cancelTimelineItem, { body: { itemId } })
  await relink(poster, postId, watched('amberlake'))
  expect(await poster.api.call(routes.restoreTimelineItem, { body: { itemId } })).toMatchObject({
    state: 'scheduled',
    link: embedded('amberlake'),
  })
  later(10)
  await submitDue(scene.harness)
  expect(await urlsOf(poster)).toEqual([watched('amberlake')])
})

test('that a link may go up again isn’t said of the next one', async () => {
  const [poster, stranger] = [await buildPoster(), await buildPoster()]
  const [first, second] = [watched('redbowl'), watched('yellowbowl')]
  for (const url of [first, second])
    await postOnForum(scene.harness, stranger.account, { subreddit: 'Lanterns', title: 'A bowl', url })
  const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'], link: first })
  const { _id: itemId } = await poster.api.call(routes.manualSubmit, {
    body: { postId, subreddit: 'Lanterns' },
  })
  await poster.api.call(routes.editTimelineItem, { body: { itemId, resubmit: true } })
  await relink(poster, postId, second)
  later(120)
  await submitDue(scene.harness)
  expect(await find(poster, itemId)).toMatchObject({ state: 'failed', failure: { remedy: 'resubmit' } })
  expect(await postsOf(poster)).toEqual([])
})
