import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { planners, STRICT, SUBREDDITS } from '../../../../testing/planners.ts'
import { buildPost } from '../../../../testing/promotion.ts'

const scene = planners()
const { buildPlanner, post, timeline, schedule, read } = scene

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

  test('of the timeline tells the two times apart that a clock shows when it is set back', async () => {
    const planner = await buildPlanner()
    await planner.api.call(routes.editQueue, { body: { timeZone: 'America/New_York' } })
    const postId = await post(planner, SUBREDDITS.slice(0, 2))
    const moments = ['2090-11-05T05:30:00.000Z', '2090-11-05T06:30:00.000Z']
    for (const [at, postTime] of moments.entries())
      await planner.api.call(routes.createTimelineItem, {
        body: { postId, selectedSubreddit: SUBREDDITS[at] ?? '', postTime },
      })
    const { text } = await planner.api.call(routes.timelineFile, { query: {} })
    expect(text).toContain('"2090-11-05 01:30"')
    const { rows } = await read(planner, text)
    expect(rows.map(({ wanted }) => wanted)).toEqual(moments)
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
          const postId = await buildPost(scene.harness, planner.person, {
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

  test('says everything about a row that can’t be read, so that it is corrected at once', async () => {
    const planner = await buildPlanner()
    const { rows } = await read(
      planner,
      [
        'post,subreddit,time,flair,account,NSFW',
        `Nothing of mine,${STRICT},tomorrow,Sundays,Somebody,perhaps`,
        'Nothing of mine,Unheard,,Sundays,,',
      ].join('\n'),
    )
    const said = rows.map(
      ({ problem }) => problem && [problem, ...problem.others].map(({ message }) => message),
    )
    expect(said).toEqual([
      [
        'You have no post “Nothing of mine”.',
        'We can’t read the time “tomorrow”. Write it as 2026-11-30 18:15.',
        `r/${STRICT} doesn’t offer the flair “Sundays”.`,
        'You have no forum account “Somebody”.',
        'We can’t tell whether “perhaps” marks this post NSFW. Write yes or no.',
      ],
      ['You have no post “Nothing of mine”.', 'We don’t track r/Unheard.'],
    ])
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

  test('names subreddits as they are pasted', async () => {
    const planner = await buildPlanner()
    const postId = await post(planner, ['CozyKnits0'])
    for (const name of [
      '/r/CozyKnits0/',
      'CozyKnits0/',
      'r/cozyknits0',
      'https://www.reddit.com/r/CozyKnits0/',
    ]) {
      const { rows } = await read(planner, `post,subreddit\n${postId},${name}`)
      expect(rows).toMatchObject([{ postId, problem: null }])
    }
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
