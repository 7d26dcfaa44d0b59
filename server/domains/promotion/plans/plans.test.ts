import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { FLAIRED, type Planner, planners, STRICT, SUBREDDITS } from '../../../testing/planners.ts'
import { beginMinute } from '../../../testing/schedule.ts'

const scene = planners()
const { buildPlanner, post, timeline, preview, schedule } = scene

describe('a plan', () => {
  test('comes out as its preview said, to the minute, and the preview leaves nothing behind', async () => {
    const planner = await buildPlanner()
    const postId = await post(planner)
    const rows = SUBREDDITS.slice(0, 3).map((subreddit) => ({ postId, subreddit }))
    beginMinute(scene.harness)
    const previewed = await preview(planner, rows)
    expect(previewed.rows.map(({ problem }) => problem)).toEqual([null, null, null])
    expect(await timeline(planner)).toEqual([])
    const { count } = await planner.api.call(routes.scheduleCandidates, { query: {} })
    expect(count).toBe(3)
    const planned = await schedule(planner, rows)
    expect(planned).toEqual(previewed)
    expect((await timeline(planner)).map(({ subreddit, postTime }) => ({ subreddit, postTime }))).toEqual(
      previewed.rows.map(({ subreddit, postTime }) => ({ subreddit, postTime })),
    )
  })

  test('sent twice schedules nothing twice, and says so of each row', async () => {
    const planner = await buildPlanner()
    const postId = await post(planner)
    const rows = SUBREDDITS.slice(0, 3).map((subreddit) => ({ postId, subreddit }))
    const [one, other] = await Promise.all([schedule(planner, rows), schedule(planner, rows)])
    const problems = [...one.rows, ...other.rows].map(({ problem }) => problem?.message ?? null)
    expect(problems.filter((problem) => problem === null)).toHaveLength(3)
    expect(problems.filter((problem) => problem?.includes('on your timeline'))).toHaveLength(3)
    expect(await timeline(planner)).toHaveLength(3)
  })

  test('schedules what it can: rows that break something change nothing, the others don’t wait for them', async () => {
    const [planner, stranger] = [await buildPlanner(), await buildPlanner()]
    const [postId, theirs] = [await post(planner, [SUBREDDITS[0] ?? '', STRICT]), await post(stranger)]
    const { rows } = await schedule(planner, [
      { postId: theirs, subreddit: 'CozyKnits0' },
      { postId, subreddit: STRICT },
      { postId, subreddit: 'CozyKnits9' },
      { postId, subreddit: 'NobodyTracksThis' },
      { postId, subreddit: 'CozyKnits0' },
      { postId, subreddit: 'CozyKnits0' },
    ])
    expect(rows.map(({ line, problem }) => [line, problem?.message ?? null])).toEqual([
      [0, 'We couldn’t find this post.'],
      [1, 'The title needs “[handmade]”.'],
      [2, 'This post isn’t set up for this subreddit.'],
      [3, 'This post isn’t set up for this subreddit.'],
      [4, null],
      [5, 'This post is already on your timeline for this subreddit.'],
    ])
    expect(rows[1]?.problem).toMatchObject({
      rule: 'title-required',
      suggestion: 'A quiet lake [handmade]',
    })
    expect((await timeline(planner)).map(({ subreddit }) => subreddit)).toEqual(['CozyKnits0'])
    expect(await timeline(stranger)).toEqual([])
  })

  test('says everything that keeps a row from being scheduled, not only the first', async () => {
    const planner = await buildPlanner()
    const titles = ['A quiet lake', 'The lake [handmade]']
    const [one, other] = [await post(planner, [STRICT], titles), await post(planner, [STRICT], titles)]
    const { db, clock } = scene.harness.context
    const limit = (post_max: number | null) =>
      db
        .updateTable('subreddits')
        .set(
          post_max === null
            ? { post_max, post_interval: null, post_unit: null }
            : { post_max, post_interval: 7, post_unit: 'days' },
        )
        .where('name', '=', STRICT)
        .execute()
    const postTime = new Date(clock.now().getTime() + 86_400_000).toISOString()
    await limit(1)
    try {
      const body = [
        { postId: one, subreddit: STRICT, postTime },
        { postId: other, subreddit: STRICT, postTime, title: 'Mine', flairId: 'gone' },
        { postId: other, subreddit: STRICT, postTime },
      ]
      const { rows } = await planner.api.call(routes.previewPlan, { body: { rows: body } })
      const often = { rule: 'frequency', message: `r/${STRICT} allows 1 post every 7 days.` }
      expect(rows.map(({ title, problem }) => [title, problem])).toEqual([
        ['The lake [handmade]', null],
        [
          'Mine',
          {
            ...{ rule: 'title-required', message: 'The title needs “[handmade]”.' },
            suggestion: 'Mine [handmade]',
            others: [{ rule: 'flair', message: `r/${STRICT} doesn’t offer this flair anymore.` }, often],
          },
        ],
        ['The lake [handmade]', { ...often, suggestion: null, others: [] }],
      ])
    } finally {
      await limit(null)
    }
  })

  test('takes the first title that keeps the rules there, and a title of one’s own as it is', async () => {
    const planner = await buildPlanner()
    const titles = ['A quiet lake', 'The lake [handmade]', 'Another [handmade]']
    const postId = await post(planner, [STRICT, 'CozyKnits1'], titles)
    const { rows } = await preview(planner, [
      { postId, subreddit: STRICT },
      { postId, subreddit: 'CozyKnits1', title: 'My own' },
    ])
    expect(rows.map(({ title }) => title)).toEqual(['The lake [handmade]', 'My own'])
  })

  test('takes the flair that its person used there last where one is asked for, as long as it is offered', async () => {
    const [planner, stranger] = [await buildPlanner(), await buildPlanner()]
    const rowOf = async (of: Planner) => ({ postId: await post(of, [FLAIRED]), subreddit: FLAIRED })
    const first = await rowOf(planner)
    expect((await preview(planner, [first])).rows).toMatchObject([
      { problem: { rule: 'flair' }, flairId: null },
    ])
    const words = { flairId: 'own', flairText: 'By the lake' }
    const postTime = new Date(scene.harness.clock.now().getTime() + 86_400_000).toISOString()
    await planner.api.call(routes.schedulePlan, { body: { rows: [{ ...first, ...words, postTime }] } })
    const row = await rowOf(planner)
    expect((await preview(planner, [row])).rows).toMatchObject([
      { ...words, flair: 'By the lake', problem: null },
    ])
    expect((await preview(stranger, [await rowOf(stranger)])).rows).toMatchObject([
      { problem: { rule: 'flair' } },
    ])
    await schedule(planner, [row])
    expect((await timeline(planner)).map(({ flairText }) => flairText)).toEqual([
      'By the lake',
      'By the lake',
    ])
    // One that isn't offered anymore is passed over for the latest that is.
    const later = { postTime: new Date(scene.harness.clock.now().getTime() + 30 * 86_400_000).toISOString() }
    const gone = { ...(await rowOf(planner)), flairId: 'weekend', ...later }
    await planner.api.call(routes.schedulePlan, { body: { rows: [gone] } })
    await scene.harness.context.db
      .updateTable('scheduled_posts')
      .set({ flair_id: 'autumn' })
      .where('flair_id', '=', 'weekend')
      .where('user_id', '=', planner.person.id)
      .execute()
    expect((await preview(planner, [await rowOf(planner)])).rows).toMatchObject([{ ...words, problem: null }])
  })

  test('of the first candidates takes them in their order, as many as are asked for', async () => {
    const planner = await buildPlanner()
    await post(planner, ['CozyKnits0', 'CozyKnits1'], ['First'])
    await post(planner, ['CozyKnits0', 'CozyKnits2'], ['Second'])
    const plan = (limit: number, subreddit = '') =>
      planner.api.call(routes.planCandidates, { body: { limit, subreddit } })
    const { items } = await planner.api.call(routes.scheduleCandidates, { query: {} })
    const wanted = items.map((item) => [item.title, item.subreddit])
    const three = await plan(3)
    expect(three.rows.map((row) => [row.title, row.subreddit])).toEqual(wanted.slice(0, 3))
    const times = three.rows.map(({ postTime }) => Date.parse(postTime ?? ''))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect((await plan(200)).rows).toHaveLength(4)
    expect((await plan(200, 'knits2')).rows.map(({ title }) => title)).toEqual(['Second'])
    expect(await timeline(planner)).toEqual([])
  })

  test.each([
    ['no rows', { rows: [] }],
    [
      'too many rows',
      { rows: Array.from({ length: 201 }, () => ({ postId: crypto.randomUUID(), subreddit: 'CozyKnits0' })) },
    ],
    ['no id', { rows: [{ postId: 'lake', subreddit: 'CozyKnits0' }] }],
  ])('of %s is refused, and nothing is scheduled', async (_, body) => {
    const planner = await buildPlanner()
    await expect(planner.api.call(routes.schedulePlan, { body: body as never })).rejects.toMatchObject({
      status: 400,
    })
    expect(await timeline(planner)).toEqual([])
  })
})
