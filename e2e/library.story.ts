import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { applyLook, axeViolations, looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins, type Person } from './people.ts'
import { movingPicture, picture } from './pictures.ts'
import { upload } from './shop.ts'
import { DESK, openWindow, type Window } from './window.ts'

const COUNT = 40
/** How many of the items are files, the newest of them a video; the others are external gifs, which need no preparing. */
const FILES = 10

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let creator: Person
let window: Window
let page: Page

/** Titles from the oldest to the newest: every second one is a harbour. */
const titles = Array.from(
  { length: COUNT },
  (_, at) => `${at % 2 === 0 ? 'Harbour' : 'Forest'} ${String(at + 1).padStart(2, '0')}`,
)

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  creator = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, creator)
  for (let at = 0; at < COUNT - FILES; at++)
    await api.call(routes.addRedGif, { body: { redGif: `storygif${at}` } })
  const pictures = Array.from({ length: FILES - 1 }, (_, at) => picture(at + 1, 240, 320))
  await upload(fanfare.origin, creator, await Promise.all(pictures))
  await upload(fanfare.origin, creator, [await movingPicture()])
  // Files are ready in any order, so they are named once all are there.
  for (const [at, { _id: mediaId }] of (await library()).reverse().entries())
    await api.call(routes.editMedia, { body: { mediaId, title: titles[at] ?? '' } })
  window = await openWindow(browser, fanfare.origin, { person: creator, viewport: DESK })
  page = window.page
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** The library as the server has it, in its order. */
async function library() {
  const api = apiOf(fanfare.origin, creator)
  const { items } = await api.call(routes.manageMedia, { query: { limit: 60 } })
  return items
}

const cards = () => page.getByRole('region', { name: 'Your media' }).getByRole('article')
const shown = () =>
  cards().evaluateAll((found) => found.map((card) => card.querySelector('p')?.textContent ?? ''))
const dialog = () => page.getByRole('dialog')

/** What is read until it is as expected. */
const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

/** Waits until this many cards are there, scrolling for more. */
async function showsCards(count: number): Promise<void> {
  await eventually(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return cards().count()
  }).toBe(count)
  await page.evaluate(() => scrollTo(0, 0))
}

test('what is sought is found, stands in the address, and going back takes it away', async () => {
  await window.open('/dashboard/manage')
  await showsCards(COUNT)
  expect(await shown()).toEqual([...titles].reverse())
  await looksFinished(window)

  await page.getByRole('searchbox', { name: 'Search' }).fill('harb')
  await eventually(() => cards().count()).toBe(COUNT / 2)
  expect(new URL(page.url()).search).toBe('?search=harb')
  await window.sees('To change the order, clear search and filters.')
  await page.getByRole('searchbox', { name: 'Search' }).fill('harbour zebra')
  await window.sees('No results in your library')
  await looksFinished(window)
  await page.goBack()
  await showsCards(COUNT)
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('')

  await page.getByLabel('Type').selectOption('Videos')
  await eventually(shown).toEqual(['Forest 40'])
  await page.getByLabel('Visibility').selectOption('Free')
  await window.sees('No results in your library')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await showsCards(COUNT)
  expect(new URL(page.url()).search).toBe('')
  expect(window.complaints()).toEqual([])
})

test('a list shows as much of an item, and is what this browser opens with', async () => {
  await window.open('/dashboard/manage')
  const columns = () =>
    cards().evaluateAll((found) => {
      const tops = found.map((card) => Math.round(card.getBoundingClientRect().top))
      return tops.filter((top) => top === tops[0]).length
    })
  await eventually(columns).toBe(6)
  await cards().first().getByText('moving.webp').waitFor()
  await page.getByRole('radio', { name: 'Grid' }).press('ArrowRight')
  await eventually(columns).toBe(1)
  expect((await shown()).slice(0, 2)).toEqual(['Forest 40', 'Harbour 39'])
  await cards().first().getByText('moving.webp').waitFor()
  await looksFinished(window)
  await page.reload()
  await eventually(columns).toBe(1)
  await page.getByRole('radio', { name: 'Grid' }).check({ force: true })
  await eventually(columns).toBe(6)
  expect(window.complaints()).toEqual([])
})

