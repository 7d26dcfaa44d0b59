import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { closeSockets, connect, until } from '../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits, openSubreddits, submitDue } from '../../../testing/promotion.ts'
import { buildPoster, buildPostOf, create, inMinutes, timeline } from '../../../testing/schedule.ts'
import type { ApiSocket } from '../../../testing/socket.ts'

/** Two processes on one database: a change in one sends events from the other. */
let one: Harness
let other: Harness
let subreddits: string[]
beforeAll(async () => {
  one = await startHarness()
  other = await startHarness({ beside: one })
  subreddits = (await openSubreddits(one)).slice(0, 3)
  await buildSubreddits(one, subreddits)
})
afterEach(closeSockets)
afterAll(async () => {
  await other?.stop()
  await one?.stop()
})

const heard = (socket: ApiSocket) => socket.all('timeline changed').length

/** Does something, and waits for the event that the person's timeline changed. */
async function tells<Result>(socket: ApiSocket, act: () => Promise<Result>): Promise<Result> {
  const before = heard(socket)
  const result = await act()
  await until(() => heard(socket) > before)
  return result
}

/** A creator with one post in the next minutes and a socket that collects events. */
async function buildListener() {
  const poster = await buildPoster(one)
  const socket = await connect(other, poster.person)
  const postId = await buildPostOf(one, poster, subreddits)
  const schedule = (subreddit = '', minutes = 0) =>
    tells(socket, () =>
      create(poster, postId, { selectedSubreddit: subreddit, postTime: inMinutes(one, minutes) }),
    )
  return { ...poster, poster, socket, schedule }
}

test('its person hears of all that changes on their timeline, and nobody else does', async () => {
  const { api, poster, accountId, socket, schedule } = await buildListener()
  const stranger = await connect(other, (await buildPoster(one)).person)
  const { _id: itemId } = await schedule(subreddits[0], 10)
  await tells(socket, () => api.call(routes.editTimelineItem, { body: { itemId, title: 'A lake at dawn' } }))
  await tells(socket, () => api.call(routes.cancelTimelineItem, { body: { itemId } }))
  await tells(socket, () => api.call(routes.restoreTimelineItem, { body: { itemId } }))
  await tells(socket, () => api.call(routes.stopAccount, { body: { accountId, stopped: true } }))
  await tells(socket, () => api.call(routes.stopAccount, { body: { accountId, stopped: false } }))
  await tells(socket, () => api.call(routes.editQueue, { body: { paused: true } }))
  await tells(socket, () => api.call(routes.editQueue, { body: { paused: false } }))

  one.clock.advance(11 * 60_000)
  await tells(socket, () => submitDue(one))
  expect((await timeline(poster))[0]).toMatchObject({ _id: itemId, state: 'posted' })

  await schedule(subreddits[1], 600)
  const [from, to] = [inMinutes(one, 500), inMinutes(one, 700)]
  await tells(socket, () => api.call(routes.moveDay, { body: { from, to, minutes: 30 } }))
  expect(stranger.received).toEqual([])
})

test('what nobody sees of it tells nothing, and neither does what wasn’t committed', async () => {
  const { db } = one.context
  const { api, person, socket, schedule } = await buildListener()
  const { _id: itemId } = await schedule(subreddits[2], 600)
  const before = heard(socket)
  const items = () => db.updateTable('scheduled_posts').where('user_id', '=', person.id)
  await items().set({ check_at: one.clock.now(), followed: 2 }).execute()
  const undone = db.transaction().execute(async (tx) => {
    await tx.updateTable('scheduled_posts').set({ score: 5 }).where('user_id', '=', person.id).execute()
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  // Events come in the order of the commits.
  await tells(socket, () => api.call(routes.editTimelineItem, { body: { itemId, title: 'A lake at dusk' } }))
  expect(heard(socket)).toBe(before + 1)
})
