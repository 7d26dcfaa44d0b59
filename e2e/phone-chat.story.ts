import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { acts, connected, fillConversation, marked, openChat, type Side, scrollsUpTo } from './chatting.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { openWindow, PHONE } from './window.ts'

/** Messages on a phone: with its keyboard open, and in the list of conversations. */
let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** What a keyboard leaves of a phone's screen, in pixels. */
const LEFT = 420

/** Where the field and the newest message stand in the window. */
const places = (side: Side, text: string) =>
  side.page.evaluate((sought) => {
    const boxOf = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect()
    const field = boxOf(document.querySelector('textarea'))
    const list = boxOf(document.querySelector('[role="log"]'))
    const articles = [...document.querySelectorAll('[role="log"] article')]
    const newest = boxOf(articles.find((one) => one.textContent?.includes(sought)))
    return {
      fieldBottom: field.bottom,
      gap: Math.round(list.bottom - newest.bottom),
      newestTop: newest.top - list.top,
      scrolled: scrollY,
    }
  }, text)

test('the narrowest phone has the button that sends within the window, and the heading in full', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const side = await openChat(browser, fanfare.origin, { person: fan, other: creator, phone: true })
  await side.page.setViewportSize({ width: 320, height: PHONE.height })
  await side.field.fill('So narrow')
  const send = side.page.getByRole('button', { name: 'Send', exact: true })
  const { x = 0, width = 0 } = (await send.boundingBox()) ?? {}
  expect(width).toBeGreaterThan(0)
  expect(x + width).toBeLessThanOrEqual(320)
  const [needed, there] = await side.page
    .getByRole('heading', { name: 'Chatting with' })
    .evaluate((heading) => {
      const words = document.createRange()
      words.selectNodeContents(heading.firstElementChild ?? heading)
      return [words.getBoundingClientRect().width, heading.clientWidth]
    })
  expect(needed).toBeLessThanOrEqual(there ?? 0)
  await side.close()
})

test('with the keyboard open the field and the newest message stay in sight, and nothing jumps', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const side = await openChat(browser, fanfare.origin, { person: fan, other: creator, phone: true })
  for (let at = 1; at <= 16; at++) await side.says(`line ${at}.`)
  await marked(side, 'line 16.', 'Sent')
  await connected(side)
  await side.field.tap()
  const before = await places(side, 'line 16.')
  expect(before.scrolled).toBe(0)

  // A browser that makes the page smaller for its keyboard, as the page asks for.
  const asks = await side.page.locator('meta[name=viewport]').getAttribute('content')
  expect(asks).toContain('interactive-widget=resizes-content')
  await side.page.setViewportSize({ width: PHONE.width, height: LEFT })
  const settles = (left: number) =>
    expect
      .poll(async () => {
        const { fieldBottom, gap, newestTop, scrolled } = await places(side, 'line 16.')
        return [fieldBottom <= left, gap, newestTop >= 0, scrolled]
      })
      .toEqual([true, before.gap, true, 0])
  await settles(LEFT)
  await side.says('and one more')
  await marked(side, 'and one more', 'Sent')
  await looksFinished(side)
  await side.page.setViewportSize(PHONE)

  // One that lays its keyboard over the page, and says only what is left to see.
  const covers = (height: number) =>
    side.page.evaluate((left) => {
      Object.defineProperty(visualViewport, 'height', { value: left, configurable: true })
      visualViewport?.dispatchEvent(new Event('resize'))
    }, height)
  await covers(LEFT)
  await expect
    .poll(async () => {
      const { fieldBottom, gap, newestTop } = await places(side, 'and one more')
      return [fieldBottom <= LEFT, gap, newestTop >= 0]
    })
    .toEqual([true, before.gap, true])
  await covers(PHONE.height)
  await expect.poll(async () => (await places(side, 'and one more')).fieldBottom).toBeGreaterThan(LEFT)
  expect(side.complaints()).toEqual([])
  await side.close()
})