test('all that match are selected beyond what is loaded, and put into a bundle; that is undone', async () => {
  const api = apiOf(fanfare.origin, creator)
  const holds = async () => {
    const { bundles } = await api.call(routes.bundles, { query: { creatorId: creator.id } })
    return bundles.map(({ title, mediaIds }) => [title, mediaIds.length])
  }
  await window.open('/dashboard/manage?search=harbour')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('button', { name: 'Select all 20' }).click()
  await window.sees('20 selected')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: `Select all ${COUNT}` }).click()
  await window.sees(`${COUNT} selected`)
  await looksFinished(window)
  await page.getByRole('button', { name: 'Add to bundle' }).click()
  await dialog().getByLabel('Title').fill('Everything')
  await looksFinished(window)
  await dialog()
    .getByRole('button', { name: `Create and add ${COUNT} items` })
    .click()
  await window.sees(`Added ${COUNT} items to “Everything”.`)
  expect(await holds()).toEqual([['Everything', COUNT]])
  await page.getByRole('button', { name: 'Undo' }).click()
  await window.sees(`Removed ${COUNT} items from “Everything”.`)
  expect(await holds()).toEqual([['Everything', 0]])

  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 40' }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 38' }).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Add to bundle' }).click()
  await dialog().getByRole('radio', { name: 'Everything' }).check()
  await looksFinished(window)
  await dialog().getByRole('button', { name: 'Add 3 items' }).click()
  await window.sees('Added 3 items to “Everything”.')
  expect(await holds()).toEqual([['Everything', 3]])
  await page.getByRole('button', { name: 'Add to bundle' }).click()
  await dialog().getByRole('radio', { name: 'Everything' }).check()
  await dialog().getByRole('button', { name: 'Add 3 items' }).click()
  await window.sees('“Everything” already has all of them.')
  expect(await holds()).toEqual([['Everything', 3]])
  expect(window.complaints()).toEqual([])
})

test('many at once get tags, a price and a place in the store', async () => {
  await window.open('/dashboard/manage')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 40' }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 36' }).click({ modifiers: ['Shift'] })
  await page.getByRole('checkbox', { name: 'Select Harbour 37' }).press('Space')
  await window.sees('4 selected')
  await looksFinished(window)

  await page.getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('combobox', { name: 'Add tags' }).fill('Story night')
  await page.getByRole('option', { name: 'Create “Story night”' }).click()
  await page.getByRole('dialog').getByText('Story night').waitFor()
  await page.getByRole('heading', { name: 'Tags of 4 items' }).click()
  await looksFinished(window)
  await page.getByRole('button', { name: 'Change 4 items' }).click()
  await window.sees('4 items updated')

  await page.getByRole('button', { name: 'Visibility' }).click()
  await dialog().getByText('Advanced').click()
  await dialog().getByRole('radiogroup', { name: 'Show in shop' }).getByText('On', { exact: true }).click()
  await window.sees(
    'Also turned on: Must be unlocked. Also turned off: Forum promotion, Private (send via chat).',
  )
  await looksFinished(window)
  await page.getByRole('button', { name: 'Change 4 items' }).click()
  await dialog().waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Price' }).click()
  await page.getByRole('textbox', { name: 'Price' }).fill('')
  await page.getByRole('button', { name: 'Change 4 items' }).click()
  await window.sees('Must include price')
  await page.getByRole('textbox', { name: 'Price' }).fill('7.5')
  await looksFinished(window)
  await page.getByRole('button', { name: 'Change 4 items' }).click()
  await dialog().waitFor({ state: 'detached' })
  await eventually(() => cards().getByText('$7.50').count()).toBe(4)

  const changed = (await library()).filter(({ tagIds }) => tagIds.length > 0)
  expect(changed.map(({ title }) => title)).toEqual(['Forest 40', 'Harbour 39', 'Forest 38', 'Forest 36'])
  for (const media of changed)
    expect(media).toMatchObject({ price: '$7.50', showInStore: true, mustUnlock: true })
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('combobox', { name: 'Tags' }).fill('story ni')
  await page.getByRole('option', { name: 'Story night' }).click()
  await eventually(() => cards().count()).toBe(4)
  expect(new URL(page.url()).searchParams.getAll('tagIds')).toEqual(changed[0]?.tagIds)
  await page.reload()
  await eventually(() => cards().count()).toBe(4)
  await page.getByText('Story night').waitFor()
  expect(window.complaints()).toEqual([])
})

