import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { connected, marked, openChat, type Side } from './chatting.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { joins, type Person } from './people.ts'

/** What somebody finds who comes back to a conversation, and what counts as read of it. */
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

/** A fan who wrote once, and got so many messages since, each of several lines. */
async function comesBack(count: number, phone = false) {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const side = await openChat(browser, fanfare.origin, { person: fan, other: creator, phone })
  await side.says('the first')
  await marked(side, 'the first', 'Sent')
  await database.query(
    `insert into messages (conversation_id, position, revision, sender_id, content, created_at)
     select id, number + 1, number + 1, $1, 'line ' || number || ' of all' || repeat(E'\\nand on', 3),
       now() + number * interval '1 millisecond'
     from conversations, generate_series(1, $2::int) number where $1 in (low_id, high_id)`,
    [creator.id, count],
  )
  await database.query(
    `update conversations set revision = $2::int + 1,
       last_message_id = (select id from messages where conversation_id = conversations.id and position = $2::int + 1)
     where $1 in (low_id, high_id)`,
    [creator.id, count],
  )
  await database.query(
    `update conversation_members set unread = $3::int, read_position = 1 where user_id = $1 and other_id = $2`,
    [fan.id, creator.id, count],
  )
  await side.open(`/dashboard/chat/${creator.id}`)
  await connected(side)
  return { side, creator, fan }
}

async function unreadOf(fan: Person, creator: Person): Promise<number> {
  const query = 'select unread from conversation_members where user_id = $1 and other_id = $2'
  const [row] = await database.query<{ unread: number }>(query, [fan.id, creator.id])
  return row?.unread ?? -1
}

/** The numbers of the messages that are in sight, from top to bottom. */
const inSight = (side: Side) =>
  side.log.evaluate((list) => {
    const frame = list.getBoundingClientRect()
    return [...list.querySelectorAll('article')].flatMap((article) => {
      const box = article.getBoundingClientRect()
      const [, number] = /line (\d+) of/.exec(article.textContent ?? '') ?? []
      return number && box.bottom > frame.top && box.top < frame.bottom ? [Number(number)] : []
    })
  })

/** Waits until just what came into sight is read: the list may still move while what it shows is told. */
async function readsWhatIsSeen(count: number, { side, creator, fan }: Awaited<ReturnType<typeof comesBack>>) {
  await expect
    .poll(async () => count - (await unreadOf(fan, creator)) - Math.max(...(await inSight(side))))
    .toBe(0)
}

test('it opens at the first of thousands of unread messages, and only what came into sight is read', async () => {
  const COUNT = 5_000
  const back = await comesBack(COUNT)
  const { side, creator, fan } = back
  await side.hears('line 1 of')
  const divider = side.log.getByText('New messages')
  await divider.waitFor()
  const seen = await inSight(side)
  expect(seen[0]).toBe(1)
  await readsWhatIsSeen(COUNT, back)
  expect(await unreadOf(fan, creator)).toBeGreaterThan(COUNT - 20)
  await looksFinished(side)

  // Scrolling down goes through them one after the other, also past what was loaded at first.
  let lowest = Math.max(...(await inSight(side)))
  while (lowest < 60) {
    await side.log.evaluate((list) => list.scrollBy(0, list.clientHeight * 0.7))
    await expect.poll(async () => Math.max(...(await inSight(side)))).toBeGreaterThan(lowest)
    const now = await inSight(side)
    // Nothing is jumped over.
    expect(now[0]).toBeLessThanOrEqual(lowest + 1)
    lowest = Math.max(...now)
  }
  await readsWhatIsSeen(COUNT, back)

  const left = await unreadOf(fan, creator)
  const jump = side.page.getByRole('button', {
    name: `Jump to latest, ${left.toLocaleString('en-US')} unread messages`,
  })
  await jump.click()
  await side.hears(`line ${COUNT} of`)
  await expect.poll(() => unreadOf(fan, creator)).toBe(0)
  await jump.waitFor({ state: 'detached' })
  expect((await inSight(side)).at(-1)).toBe(COUNT)
  expect(await divider.count()).toBe(0)
  expect(side.complaints()).toEqual([])
  await side.close()
})