test('with the keyboard open, files and a search leave the field whole and the messages some room', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  await apiOf(fanfare.origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  const side = await openChat(browser, fanfare.origin, { person: creator, other: fan, phone: true })
  const { page } = side
  await side.says('the first of many')
  await marked(side, 'the first of many', 'Sent')
  await fillConversation(database, creator, 60)
  await side.open(`/dashboard/chat/${fan.id}`)
  await side.hears('numbered 60')
  await page.setViewportSize({ width: PHONE.width, height: 430 })
  const room = () =>
    page.evaluate(() => {
      const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
      const [field, log] = [boxOf('textarea'), boxOf('[role="log"]')]
      return { fieldEnds: (field?.bottom ?? Infinity) <= innerHeight, messages: (log?.height ?? 0) >= 80 }
    })
  const spacious = { fieldEnds: true, messages: true }

  const files = await Promise.all([1, 2, 3].map((seed) => picture(seed)))
  await page.locator('input[type=file]').setInputFiles(files)
  const removes = page.getByRole('button', { name: /^Remove picture-/ })
  await expect.poll(() => removes.count()).toBe(3)
  await page.getByLabel('Price').waitFor()
  await side.field.fill('a line\n'.repeat(6))
  await expect.poll(room).toEqual(spacious)
  // The last file is a swipe away.
  await removes.last().tap()
  await expect.poll(() => removes.count()).toBe(2)
  await page.getByRole('button', { name: 'Cancel Upload' }).tap()
  await side.field.fill('')

  await page.getByRole('button', { name: 'Search messages' }).tap()
  await page.getByRole('searchbox', { name: 'Search this conversation' }).fill('numbered 2')
  const results = page.getByRole('list', { name: 'Search results' })
  await results.getByRole('button', { name: 'numbered 20' }).tap()
  await side.hears('numbered 20')
  await expect.poll(room).toEqual(spacious)
  const toLatest = page.getByRole('button', { name: 'Jump to latest' })
  const [ends, begins] = await Promise.all([results.locator('..').boundingBox(), toLatest.boundingBox()])
  expect(begins?.y).toBeGreaterThan((ends?.y ?? Number.NaN) + (ends?.height ?? Number.NaN))
  await toLatest.tap()
  await side.hears('numbered 60')
  expect(side.complaints()).toEqual([])
  await side.close()
})

test('older messages, search, and a draft are there on a phone as well', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const side = await openChat(browser, fanfare.origin, { person: fan, other: creator, phone: true })
  await side.says('the first of many')
  await marked(side, 'the first of many', 'Sent')
  await fillConversation(database, creator, 150)
  await side.open(`/dashboard/chat/${creator.id}`)
  await side.hears('numbered 150')
  await scrollsUpTo(side, 'the first of many')
  await side.page.getByRole('button', { name: 'Jump to latest' }).tap()
  await side.hears('numbered 150')

  await side.field.fill('not yet sent')
  await side.page.getByRole('button', { name: 'Search messages' }).tap()
  await side.page.getByRole('searchbox', { name: 'Search this conversation' }).fill('numbered 42')
  await side.page.getByRole('button', { name: /numbered 42/ }).tap()
  await side.hears('numbered 42')
  await looksFinished(side)
  await side.open('/dashboard/chats')
  await side.sees('Draft: not yet sent')
  await side.open(`/dashboard/chat/${creator.id}`)
  await expect.poll(() => side.field.inputValue()).toBe('not yet sent')
  expect(side.complaints()).toEqual([])
  await side.close()
})

test('a text in Arabic runs from the right, in its bubble, the quote of it and the field', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const side = await openChat(browser, fanfare.origin, { person: fan, other: creator, phone: true })
  await side.says('صورك hello')
  await marked(side, 'صورك hello', 'Sent')
  await acts(side, 'صورك hello', 'Reply')
  await side.says('كثيراً there')
  await marked(side, 'كثيراً there', 'Sent')
  // From the right, the Latin word that comes last stands left of the Arabic one.
  const orders = await side.log.evaluate((log) => {
    const texts: string[] = []
    const walker = document.createTreeWalker(log, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.nodeValue?.search(/hello|there/) ?? -1
      if (at < 1) continue
      const leftOf = (offset: number) => {
        const range = document.createRange()
        range.setStart(node, offset)
        range.setEnd(node, offset + 1)
        return range.getBoundingClientRect().left
      }
      texts.push(leftOf(at) < leftOf(0) ? 'from the right' : 'from the left')
    }
    return texts
  })
  expect(orders).toEqual(['from the right', 'from the right', 'from the right'])
  expect(await side.field.evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe('plaintext')
  expect(side.complaints()).toEqual([])
  await side.close()
})