test('the order is changed with the keyboard, and taken back when it can’t be', async () => {
  await window.open('/dashboard/manage')
  const handle = page.getByRole('button', { name: 'Move Forest 40' })
  const live = page.locator('[id^="DndLiveRegion"]')
  const moveOn = async () => {
    await handle.focus()
    await handle.press('Space')
    await eventually(() => live.textContent()).toMatch(/^Picked up Forest 40 at position 1 of/)
    await handle.press('ArrowRight')
    await eventually(() => live.textContent()).toMatch(/^Forest 40 is over position 2 of/)
    await handle.press('Space')
  }
  await page.route('**/api/media/reorder', (route) => route.abort())
  await moveOn()
  await window.sees('We couldn’t change the order.')
  await eventually(async () => (await shown()).slice(0, 2)).toEqual(['Forest 40', 'Harbour 39'])
  await page.unroute('**/api/media/reorder')
  window.complaints()

  await moveOn()
  await eventually(async () => (await shown()).slice(0, 3)).toEqual(['Harbour 39', 'Forest 40', 'Forest 38'])
  await eventually(async () => (await library()).slice(0, 3).map(({ title }) => title)).toEqual([
    'Harbour 39',
    'Forest 40',
    'Forest 38',
  ])

  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 34' }).click()
  await page.getByRole('checkbox', { name: 'Select Harbour 39' }).click()
  await page.getByRole('button', { name: 'Move to top' }).click()
  await window.sees('2 items moved to the top')
  await eventually(async () => (await shown()).slice(0, 3)).toEqual(['Forest 34', 'Harbour 39', 'Forest 40'])
  expect(window.complaints()).toEqual([])
})

test('what a bundle holds is chosen, kept in its order, and not lost by leaving', async () => {
  const api = apiOf(fanfare.origin, creator)
  const { _id } = await api.call(
    routes.createBundle,
    { body: { title: 'Harbours', price: '$15' } },
    { idempotencyKey: crypto.randomUUID() },
  )
  await window.open(`/dashboard/edit/bundle/${_id}`)
  await looksFinished(window)
  await page.getByLabel('Title').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Must include title')
  await page.getByLabel('Title').fill('By the sea')
  await page.getByRole('checkbox', { name: 'Forest 40' }).press('Space')
  await page.getByRole('checkbox', { name: 'Harbour 35' }).click()
  await page.getByRole('checkbox', { name: 'Harbour 37' }).click({ modifiers: ['Shift'] })
  await window.sees('4 selected')
  await window.sees('3 photos, 1 video (0:02)')

  await page.getByRole('link', { name: 'Your shop' }).last().click()
  await window.sees('Your changes to this bundle aren’t saved.')
  expect(await axeViolations(window)).toEqual([])
  await page.getByRole('button', { name: 'Stay here' }).click()
  await dialog().waitFor({ state: 'detached' })
  const offered = () => page.getByRole('checkbox').evaluateAll((found) => found.map((box) => box.ariaLabel))
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('zebra')
  await window.sees('No results in your library')
  await window.sees('4 selected')
  await search.fill('forest 40')
  await eventually(offered).toEqual(['Forest 40'])
  await page.getByRole('switch', { name: 'Show selected only' }).click()
  await search.fill('harbour')
  await eventually(offered).toEqual(['Harbour 35', 'Harbour 37'])
  await page.getByLabel('Type').selectOption('Videos')
  await window.sees('No results in your selection')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await eventually(offered).toEqual(['Forest 40', 'Harbour 35', 'Forest 36', 'Harbour 37'])
  await looksFinished(window)
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Updated bundle')
  const { mediaIds, title } = await api.call(routes.bundle, { params: { id: _id } })
  const byId = new Map((await library()).map((media) => [media._id, media.title]))
  expect([title, ...mediaIds.map((id) => byId.get(id))]).toEqual([
    'By the sea',
    'Forest 40',
    'Harbour 35',
    'Forest 36',
    'Harbour 37',
  ])
  await page.getByRole('link', { name: 'Your shop' }).last().click()
  await window.sees('By the sea')
  await window.sees('3 photos, 1 video (0:02)')

  const other = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'creator') })
  await other.open(`/dashboard/edit/bundle/${_id}`)
  await other.sees('you do not have access to this page')
  await other.close()
  expect(window.complaints()).toEqual([])
})

