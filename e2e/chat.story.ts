import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import {
  acts,
  attached,
  connected,
  fillConversation,
  marked,
  openChat,
  scrollsUpTo,
  textsOf,
} from './chatting.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type FanfareProcess, startProcess } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { movingPicture, picture } from './pictures.ts'
import { openWindow } from './window.ts'

let database: StoryDatabase
let fanfare: FanfareProcess
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startProcess(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

const chatOf = (person: Person, other: Person, phone = false) =>
  openChat(browser, fanfare.origin, { person, other, phone })

async function pair(): Promise<[creator: Person, fan: Person]> {
  return [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
}

test('a fan and a creator on a phone talk: texts, photos, a video, marks, typing and the badge', async () => {
  const [creator, fan] = await pair()
  const desk = await openWindow(browser, fanfare.origin, { person: fan })
  await desk.open('/dashboard/chats')
  await desk.sees('No messages yet')
  expect(await desk.page.getByText('Select a conversation').count()).toBe(0)
  await desk.open(`/users/${creator.username}`)
  const messages = desk.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' })
  expect(await messages.getAttribute('aria-current')).toBeNull()
  await desk.page.getByRole('link', { name: 'Message', exact: true }).click()
  await desk.sees(`Say hi to ${creator.username}`)
  expect(await messages.getAttribute('aria-current')).toBe('true')
  await desk.close()

  const phone = await openWindow(browser, fanfare.origin, { person: creator, phone: true })
  await phone.open('/dashboard/chats')
  await phone.sees('No messages yet')
  await looksFinished(phone)
  const one = await chatOf(fan, creator)
  await one.says('Hello there')
  await marked(one, 'Hello there', 'Sent')
  await phone.page
    .getByRole('link', { name: /Messages.*1 unread/s })
    .first()
    .waitFor()
  await looksFinished(phone)
  await phone.close()

  const two = await chatOf(creator, fan, true)
  await marked(one, 'Hello there', 'Read')
  await connected(two)
  // It goes by itself, so it is waited for from before.
  await Promise.all([one.sees('typing…'), two.field.pressSequentially('Hi')])
  await two.says('Hi! How are you?\nIt’s been a while.')
  await one.hears('It’s been a while.')
  await marked(two, 'It’s been a while.', 'Read')
  const [red = 0, green = 0, blue = 0] = await two
    .message('It’s been a while.')
    .getByRole('img', { name: 'Read' })
    .evaluate((mark) => getComputedStyle(mark).color.match(/\d+/g)?.map(Number) ?? [])
  expect(blue).toBeGreaterThan(Math.max(red, green))

  await one.page.getByRole('button', { name: 'Upload Media' }).waitFor()
  const seen = Promise.withResolvers<void>()
  await one.page.route(`**/api${routes.startUpload.path}`, async (route) => {
    await seen.promise
    await route.continue()
  })
  await one.page.locator('input[type=file]').setInputFiles([await picture(1), await picture(2)])
  await one.sees('Sending media')
  await one.sees('Uploading...')
  seen.resolve()
  await one.page.getByRole('button', { name: 'Cancel Upload' }).click()
  await one.page.getByText('Sending media').waitFor({ state: 'detached' })
  await one.page.locator('input[type=file]').setInputFiles([await picture(3), await picture(4)])
  await one.says('Two photos')
  await one.message('Two photos').waitFor()
  await two.hears('Two photos')
  expect(await attached(two, 'Two photos').count()).toBe(2)

  await two.page.locator('input[type=file]').setInputFiles([await movingPicture()])
  await two.page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => attached(one).count()).toBe(3)
  const video = attached(one).last()
  await video.waitFor()
  await video.click()
  await one.page.locator('.pswp').waitFor()
  await one.page.keyboard.press('Escape')
  await one.page.locator('.pswp').waitFor({ state: 'detached' })
  await looksFinished(one)
  expect([...one.complaints(), ...two.complaints()]).toEqual([])
  await one.close()
  await two.close()
})

test.each([
  ['windows', false],
  ['windows, one of them a phone’s', true],
])('a message is answered, reacted to, edited and deleted in both %s', async (_, phone) => {
  const [creator, fan] = await pair()
  const one = await chatOf(fan, creator, phone)
  await one.says('First tohught')
  await marked(one, 'First tohught', 'Sent')
  const two = await chatOf(creator, fan)
  await two.hears('First tohught')
  await acts(one, 'First tohught', 'Edit')
  await one.field.fill('First thought')
  await one.page.getByRole('button', { name: 'Save' }).click()
  await two.hears('First thought')
  await two.message('First thought').getByText('Edited').waitFor()

  await acts(two, 'First thought', 'React with ❤️')
  await one.log.getByRole('button', { name: `❤️ from ${creator.username}` }).waitFor()
  await acts(one, 'First thought', 'React with 😂')
  await two.log.getByRole('button', { name: `😂 from ${fan.username}` }).waitFor()
  await acts(two, 'First thought', 'Reply')
  await two.field.fill('My answer')
  await two.field.press('Enter')
  await one.message('My answer').getByText('Reply to yourself').waitFor()

  await acts(two, 'My answer', 'Delete')
  await two.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const deleted = one.log.locator('[data-deleted]').filter({ hasText: 'Message deleted' })
  // The time ends the bubble, as in any other.
  const [bubble, report, time] = await Promise.all([
    deleted.boundingBox(),
    deleted.getByRole('button', { name: 'Report' }).boundingBox(),
    deleted.locator('time').boundingBox(),
  ])
  if (!bubble || !report || !time) throw new Error('What was deleted can be reported.')
  expect(time.x).toBeGreaterThanOrEqual(report.x + report.width)
  expect(bubble.y + bubble.height - time.y).toBeLessThan(2 * time.height)
  const looks = deleted.getByRole('button').evaluate((element) => getComputedStyle(element).fontStyle)
  expect(await looks).toBe('normal')
  expect(await one.message('My answer').count()).toBe(0)
  await acts(one, 'First thought', 'Edit')
  await looksFinished(one)
  expect([...one.complaints(), ...two.complaints()]).toEqual([])
  await one.close()
  await two.close()
})

test('what is written without a network waits and arrives once and in order; a refused message says why', async () => {
  const [creator, fan] = await pair()
  const one = await chatOf(fan, creator)
  await one.says('before')
  await marked(one, 'before', 'Sent')
  const two = await chatOf(creator, fan)
  await two.hears('before')
  await one.context.setOffline(true)
  await one.sees('Connecting…')
  for (const text of ['one', 'two', 'three']) await one.says(`offline ${text}`)
  await marked(one, 'offline three', 'Sending')
  expect(await two.message('offline one').count()).toBe(0)
  await two.says('meanwhile')
  await marked(two, 'meanwhile', 'Sent')
  await one.context.setOffline(false)
  await two.hears('offline three')
  await one.hears('meanwhile')
  const expected = ['before', 'meanwhile', 'offline one', 'offline two', 'offline three']
  await expect.poll(() => textsOf(two)).toEqual(expected)
  await expect.poll(() => textsOf(one)).toEqual(expected)

  await apiOf(fanfare.origin, creator).call(routes.block, { body: { blockedId: fan.id } })
  await one.says('too late')
  await one.sees(/Not sent\./)
  await apiOf(fanfare.origin, creator).call(routes.unblock, { body: { blockedId: fan.id } })
  await one.page.getByRole('button', { name: 'Try again' }).click()
  await two.hears('too late')
  await one
    .message('too late')
    .getByRole('img', { name: /Sent|Read/ })
    .waitFor()
  expect(await one.message('too late').count()).toBe(1)
  await one.close()
  await two.close()
})

test('what a closed tab had not sent is sent by the next one', async () => {
  const [creator, fan] = await pair()
  const one = await chatOf(fan, creator)
  await one.says('before')
  await marked(one, 'before', 'Sent')
  const two = await chatOf(creator, fan)
  await two.hears('before')
  await one.context.setOffline(true)
  await one.sees('Connecting…')
  await one.says('written in a tunnel')
  await marked(one, 'written in a tunnel', 'Sending')
  await one.page.close()
  await one.context.setOffline(false)
  const next = await one.context.newPage()
  await next.goto(`${fanfare.origin}/dashboard`)
  await two.hears('written in a tunnel')
  expect(await textsOf(two)).toEqual(['before', 'written in a tunnel'])
  await one.close()
  await two.close()
})

test('a restart of the server in the middle loses and doubles nothing, in two browsers and on a phone', async () => {
  const [creator, fan] = await pair()
  const one = await chatOf(fan, creator)
  await one.says('before the restart')
  await marked(one, 'before the restart', 'Sent')
  const two = await chatOf(creator, fan, true)
  await connected(two)
  await two.hears('before the restart')
  const desk = await chatOf(creator, fan)
  await desk.hears('before the restart')
  await fanfare.end('SIGKILL')
  await one.sees('Connecting…')
  await one.says('written meanwhile')
  await marked(one, 'written meanwhile', 'Sending')
  await one.page.locator('input[type=file]').setInputFiles([await picture(5)])
  await one.says('with a photo')
  await marked(one, 'with a photo', 'Sending')
  await fanfare.restart()
  await two.hears('written meanwhile')
  await two.hears('with a photo')
  await two.page.locator('input[type=file]').setInputFiles([await picture(6)])
  await two.says('and answered with another')
  const expected = ['before the restart', 'written meanwhile', 'with a photo', 'and answered with another']
  for (const side of [one, two, desk]) {
    await side.hears('and answered with another')
    expect(await textsOf(side)).toEqual(expected)
    for (const text of expected.slice(2)) await expect.poll(() => attached(side, text).count()).toBe(1)
    expect(await attached(side).count()).toBe(2)
    await side.close()
  }
})

test('older messages come as one scrolls up and keep the place; search and the way back find theirs', async () => {
  const [creator, fan] = await pair()
  const one = await chatOf(fan, creator)
  await one.says('the first of many')
  await marked(one, 'the first of many', 'Sent')
  await fillConversation(database, creator, 300)
  await one.open(`/dashboard/chat/${creator.id}`)
  await one.hears('numbered 300')
  expect(await one.message('numbered 100').count()).toBe(0)
  const jumps = await scrollsUpTo(one, 'the first of many')
  // In the last step the line of the day above the first message is drawn, and moves what is below it once.
  expect(jumps.slice(0, -1).filter((jump) => jump > 24)).toEqual([])
  await one.page.getByRole('button', { name: 'Jump to latest' }).click()
  await one.hears('numbered 300')

  await one.page.getByRole('button', { name: 'Search messages' }).click()
  await one.page.getByRole('searchbox', { name: 'Search this conversation' }).fill('numbered 42')
  await one.page.getByRole('button', { name: /numbered 42/ }).click()
  await one.hears('numbered 42')
  await looksFinished(one)
  expect(one.complaints()).toEqual([])
  await one.close()
})

test('a draft stays, and whom one blocked can’t be written to until that ends', async () => {
  const [creator, fan] = await pair()
  const one = await chatOf(fan, creator)
  await one.field.fill('not yet sent')
  await one.page.reload()
  await expect.poll(() => one.field.inputValue()).toBe('not yet sent')
  await one.page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await one.page.getByRole('menuitem', { name: `Block ${creator.username}` }).click()
  await one.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await one.sees('You blocked this person.')
  expect(await one.field.count()).toBe(0)
  await looksFinished(one)
  await one.page.getByRole('button', { name: 'Unblock' }).click()
  await expect.poll(() => one.field.inputValue()).toBe('not yet sent')
  await one.close()
})

test('a creator decides who can write, and what is refused says what to do', async () => {
  const [creator, fan] = await pair()
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  await window.open('/dashboard/chats')
  await window.page.getByRole('button', { name: 'Message settings' }).click()
  await window.page.getByLabel('Followers').check()
  await window.page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Message settings saved.')
  await window.close()
  const one = await chatOf(fan, creator)
  await one.sees('This creator only accepts messages from followers.')
  expect(await one.field.count()).toBe(0)
  await looksFinished(one)
  await one.page.getByRole('button', { name: 'Follow' }).click()
  await one.says('Now I can')
  await marked(one, 'Now I can', 'Sent')
  await one.close()
})

test('a visitor who opens a conversation is led to sign up, and comes back to it', async () => {
  const [creator] = await pair()
  const window = await openWindow(browser, fanfare.origin)
  await window.open(`/dashboard/chat/${creator.id}`)
  expect(new URL(window.page.url()).pathname).toBe('/signup')
  await window.close()
})
