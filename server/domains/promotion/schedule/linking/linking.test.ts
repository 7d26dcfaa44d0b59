import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { until } from '../../../../testing/chat.ts'
import { type Poster, posters } from '../../../../testing/posters.ts'
import { buildPost, postOnForum, submitDue } from '../../../../testing/promotion.ts'
import { lockQueue } from '../queue/actions.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, find, postsOf } = scene
/** What the forum is sent of a RedGif; each test has its own, as the forum takes no link twice in a subreddit. */
const watched = (name: string) => `https://www.redgifs.com/watch/${name}`
const embedded = (name: string) => `https://www.redgifs.com/ifr/${name}`

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
  const { postId } = await scheduleOne(poster)
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