test('what was refused is tried again or written anew, and an answer to what was deleted arrives', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const api = apiOf(fanfare.origin, creator)
  const side = await openChat(browser, fanfare.origin, { person: fan, other: creator, phone: true })
  await side.says('Hello')
  await marked(side, 'Hello', 'Sent')
  const theirs = await openChat(browser, fanfare.origin, { person: creator, other: fan, phone: true })
  await theirs.says('Which color?')
  await side.hears('Which color?')

  await api.call(routes.block, { body: { blockedId: fan.id } })
  await side.says('too late')
  await side.sees(/Not sent\./)
  await api.call(routes.unblock, { body: { blockedId: fan.id } })
  await side.page.getByRole('button', { name: 'Try again' }).tap()
  await theirs.hears('too late')

  await acts(side, 'Which color?', 'Reply')
  await api.call(routes.block, { body: { blockedId: fan.id } })
  await side.says('Green')
  await side.sees(/Not sent\./)
  await api.call(routes.unblock, { body: { blockedId: fan.id } })
  const rewrite = side.page.getByRole('button', { name: 'Edit', exact: true })
  await rewrite.waitFor()
  await acts(side, 'too late', 'Edit')
  await side.page.getByText('Editing your message').waitFor()
  expect(await rewrite.count()).toBe(0)
  await side.page.getByRole('button', { name: 'Cancel editing' }).tap()
  await side.field.fill('please')
  await looksFinished(side)
  await rewrite.tap()
  await expect.poll(() => side.field.inputValue()).toBe('Green\nplease')
  await side.sees(`Replying to ${creator.username}`)
  expect(await side.message('Green').count()).toBe(0)

  // Nothing can be done about it by whoever answers.
  const { messages } = await api.call(routes.messages, { query: { recipientId: fan.id } })
  const asked = messages.find(({ content }) => content === 'Which color?')
  await side.context.setOffline(true)
  await side.sees('Connecting…')
  await side.says('Blue, please')
  await marked(side, 'Blue, please', 'Sending')
  await api.call(routes.deleteMessage, { body: { messageId: asked?._id ?? '' } })
  await side.context.setOffline(false)
  await theirs.hears('Blue, please')
  for (const one of [side, theirs]) {
    await one.message('Blue, please').getByText('Message deleted').waitFor()
    await looksFinished(one)
  }
  await theirs.says('Or red?')
  await side.hears('Or red?')
  await acts(side, 'Or red?', 'Reply')
  const answered = side.page.locator('form').filter({ hasText: `Replying to ${creator.username}` })
  await answered.getByText('Or red?').waitFor()
  await acts(theirs, 'Or red?', 'Delete')
  await theirs.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).tap()
  await answered.getByText('Message deleted').waitFor()
  await side.close()

  await theirs.page.locator('input[type=file]').setInputFiles([await picture(1)])
  const price = theirs.page.getByLabel('Price')
  await price.fill('0.50')
  await theirs.says('Only for you')
  await theirs.sees('The lowest price is $1.')
  await looksFinished(theirs)
  await price.fill('5')
  await theirs.page.getByRole('button', { name: 'Send', exact: true }).tap()
  await theirs.message('Only for you').getByText('Locked for $5').waitFor()
  expect(theirs.complaints()).toEqual([])
  await theirs.close()
})

test('a creator lists conversations by what fans spent with them', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const spends = async (cents: number): Promise<Person> => {
    const fan = await joins(fanfare.origin, 'fan')
    const side = await openChat(browser, fanfare.origin, { person: fan, other: creator })
    await side.says('Hello')
    await marked(side, 'Hello', 'Sent')
    await database.query(
      `insert into fans (creator_id, fan_id, since, buys, spent_cents, conversing) values ($1, $2, now(), $3 > 0, $3, $3 > 0)`,
      [creator.id, fan.id, cents],
    )
    await side.close()
    return fan
  }
  const [most, less, none] = [await spends(123_450), await spends(900), await spends(0)]
  const phone = await openWindow(browser, fanfare.origin, { person: creator, phone: true })
  await phone.open('/dashboard/chats')
  const names = () =>
    phone.page
      .getByRole('list', { name: 'Conversations' })
      .getByRole('listitem')
      .evaluateAll((rows) => rows.map((row) => row.textContent ?? ''))
  const order = async () =>
    (await names()).map((text) => [most, less, none].findIndex(({ username }) => text.includes(username)))
  await expect.poll(order).toEqual([2, 1, 0])
  await phone.page.getByText('Top spenders').click()
  await expect.poll(order).toEqual([0, 1])
  expect((await names())[0]).toContain('Spent $1,234.50 with you')
  await looksFinished(phone)
  await phone.page.reload()
  await expect.poll(order).toEqual([0, 1])
  expect(phone.complaints()).toEqual([])
  await phone.close()
})