test('deleting says what it touches, leaves what was bought, and is taken back from the list', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const buyer = await openWindow(browser, fanfare.origin, { person: fan })
  await buyer.open(`/users/${creator.username}?tab=singles`)
  await buyer.page.getByRole('button', { name: 'Buy Forest 36' }).click()
  await payByCard(buyer.page, CARDS.approved)
  await buyer.sees('Processed Transaction')
  const bought = (await library()).find(({ title }) => title === 'Forest 36')?._id ?? ''

  await window.open('/dashboard/manage')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 36' }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 34' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await window.sees('1 person bought these. Buyers keep access.')
  await window.sees('This bundle gets smaller: “By the sea”.')
  await looksFinished(window)
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await window.sees('Deleted 2 items')
  await eventually(async () => (await library()).length).toBe(COUNT - 2)
  await eventually(shown).not.toContain('Forest 36')
  const { locked } = await apiOf(fanfare.origin, fan).call(routes.media, { params: { mediaId: bought } })
  expect(locked).toBe(false)
  expect(await axeViolations(window)).toEqual([])

  await page.getByRole('link', { name: 'Recently deleted' }).click()
  await window.sees('30 days left')
  await looksFinished(window)
  await page.getByRole('button', { name: 'Restore Forest 34' }).click()
  await window.sees('“Forest 34” is back in your library')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Forest 36' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await window.sees('Nothing deleted recently')
  await page.getByRole('navigation', { name: 'Your work' }).getByRole('link', { name: 'Library' }).click()
  await showsCards(COUNT)
  expect((await library()).map(({ title }) => title)).toContain('Forest 36')
  // At the end of the page the places of work go under the bar, not over it.
  const overBar = () => {
    scrollTo(0, document.documentElement.scrollHeight)
    const { left } = document.querySelector('nav[aria-label="Your work"]')?.getBoundingClientRect() ?? {
      left: 0,
    }
    return document.elementFromPoint(left + 20, 30)?.closest('header') === null
  }
  await applyLook(window, { viewport: DESK, colorScheme: 'dark' })
  expect(await page.evaluate(overBar)).toBe(false)
  expect(window.complaints()).toEqual([])
  await buyer.close()
})

test('an empty library says what it is for, and a fan is offered nothing to sell', async () => {
  const fan = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'fan') })
  await fan.open('/dashboard/manage')
  await fan.sees('Your library is empty')
  expect(await fan.page.getByLabel('Visibility').count()).toBe(0)
  expect(await axeViolations(fan)).toEqual([])
  await fan.close()
})

test('of a long library what is near the window is drawn, and the keyboard keeps its place in it', async () => {
  const owner = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, owner)
  await api.call(routes.addRedGif, { body: { redGif: 'storygiflong' } })
  const first = async () => (await api.call(routes.manageMedia, { query: { limit: 2 } })).items
  const [{ _id: one } = { _id: '' }] = await first()
  await api.call(routes.editMedia, { body: { mediaId: one, title: 'Wave 0' } })
  const many = 150
  await database.query(
    `insert into media select (jsonb_populate_record(m, jsonb_build_object('id', uuidv7(), 'version_id', null, 'title', 'Wave ' || n,
       'rank', m.rank - 1000 - n, 'created_at', m.created_at - make_interval(mins => n)))).*
     from media m cross join generate_series(1, $2::int) n where m.id = $1`,
    [one, many - 1],
  )
  const long = await openWindow(browser, fanfare.origin, { person: owner, viewport: DESK })
  const region = long.page.getByRole('region', { name: 'Your media' })
  const card = (number: number) => region.getByRole('article').filter({ hasText: `Wave ${number}` })
  const toEnd = () => long.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await long.open('/dashboard/manage')
  await eventually(async () => {
    await toEnd()
    return region.locator('[data-cell]').count()
  }).toBe(many)
  await eventually(async () => {
    await toEnd()
    return card(many - 1).isVisible()
  }).toBe(true)
  expect(await card(5).count()).toBe(0)
  expect(await region.getByRole('article').count()).toBeLessThan(100)

  const handle = long.page.getByRole('button', { name: 'Move Wave 1', exact: true })
  await long.page.evaluate(() => scrollTo(0, 0))
  await handle.focus()
  await toEnd()
  await eventually(() => card(5).count()).toBe(0)
  expect(await handle.evaluate((button) => button === document.activeElement)).toBe(true)
  await handle.press('Shift+Tab')
  expect(await long.page.evaluate(() => document.activeElement?.closest('article')?.textContent)).toMatch(
    /Wave [01]/,
  )

  const live = long.page.locator('[id^="DndLiveRegion"]')
  await handle.focus()
  await handle.press('Space')
  await eventually(() => live.textContent()).toMatch(/^Picked up Wave 1 at position 2 of/)
  await handle.press('ArrowRight')
  await eventually(() => live.textContent()).toMatch(/^Wave 1 is over position 3 of/)
  await handle.press('Space')
  await eventually(async () => (await first()).map(({ title }) => title)).toEqual(['Wave 0', 'Wave 2'])
  expect(long.complaints()).toEqual([])
  await long.close()
})
