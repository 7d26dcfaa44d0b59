import { afterAll, beforeAll, expect, test } from 'vitest'
import { errors } from '../../../../contract/errors.ts'
import { routes } from '../../../../contract/index.ts'
import { buildCreator } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum } from '../../../testing/promotion.ts'
import { beginMinute } from '../../../testing/schedule.ts'

const PLACES = ['CozyKnits0', 'CozyKnits1', 'CozyKnits2', 'CozyKnits3']
let harness: Harness
let names = 0
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, PLACES)
})
afterAll(() => harness?.stop())

/** A creator with two accounts, and a post that can be used everywhere. */
async function buildPlanner() {
  const person = await buildCreator(harness)
  const first = await connectForum(harness, person, `Weaver${names++}`)
  const second = await connectForum(harness, person, `Knitter${names++}`)
  const postId = await buildPost(harness, person, { subreddits: PLACES })
  return { api: harness.api.as(person), first, second, postId }
}
type Planner = Awaited<ReturnType<typeof buildPlanner>>
const whoPosts = async ({ api }: Planner) =>
  (await api.call(routes.timeline, { query: {} })).items.map(({ account, byHand }) =>
    byHand ? 'by hand' : account,
  )

test('a plan’s rows are each posted by whom they name, and by the first account without one', async () => {
  const [planner, stranger] = [await buildPlanner(), await buildPlanner()]
  const { api, first, second, postId } = planner
  const by = [{}, { accountId: second._id }, { byHand: true }, { accountId: stranger.first._id }]
  const rows = by.map((poster, index) => ({ postId, subreddit: PLACES[index] ?? '', ...poster }))
  beginMinute(harness)
  const previewed = await api.call(routes.previewPlan, { body: { rows } })
  expect(previewed.rows).toMatchObject([
    { accountId: null, byHand: false, problem: null },
    { accountId: second._id, byHand: false, problem: null },
    { accountId: null, byHand: true, problem: null },
    { problem: { rule: null, message: errors.forum_account_not_found.text } },
  ])
  expect(await api.call(routes.schedulePlan, { body: { rows } })).toEqual(previewed)
  expect(await whoPosts(planner)).toEqual([first.name, second.name, 'by hand'])
})

test('what one account is refused another one may post, and its person by hand', async () => {
  const { api, first, second, postId } = await buildPlanner()
  const { db, clock } = harness.context
  await db
    .insertInto('forum_closed_pairs')
    .columns(['account_id', 'subreddit_id', 'code', 'message', 'closed_at'])
    .expression((eb) =>
      eb
        .selectFrom('subreddits')
        .select(({ val }) => [
          val(first._id).as('account_id'),
          'id',
          val('FORBIDDEN').as('code'),
          val('Not here.').as('message'),
          val(clock.now()).as('closed_at'),
        ])
        .where('name', '=', PLACES[0] ?? ''),
    )
    .execute()
  const brokenBy = async (poster: { accountId?: string; byHand?: boolean }) => {
    const row = { postId, subreddit: PLACES[0] ?? '', ...poster }
    const { rows } = await api.call(routes.previewPlan, { body: { rows: [row] } })
    return rows[0]?.problem?.rule ?? null
  }
  expect(await brokenBy({})).toBe('closed')
  expect(await brokenBy({ accountId: second._id })).toBeNull()
  expect(await brokenBy({ byHand: true })).toBeNull()
})

test('a file names who posts by the account’s name, and the timeline’s file has it again', async () => {
  const planner = await buildPlanner()
  const { api, first, second, postId } = planner
  const cells = [`u/${second.name.toUpperCase()}`, 'By hand', '', 'Somebody_else']
  const text = [
    'post,subreddit,account',
    ...cells.map((cell, index) => `${postId},${PLACES[index]},${cell}`),
  ].join('\n')
  const { rows } = await api.call(routes.readPlanFile, { body: { text, accountId: first._id } })
  expect(rows).toMatchObject([
    { accountId: second._id, byHand: false, problem: null },
    { accountId: null, byHand: true, problem: null },
    { accountId: first._id, byHand: false, problem: null },
    { problem: { message: 'You have no forum account “Somebody_else”.' } },
  ])
  const sent = rows.slice(0, 3).map(({ subreddit, accountId, byHand }) => ({
    ...{ postId, subreddit, accountId, byHand },
  }))
  await api.call(routes.schedulePlan, { body: { rows: sent } })
  expect(await whoPosts(planner)).toEqual([second.name, 'by hand', first.name])
  const file = await api.call(routes.timelineFile, { query: {} })
  const lines = file.text.trim().split(/\r?\n/)
  expect(lines[0]).toContain('account')
  for (const [index, name] of [second.name, 'by hand', first.name].entries())
    expect(lines[index + 1]).toContain(`"${name}"`)
  const again = await api.call(routes.readPlanFile, { body: { text: file.text } })
  expect(again.rows.map(({ accountId, byHand }) => (byHand ? 'by hand' : accountId))).toEqual([
    second._id,
    'by hand',
    first._id,
  ])
})

test('the first candidates are planned for one account', async () => {
  const { api, second } = await buildPlanner()
  const { rows } = await api.call(routes.planCandidates, { body: { limit: 2, accountId: second._id } })
  expect(rows.map(({ accountId, problem }) => [accountId, problem])).toEqual([
    [second._id, null],
    [second._id, null],
  ])
})
