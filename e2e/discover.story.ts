import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { axeViolations, looksFinished } from './looks.ts'
import { apiOf, freshName, joins, type Person } from './people.ts'
import { movingPicture, picture } from './pictures.ts'
import { upload } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

/** Discover, search, the viewer, and the front door, as a person uses them. */
let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let creator: Person

const COPIES = 20
const SHOWN = { ...NEW_UPLOAD_FLAGS, mustUnlock: false, showInSearch: true }

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  creator = await joins(fanfare.origin, 'creator', freshName('lighthouse'))
  const api = apiOf(fanfare.origin, creator)
  const [[beach, night], beachTag, nightTag] = await Promise.all([
    upload(fanfare.origin, creator, [await picture(1, 300, 400), await picture(2, 400, 300)]),
    api.call(routes.addTag, { body: { name: 'Beach' } }),
    api.call(routes.addTag, { body: { name: 'Night' } }),
  ])
  const [video] = await upload(fanfare.origin, creator, [await movingPicture()])
  const show = (mediaId = '', title = '', tagIds: string[] = []) =>
    api.call(routes.editMedia, { body: { mediaId, ...SHOWN, title, tagIds } })
  await show(video, 'Two seconds')
  await show(night, 'Lanterns', [nightTag._id])
  await show(beach, 'Low tide', [beachTag._id])
  // More than a page of the same picture, older than the rest.
  await database.query(
    `insert into media select (jsonb_populate_record(m, jsonb_build_object('id', uuidv7(), 'version_id', null, 'title', 'Wave ' || n,
       'rank', m.rank - 1000 - n, 'created_at', m.created_at - make_interval(mins => n)))).*
     from media m cross join generate_series(1, $2::int) n where m.id = $1`,
    [beach, COPIES],
  )
  await Promise.all([database.runSoon('tags.count'), database.runSoon('search.count')])
  await waitUntil(
    async () =>
      (await api.call(routes.tags, { query: {} })).suggested.map(({ name }) => name).join() === 'Beach,Night',
  )
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** The ids of the items of this title. */
async function titled(title: string): Promise<string[]> {
  const { items } = await apiOf(fanfare.origin).call(routes.discover, { query: { limit: 60 } })
  return items.filter((item) => item.title === title).map(({ _id }) => _id)
}

const tiles = ({ page }: Window) => page.locator('[data-media-id]')

test('tags narrow the feed; the address keeps them through reload and back', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  await window.open('/discover')
  const chip = (name: string) => page.getByRole('button', { name, exact: true })
  await chip('Night').click()
  await page.waitForURL(/tagIds=/)
  const narrowed = async () => (await tiles(window).count()) === 1
  await waitUntil(narrowed)
  await page.reload()
  await waitUntil(narrowed)
  expect(await chip('Night').getAttribute('aria-pressed')).toBe('true')
  await looksFinished(window)

  // Two in one go are one step back; pressed within the page, as two calls from here may be further apart than one go.
  const both = await Promise.all([chip('Night').elementHandle(), chip('Beach').elementHandle()])
  await page.evaluate(async (buttons) => {
    for (const button of buttons) {
      ;(button as HTMLElement | null)?.click()
      await new Promise((resolve) => setTimeout(resolve))
    }
  }, both)
  await waitUntil(async () => (await tiles(window).count()) > 10)
  await page.goBack()
  await waitUntil(narrowed)

  await chip('Hide tags').click()
  await chip('Beach').waitFor({ state: 'detached' })
  await page.reload()
  await window.settled()
  await chip('Show tags').click()
  await chip('Beach').waitFor()

  await chip('Popular').click()
  await chip('Videos').click()
  await page.waitForURL(/sort=popular&type=video/)
  await window.sees('No media with these filters')
  await chip('Night').click()
  await waitUntil(narrowed)
  await page.reload()
  await waitUntil(narrowed)
  expect(await chip('Videos').getAttribute('aria-pressed')).toBe('true')

  await window.open('/discover?tagIds=0190a0a0-0000-7000-8000-000000000000')
  await window.sees('No media with these filters')
  await page.getByRole('button', { name: 'Show everything' }).click()
  await waitUntil(async () => (await tiles(window).count()) > 10)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a search finds creators, tags and items, and says what it searched for instead', async () => {
  const window = await openWindow(browser, fanfare.origin, { viewport: PHONE })
  const { page } = window
  await window.open('/')
  await page.getByRole('link', { name: 'Search' }).first().click()
  const field = page.getByRole('searchbox')
  await waitUntil(() => field.evaluate((element) => element === document.activeElement))
  await page.keyboard.type('lighthouse')
  await page.waitForURL(/q=lighthouse$/)
  await window.sees('Results for “lighthouse”')
  await page.getByRole('region', { name: 'Creators' }).getByRole('link').first().waitFor()

  await field.fill('lanterms')
  await window.sees('Showing results for “lanterns”')
  await waitUntil(async () => (await tiles(window).count()) === 1)
  await looksFinished(window)

  await field.fill('beach')
  const tag = page.getByRole('region', { name: 'Tags' }).getByRole('link', { name: 'Beach' })
  await tag.waitFor()
  await looksFinished(window)
  await tag.click()
  await page.waitForURL(/tagIds=/)
  await window.open('/discover?q=qqqqzzzz')
  await window.sees('No results for “qqqqzzzz”')
  expect(await page.getByText('Results for “qqqqzzzz”', { exact: true }).count()).toBe(0)
  expect(await axeViolations(window)).toEqual([])
  await page.getByRole('button', { name: 'Browse All Content' }).click()
  await waitUntil(async () => (await tiles(window).count()) > 10)
  expect(window.complaints()).toEqual([])
  await window.close()
})