test('what is unread below the window stays unread until it is scrolled to', async () => {
  const back = await comesBack(24, true)
  const { side, creator, fan } = back
  const two = await openChat(browser, fanfare.origin, { person: creator, other: fan })
  // Its connection stands: typing that comes before is told nobody.
  await two.sees('Online')
  await side.hears('line 1 of')
  await side.log.getByText('New messages').waitFor()
  await readsWhatIsSeen(24, back)
  // What is typed travels behind what was read.
  await Promise.all([two.sees('typing…'), side.field.pressSequentially('Hm')])
  expect(await unreadOf(fan, creator)).toBeGreaterThan(10)
  // What arrives meanwhile is unread as well, and moves nothing.
  const before = await inSight(side)
  const left = await unreadOf(fan, creator)
  await two.says('one more')
  await side.page.getByRole('button', { name: `Jump to latest, ${left + 1} unread messages` }).waitFor()
  expect(await inSight(side)).toEqual(before)
  await looksFinished(side)
  await side.page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect.poll(() => unreadOf(fan, creator)).toBe(0)
  await side.hears('one more')
  await side.close()
  await two.close()
})

test('what arrived while the window was not looked at, or not connected, stands below a line, also for who was at the end', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const side = await openChat(browser, fanfare.origin, { person: fan, other: creator })
  await side.says('the first')
  await marked(side, 'the first', 'Sent')
  const two = await openChat(browser, fanfare.origin, { person: creator, other: fan })
  await two.hears('the first')
  // Who looks at it sees what arrives, and needs no line.
  await two.says('seen at once')
  await side.hears('seen at once')
  await expect.poll(() => unreadOf(fan, creator)).toBe(0)
  const divider = side.log.getByText('New messages')
  expect(await divider.count()).toBe(0)
  // A browser without a screen gives every window the focus.
  await side.page.evaluate(() => {
    document.hasFocus = () => false
    dispatchEvent(new Event('blur'))
  })
  for (const text of ['missed one', 'missed two', 'missed three']) {
    await two.says(text)
    await side.hears(text)
  }
  expect(await unreadOf(fan, creator)).toBe(3)
  await side.page.evaluate(() => {
    document.hasFocus = () => true
    dispatchEvent(new Event('focus'))
  })
  await divider.waitFor()
  await expect.poll(() => unreadOf(fan, creator)).toBe(0)
  const lines = await side.log.innerText()
  expect(lines.indexOf('New messages')).toBeGreaterThan(lines.indexOf('seen at once'))
  expect(lines.indexOf('New messages')).toBeLessThan(lines.indexOf('missed one'))
  expect(side.complaints()).toEqual([])
  await side.context.setOffline(true)
  await side.sees('Connecting…')
  for (const text of ['lost one', 'lost two']) await two.says(text)
  await marked(two, 'lost two', 'Sent')
  await side.context.setOffline(false)
  await side.hears('lost two')
  await expect
    .poll(async () => {
      const shown = await side.log.innerText()
      const places = ['missed three', 'New messages', 'lost one'].map((text) => shown.indexOf(text))
      return places.toSorted((one, other) => one - other).join() === places.join()
    })
    .toBe(true)
  await expect.poll(() => unreadOf(fan, creator)).toBe(0)
  // The browser itself complains of the network that was gone.
  expect(side.complaints().filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  expect(two.complaints()).toEqual([])
  await Promise.all([side.close(), two.close()])
})

test('who is at the newest message stays there, however late it becomes higher, until they scroll up', async () => {
  const { side, creator, fan } = await comesBack(12)
  const two = await openChat(browser, fanfare.origin, { person: creator, other: fan })
  await side.page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect.poll(() => unreadOf(fan, creator)).toBe(0)
  /** Makes the newest message higher, as a picture does that is drawn late; how far the end is below the window then. */
  const grows = (message: string) =>
    side.message(message).evaluate(async (article) => {
      article.style.minHeight = `${article.clientHeight + 700}px`
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let frames = 0; frames < 12; frames++) await frame()
      const list = article.closest('[role=log]') as HTMLElement
      return Math.round(list.scrollHeight - list.clientHeight - list.scrollTop)
    })
  expect(await grows('line 12 of')).toBe(0)
  await two.says('What arrives then')
  await side.hears('What arrives then')
  await expect.poll(() => unreadOf(fan, creator)).toBe(0)

  await side.log.evaluate((list) => list.scrollBy(0, -200))
  await side.page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  expect(await grows('What arrives then')).toBe(900)
  await side.close()
  await two.close()
})
