import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import type { Harness } from '../../../testing/harness.ts'
import { MINUTE_MS, postLinks, startWithSubreddits } from '../../../testing/post-links.ts'
import { connectForum } from '../../../testing/promotion.ts'
import { beginNoon } from '../../../testing/schedule.ts'

let harness: Harness
let places: string[]
let names = 0
let creator: Person
beforeAll(async () => {
  ;({ harness, places } = await startWithSubreddits())
})
beforeEach(async () => {
  creator = await buildCreator(harness)
  await connectForum(harness, creator, `Counted${names++}`)
})
afterAll(() => harness?.stop())

const { as, posted, visit, buy, earned } = postLinks(() => ({ harness, places, creator }))

describe('earnings', () => {
  test('are grouped, the most earned first, and come page by page', async () => {
    const titles = ['Second', 'First', 'Visited', 'Never seen']
    const posts = []
    for (const [place, title] of titles.entries()) posts.push(await posted({ title, place: place % 2 }))
    const [second, first, visited] = posts
    for (const [post, cents] of [
      [second, 500],
      [first, 900],
    ] as const) {
      const fan = await buildFan(harness)
      await visit(post?.code ?? '', fan)
      await buy(fan, creator, cents)
    }
    await visit(visited?.code ?? '')
    const whole = await earned('title')
    expect(whole.items.map(({ label }) => label)).toEqual(['First', 'Second', 'Visited', 'Never seen'])
    expect(whole.total).toMatchObject({ posts: 4, visits: 3, sales: 2, salesAmount: '$14' })
    const paged: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof earned>> = await earned('title', {
        limit: 1,
        ...(cursor ? { cursor } : {}),
      })
      paged.push(...page.items.map(({ label }) => label))
      expect(page.total).toEqual(whole.total)
      cursor = page.nextCursor
    } while (cursor)
    expect(paged).toEqual(['First', 'Second', 'Visited', 'Never seen'])
    const bySubreddit = await earned('subreddit')
    expect(bySubreddit.items).toMatchObject([
      { key: places[1], label: `r/${places[1]}`, posts: 2, salesAmount: '$9' },
      { key: places[0], posts: 2, visits: 2, salesAmount: '$5' },
    ])
    expect((await earned('flair')).items).toMatchObject([{ key: '', label: 'No flair', posts: 4 }])
    await expect(earned('title', { cursor: 'bm8gcGxhY2U' })).rejects.toMatchObject({ code: 'bad_cursor' })
  })

  test('stand by the hour and the weekday of the creator’s own time zone', async () => {
    // The clock has moved on since, and hours begin there at half past.
    beginNoon(harness)
    const api = await as(creator)
    await api.call(routes.editQueue, { body: { timeZone: 'Asia/Kolkata' } })
    await posted()
    const there = new Date(harness.clock.now().getTime() + 5.5 * 60 * MINUTE_MS)
    expect((await earned('hour')).items).toMatchObject([{ key: `${there.getUTCHours()}` }])
    expect((await earned('weekday')).items).toMatchObject([{ key: `${there.getUTCDay()}` }])
  })

  test('are a file whose cells no spreadsheet calculates', async () => {
    await posted({ title: '=SUM(A1:A9)' })
    const file = await (await as(creator)).call(routes.postEarningsFile, { query: { by: 'title' } })
    expect(file.fileName).toMatch(/^post-earnings-by-title-[\d-]+-to-[\d-]+\.csv$/)
    const lines = file.text.trimEnd().split('\r\n')
    expect(lines[0]).toContain('"Title","Posts","Removed","Visits"')
    expect(lines[1]).toBe(`"'=SUM(A1:A9)","1","0","0","0","0","0","0","0","$0","0","$0"`)
    expect(lines[2]).toMatch(/^"Total","1"/)
  })

  test('are nobody else’s', async () => {
    await posted()
    const other = await buildCreator(harness)
    expect((await earned('post', {}, other)).items).toEqual([])
    await expect(earned('post', { creatorId: creator.id }, other)).rejects.toMatchObject({ status: 403 })
    const fan = await buildFan(harness)
    await expect(earned('post', {}, fan)).rejects.toMatchObject({ status: 403 })
  })

  test('suggest nothing while there are few posts', async () => {
    await posted()
    const api = await as(creator)
    expect(await api.call(routes.postSuggestions, { query: {} })).toEqual({
      posts: 1,
      hours: [],
      subreddits: [],
    })
  })
})
