import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildFlair, buildPost, buildSubreddits, connectForum } from '../../../testing/promotion.ts'
import { beginMinute } from '../../../testing/schedule.ts'

let harness: Harness
let accounts = 0
const SUBREDDITS = Array.from({ length: 12 }, (_, index) => `CozyKnits${index}`)
/** Takes titles that end with “[handmade]”. */
const STRICT = 'GardenPortraits'
/** Asks for a flair. */
const FLAIRED = 'GardenWeekends'
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, [...SUBREDDITS, STRICT, FLAIRED])
  const { db, clock } = harness.context
  const requirements = JSON.stringify({
    title_text_min_length: null,
    title_text_max_length: null,
    title_blacklisted_strings: [],
    title_required_strings: ['[handmade]'],
    is_flair_required: false,
    link_restriction_policy: 'none',
    domain_whitelist: [],
    domain_blacklist: [],
  })
  const offered = [
    { id: 'weekend', text: 'Weekend', editable: false },
    { id: 'own', text: 'Your words', editable: true },
  ]
  await buildFlair(harness, FLAIRED, offered)
  const flair = JSON.stringify(offered)
  await db
    .updateTable('subreddit_readings')
    .set({ state: 'read', requirements, flair, read_at: clock.now() })
    .where('subreddit_id', 'in', db.selectFrom('subreddits').select('id').where('name', '=', STRICT))
    .execute()
})
afterAll(() => harness?.stop())

type Planner = { person: Person; api: ReturnType<Harness['api']['as']> }
async function buildPlanner(): Promise<Planner> {
  const person = await buildCreator(harness)
  await connectForum(harness, person, `Weaver${accounts++}`)
  return { person, api: harness.api.as(person) }
}
const post = ({ person }: Planner, subreddits = SUBREDDITS.slice(0, 3), titles = ['A quiet lake']) =>
  buildPost(harness, person, { subreddits, titles })
const timeline = async ({ api }: Planner) => (await api.call(routes.timeline, { query: { limit: 60 } })).items
const preview = ({ api }: Planner, rows: { postId: string; subreddit: string; title?: string }[]) =>
  api.call(routes.previewPlan, { body: { rows } })
const schedule = ({ api }: Planner, rows: { postId: string; subreddit: string; title?: string }[]) =>
  api.call(routes.schedulePlan, { body: { rows } })
const read = ({ api }: Planner, text: string) => api.call(routes.readPlanFile, { body: { text } })