/** Runs in each document: keeps which items and ends of pages move while it loads. */
function recordMoved(): void {
  const moved: string[] = []
  Object.assign(globalThis, { moved })
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as unknown as { sources: { node: Node | null }[] }[])
      for (const { node } of sources)
        if (
          node instanceof Element &&
          node.closest('[data-media-id], [aria-label="New from creators"], footer')
        )
          moved.push(node.outerHTML)
  }).observe({ type: 'layout-shift', buffered: true })
}
const moved = ({ page }: Window) => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)

test('nothing moves while the wall loads; the viewer fetches the next page and returns to where one stopped', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const { page, context } = window
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.addInitScript(recordMoved)
  await window.open('/discover')
  expect(await moved(window)).toEqual([])
  const first = await tiles(window).count()
  await tiles(window).nth(1).getByRole('button').click()
  const counter = page.locator('.pswp__counter')
  await counter.getByText(/^2 \//).waitFor()
  const countsMore = page.locator('.pswp[data-more]')
  await countsMore.waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  await window.sees('Link copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${fanfare.origin}/media/${await tiles(window).nth(1).getAttribute('data-media-id')}`,
  )
  const entries = () => page.evaluate(() => history.length)
  const before = await entries()
  await page.keyboard.press('End')
  await counter.getByText(`/ ${COPIES + 3}`).waitFor()
  await page.keyboard.press('ArrowRight')
  await counter.getByText(new RegExp(`^${first + 1} /`)).waitFor()
  await countsMore.waitFor({ state: 'detached' })
  const last = await tiles(window).nth(first).getAttribute('data-media-id')
  await page.waitForURL(`**/discover?view=${last}`)
  expect(await entries()).toBe(before)
  await page.reload()
  await counter.getByText(new RegExp(`^${first + 1} /`)).waitFor()
  await page.keyboard.press('Escape')
  await page.locator(`[data-media-id="${last}"] button:focus`).waitFor()

  const scrolled = await page.evaluate(() => globalThis.scrollY)
  expect(scrolled).toBeGreaterThan(0)
  await page.locator('header').getByRole('link', { name: 'Fanfare' }).click()
  await page.waitForURL(fanfare.origin)
  await page.goBack()
  await page.locator(`[data-media-id="${last}"]`).waitFor()
  await expect.poll(() => page.evaluate(() => globalThis.scrollY)).toBe(scrolled)

  // Also where the viewer's address is the first page of a visit, Back closes it before it leaves.
  await page.goto(`${fanfare.origin}/terms`)
  await page.goto(`${fanfare.origin}/discover?view=${last}`)
  await counter.getByText(new RegExp(`^${first + 1} /`)).waitFor()
  await page.goBack()
  await counter.waitFor({ state: 'detached' })
  expect(page.url()).toBe(`${fanfare.origin}/discover`)
  await page.goForward()
  await counter.waitFor()
  await page.keyboard.press('Escape')
  await counter.waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL('**/terms')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('discover and an item’s page begin in the document, where the application leaves them', async () => {
  for (const viewport of [PHONE, DESK]) {
    const window = await openWindow(browser, fanfare.origin, { viewport })
    const { page } = window
    const [picture = ''] = await titled('Low tide')
    /** Where the headline and the first pictures stand, in pixels; what rounding makes of them is not seen. */
    const places = (pictures: string) =>
      page.evaluate(
        (selector) =>
          ['h1', selector].flatMap((wanted) =>
            [...document.querySelectorAll(wanted)].slice(0, 2).flatMap((element) => {
              const { top, left, width } = element.getBoundingClientRect()
              return wanted === 'h1' ? [top, left] : [top, left, width]
            }),
          ),
        pictures,
      )
    for (const [path, before, after] of [
      ['/discover', '.first-tile > img', '[data-media-id] button > img'],
      [`/media/${picture}`, '.first-box > img', 'button > img'],
    ] as const) {
      await page.route('**/assets/*.js', (route) => route.abort())
      await page.goto(path)
      const drawn = await places(before)
      expect(drawn.length).toBeGreaterThan(2)
      await page.unroute('**/assets/*.js')
      await window.open(path)
      const stands = await places(after)
      const apart = drawn.map((place, at) => Math.abs(place - (stands[at] ?? 0)))
      expect(Math.max(...apart), `${path}: ${drawn} became ${stands}`).toBeLessThan(2)
      expect(stands).toHaveLength(drawn.length)
    }
    await window.close()
  }
})

test('a tile and the row of creators lead to whose it is; the viewer follows them', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  const { page } = window
  // The document's own pictures are for whom the browser's cookie names.
  await window.open('/dashboard')
  await window.open('/discover')
  await page.getByRole('region', { name: 'Creators' }).getByRole('link', { name: creator.username }).waitFor()
  await tiles(window).nth(1).getByRole('button').click()
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByRole('button', { name: 'Following', exact: true }).waitFor()
  expect(await axeViolations(window)).toEqual([])
  await page.keyboard.press('Escape')
  await tiles(window).nth(1).getByRole('link', { name: creator.username }).click()
  await page.waitForURL(`**/users/${creator.username}`)
  await page.getByRole('button', { name: 'Following', exact: true }).waitFor()
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('the front door says whose the newest items are and what creators cost, and moves nothing', async () => {
  const sold = { title: 'Keepers', price: '$7.50' }
  const api = apiOf(fanfare.origin, creator)
  await api.call(routes.createSubscription, { body: sold }, { idempotencyKey: crypto.randomUUID() })
  for (const viewport of [PHONE, DESK]) {
    const window = await openWindow(browser, fanfare.origin, { viewport })
    const { page } = window
    await page.addInitScript(recordMoved)
    // Visitors see a list for a second as it was.
    await waitUntil(async () => {
      await window.open('/')
      return (await page.getByText('From $7.50/mo').count()) > 0
    })
    // The way to what there is stands in the first window.
    const browse = await page
      .getByRole('main')
      .getByRole('link', { name: 'Browse All Content' })
      .first()
      .boundingBox()
    expect((browse?.y ?? Number.POSITIVE_INFINITY) + (browse?.height ?? 0)).toBeLessThanOrEqual(
      viewport.height,
    )
    const newest = page.getByRole('region', { name: 'New from creators' })
    await newest.scrollIntoViewIfNeeded()
    expect(await newest.getByRole('link', { name: creator.username }).count()).toBe(4)
    const creators = page.getByRole('region', { name: 'Creators', exact: true })
    await creators.getByText('From $7.50/mo').waitFor()
    expect(await moved(window)).toEqual([])
    expect(await axeViolations(window)).toEqual([])
    await creators.getByRole('link', { name: creator.username }).click()
    await page.waitForURL(`**/users/${creator.username}`)
    expect(window.complaints()).toEqual([])
    await window.close()
  }
})

test('who is logged in is welcomed back at the front door, without reasons to sign up', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  await window.open('/')
  await window.sees('Welcome back, fan')
  expect(await window.page.getByRole('link', { name: 'Get Started' }).count()).toBe(0)
  const popular = window.page.getByRole('region', { name: 'Popular now' })
  await popular.getByRole('link', { name: creator.username }).nth(1).waitFor()
  const fresh = window.page.getByRole('region', { name: 'New for you' })
  expect(await fresh.count()).toBe(0)
  await apiOf(fanfare.origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  await window.open('/')
  await fresh.getByRole('link', { name: creator.username }).nth(7).waitFor()
  await looksFinished(window, 'welcome-back')
  await window.page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await window.page.waitForURL('**/dashboard')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a creator’s front door says what they sold today, and leads to their earnings', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  await window.open('/')
  await window.page.getByRole('link', { name: 'Today no sales yet' }).click()
  await window.page.waitForURL('**/dashboard/earnings')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a phone has one filter by tags: the suggested ones, or the field once another is wanted', async () => {
  const window = await openWindow(browser, fanfare.origin, { viewport: PHONE })
  const { page } = window
  const chips = page.getByRole('list', { name: 'Suggested tags' })
  const field = page.getByRole('combobox', { name: 'Tags' })
  await window.open('/discover')
  await chips.getByRole('button', { name: 'Night' }).click()
  await waitUntil(async () => (await tiles(window).count()) === 1)
  expect(await field.count()).toBe(0)
  await looksFinished(window, '', [{ viewport: PHONE, colorScheme: 'dark' }])
  await page.getByRole('button', { name: 'Filter by tags' }).click()
  await field.waitFor()
  await page.getByText('Night', { exact: true }).waitFor()
  expect(await chips.count()).toBe(0)
  await window.close()
})

test('the narrowest phone has the order of the feed and its kinds within the window', async () => {
  const window = await openWindow(browser, fanfare.origin, { viewport: { ...PHONE, width: 320 } })
  await window.open('/discover')
  const videos = window.page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Videos' })
  const { x = 0, width = 0 } = (await videos.boundingBox()) ?? {}
  expect(width).toBeGreaterThan(0)
  expect(x + width).toBeLessThanOrEqual(320)
  await window.close()
})

test('a mouse moves a line that is longer than the window by its arrows', async () => {
  // A narrow window of a desk.
  const window = await openWindow(browser, fanfare.origin, { viewport: { ...PHONE, width: 320 } })
  const { page } = window
  await window.open('/discover')
  const chips = page.getByRole('list', { name: 'Suggested tags' })
  const arrow = (side: 'start' | 'end') =>
    page.locator(`ul[aria-label="Suggested tags"] ~ [data-side="${side}"]`)
  await arrow('end').click()
  await arrow('start').waitFor()
  await arrow('end').waitFor({ state: 'detached' })
  expect(await chips.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
  await arrow('start').click()
  await arrow('start').waitFor({ state: 'detached' })
  await window.close()
})

test('a picture that failed is shown once its link is another one', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  const files = '**/files/media/**'
  await page.route(files, (route) => route.abort())
  await window.open('/')
  const tiles = page.getByLabel('New from creators')
  await tiles.scrollIntoViewIfNeeded()
  const errors = tiles.getByText('This media has an error')
  await errors.first().waitFor()
  await page.unroute(files)
  // Coming back to the page later asks for the list again, whose links are others by then.
  await page.request.post('/sandbox/clock', { data: { advanceSeconds: 120 } })
  await page.clock.setFixedTime(Date.now() + 60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await tiles.locator('img[data-shown]').first().waitFor()
  await errors.first().waitFor({ state: 'detached' })
  await window.close()
})