describe('a plan', () => {
  test('comes out as its preview said, to the minute, and the preview leaves nothing behind', async () => {
    const planner = await buildPlanner()
    const postId = await post(planner)
    const rows = SUBREDDITS.slice(0, 3).map((subreddit) => ({ postId, subreddit }))
    beginMinute(harness)
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
    const postTime = new Date(harness.clock.now().getTime() + 86_400_000).toISOString()
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
    const later = { postTime: new Date(harness.clock.now().getTime() + 30 * 86_400_000).toISOString() }
    const gone = { ...(await rowOf(planner)), flairId: 'weekend', ...later }
    await planner.api.call(routes.schedulePlan, { body: { rows: [gone] } })
    await harness.context.db
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

describe('a file', () => {
  test('of the timeline can be read back: what is there already is said so, line by line', async () => {
    const planner = await buildPlanner()
    await planner.api.call(routes.editQueue, { body: { timeZone: 'America/New_York' } })
    const postId = await post(planner, SUBREDDITS.slice(0, 3), ['=A "quiet", lake'])
    await schedule(planner, [{ postId, subreddit: 'CozyKnits0' }])
    const [item] = await timeline(planner)
    const { text, fileName } = await planner.api.call(routes.timelineFile, { query: {} })
    expect(fileName).toMatch(/^timeline-\d{4}-\d\d-\d\d\.csv$/)
    expect(text).toContain('"\'=A ""quiet"", lake"')
    const { rows } = await read(planner, text.replaceAll('CozyKnits0', 'CozyKnits1'))
    expect(rows).toMatchObject([
      {
        line: 2,
        postId,
        subreddit: 'CozyKnits1',
        title: '=A "quiet", lake',
        wanted: `${item?.postTime.slice(0, 16)}:00.000Z`,
        problem: null,
      },
    ])
    expect((await read(planner, text)).rows[0]?.problem?.message).toContain('on your timeline')
  })

  test('of the timeline says of each post what it is, whatever its words are, and means the same read back', async () => {
    const planner = await buildPlanner()
    const pieces = [...'\'=-+@",; a5', 'no', '😀']
    const wordsOf = (unit: string[]) =>
      fc.array(fc.constantFrom(...unit), { maxLength: 12 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(
        wordsOf(pieces),
        wordsOf([...pieces, '\n', '\t']),
        fc.boolean(),
        async (own, comment, nsfw) => {
          const postId = await buildPost(harness, planner.person, {
            subreddits: ['CozyKnits4'],
            titles: [`A lake${own}`],
            comment: 'The post’s own',
          })
          const item = await planner.api.call(routes.createTimelineItem, {
            body: { postId, selectedSubreddit: 'CozyKnits4', title: `${own}A lake`, comment, nsfw },
          })
          const { text } = await planner.api.call(routes.timelineFile, { query: {} })
          await planner.api.call(routes.cancelTimelineItem, { body: { itemId: item._id } })
          const meant = { postId, title: item.title, comment: item.comment, nsfw, problem: null }
          expect((await read(planner, text)).rows).toMatchObject([meant])
        },
      ),
      { numRuns: 40 },
    )
  })

  test('takes comment and mark of the post where it has no column for them, and says yes and no in letters of any size', async () => {
    const planner = await buildPlanner()
    const postId = await post(planner, SUBREDDITS.slice(0, 4))
    const { rows } = await read(
      planner,
      [
        'post,subreddit,comment,NSFW',
        `${postId},CozyKnits0,Mine,YES`,
        `${postId},CozyKnits1,,no`,
        `${postId},CozyKnits2,,`,
        `${postId},CozyKnits3,,perhaps`,
      ].join('\n'),
    )
    expect(rows).toMatchObject([
      { comment: 'Mine', nsfw: true, problem: null },
      { comment: '', nsfw: false, problem: null },
      { comment: '', nsfw: null, problem: null },
      { problem: { message: 'We can’t tell whether “perhaps” marks this post NSFW. Write yes or no.' } },
    ])
    const plain = await read(planner, `post,subreddit\n${postId},CozyKnits0`)
    expect(plain.rows).toMatchObject([{ comment: null, nsfw: null, problem: null }])
  })

  test('names posts by id or title, times on the queue’s wall, flair by its words, in any order of columns', async () => {
    const planner = await buildPlanner()
    await planner.api.call(routes.editQueue, { body: { timeZone: 'Asia/Kathmandu' } })
    const [first, second] = [
      await post(planner, ['CozyKnits0', STRICT], ['A quiet lake']),
      await post(planner, ['CozyKnits0'], ['Twice']),
    ]
    await post(planner, ['CozyKnits1'], ['Twice'])
    const { rows } = await read(
      planner,
      [
        'Time;Subreddit;POST;title;flair;note',
        `2099-03-01 09:30;r/CozyKnits0;${first};Mine;;ignored`,
        `2099-03-01T00:00:00Z;${STRICT};A quiet lake;A lake [handmade];weekend;`,
        ';CozyKnits0;Twice;;;',
        `tomorrow;CozyKnits0;${second};;;`,
        ';CozyKnits0;Nothing of mine;;;',
        `;Unheard;${second};;;`,
        `;${STRICT};A quiet lake;;Sundays;`,
        '2026-02-30 10:00;CozyKnits0;A quiet lake;;;',
        '0026-02-03 10:00;CozyKnits0;A quiet lake;;;',
        '0026-02-03T10:00:00Z;CozyKnits0;A quiet lake;;;',
      ].join('\r\n'),
    )
    expect(rows.map(({ line, postTime, problem }) => [line, postTime, problem?.message ?? null])).toEqual([
      [2, '2099-03-01T03:45:00.000Z', null],
      [3, '2099-03-01T00:00:00.000Z', null],
      [4, null, 'Several of your posts have the title “Twice”. Name one by its ID.'],
      [5, null, 'We can’t read the time “tomorrow”. Write it as 2026-11-30 18:15.'],
      [6, null, 'You have no post “Nothing of mine”.'],
      [7, null, 'We don’t track r/Unheard.'],
      [8, null, `r/${STRICT} doesn’t offer the flair “Sundays”.`],
      [9, null, 'We can’t read the time “2026-02-30 10:00”. Write it as 2026-11-30 18:15.'],
      [10, null, 'We can’t read the time “0026-02-03 10:00”. Write it as 2026-11-30 18:15.'],
      [11, null, 'We can’t read the time “0026-02-03T10:00:00Z”. Write it as 2026-11-30 18:15.'],
    ])
    expect(rows[1]).toMatchObject({ flairId: 'weekend', flairText: null, flair: 'Weekend' })
    expect(await timeline(planner)).toEqual([])
  })

  test('names a flair’s own words where its subreddit takes them, and the timeline’s file has them again', async () => {
    const planner = await buildPlanner()
    const postId = await post(planner, [STRICT], ['A lake [handmade]'])
    const other = await post(planner, [STRICT], ['A boat [handmade]'])
    const { rows } = await read(
      planner,
      `post,subreddit,flair,flair text\n${postId},${STRICT},your words,By the lake\n${other},${STRICT},weekend,Not taken`,
    )
    expect(rows).toMatchObject([
      { flairId: 'own', flairText: 'By the lake', flair: 'By the lake', problem: null },
      { flairId: 'weekend', flairText: null, flair: 'Weekend', problem: null },
    ])
    const row = { postId, subreddit: STRICT, flairId: 'own', flairText: 'By the lake' }
    await planner.api.call(routes.schedulePlan, { body: { rows: [row] } })
    expect((await timeline(planner)).map(({ flairText }) => flairText)).toEqual(['By the lake'])
    const { text } = await planner.api.call(routes.timelineFile, { query: {} })
    expect(text).toContain('"own","By the lake"')
  })

  test('names the line where a row begins, whatever lines its cells have, and a flair nobody could read by its ID', async () => {
    const planner = await buildPlanner()
    const first = await post(planner, ['CozyKnits0'], ['A quiet lake'])
    const flairId = crypto.randomUUID()
    const lines = [
      'post,subreddit,comment,flair',
      `${first},CozyKnits0,"Two`,
      `lines",${flairId}`,
      '',
      'Nothing of mine,CozyKnits0,,',
      `${first},CozyKnits0,,Sundays`,
    ]
    for (const end of ['\n', '\r\n']) {
      const { rows } = await read(planner, lines.join(end))
      expect(rows.map(({ line, problem }) => [line, problem?.message ?? null])).toEqual([
        [2, null],
        [5, 'You have no post “Nothing of mine”.'],
        [6, 'We couldn’t read which flair r/CozyKnits0 offers. Name “Sundays” by its ID, or try later.'],
      ])
      expect(rows[0]).toMatchObject({ comment: 'Two\nlines', flairId })
    }
    await expect(read(planner, 'x'.repeat(200_001))).rejects.toMatchObject({
      status: 400,
      body: { details: { text: 'A file can have up to 200,000 characters. Split it.' } },
    })
  })

  test.each([
    ['without our columns', 'name,place\nA,B'],
    ['of one line', 'post,subreddit'],
    ['with a quote that never ends', 'post,subreddit\n"A,B'],
    ['of zeros', '\0\0\0'],
  ])('%s is refused with a sentence', async (_, text) => {
    const planner = await buildPlanner()
    await expect(read(planner, text)).rejects.toMatchObject({ code: 'plan_file_unreadable' })
  })

  test('of more than 200 rows is refused, and of any text whatever is answered', async () => {
    const planner = await buildPlanner()
    const row = 'A quiet lake,CozyKnits0\n'
    await expect(read(planner, `post,subreddit\n${row.repeat(201)}`)).rejects.toMatchObject({
      code: 'plan_too_long',
    })
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), async (text) => {
        const answer = await read(planner, `post,subreddit,time\n${text}`).catch((error) => error)
        expect(answer.status ?? 200).toBeLessThan(500)
      }),
      { numRuns: 60 },
    )
  })
})
