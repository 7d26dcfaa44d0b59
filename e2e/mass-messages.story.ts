import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_ATTACHMENTS } from '../contract/constants.ts'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { openShop } from './shop.ts'
import { openWindow } from './window.ts'

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

test('a creator sorts fans into a list, messages all others at once, sees who opened it, and takes it back', async () => {
  const { origin } = fanfare
  const { creator } = await openShop(origin)
  const [reader, spared] = [await joins(origin, 'fan'), await joins(origin, 'fan')]
  for (const fan of [reader, spared])
    await apiOf(origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })

  const window = await openWindow(browser, origin, { person: creator, phone: true })
  const { page } = window
  const dialog = page.getByRole('dialog')
  await window.open('/dashboard/fans?show=fans')
  await page.getByRole('button', { name: `Lists and note for ${spared.username}` }).click()
  await dialog.getByRole('button', { name: 'New list' }).click()
  await dialog.getByLabel('Name').fill('On a break')
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await dialog.getByRole('checkbox', { name: 'On a break' }).check()
  await dialog.getByLabel('Note').fill('Back in spring')
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Save note' }).click()
  await dialog.waitFor({ state: 'detached' })
  await window.sees('Back in spring')
  await page.getByLabel('Group').selectOption('On a break')
  await page.getByText(reader.username).waitFor({ state: 'detached' })
  await looksFinished(window)

  const theirs = await openWindow(browser, origin, { person: reader })
  await theirs.open('/dashboard/chats')
  await theirs.sees('No messages yet')

  await window.open('/dashboard/chats')
  await page.getByRole('link', { name: 'New mass message' }).click()
  await window.sees('2 people will get it')
  await page.getByLabel('Exclude').selectOption('On a break')
  await window.sees('1 person will get it')
  await page.getByLabel('Message', { exact: true }).fill('The winter set is here')
  await page.getByRole('button', { name: 'Add from library' }).click()
  await dialog.getByRole('checkbox', { name: 'For members' }).check()
  await dialog.getByRole('button', { name: /^Attach/ }).click()
  // No file is left out in silence.
  const files = Array.from({ length: MAX_ATTACHMENTS }, (_, at) => ({
    name: `${at}.png`,
    mimeType: 'image/png',
    buffer: Buffer.from('not looked at'),
  }))
  await page.locator('input[type=file]').setInputFiles(files)
  await window.sees(`You can attach up to ${MAX_ATTACHMENTS} files to a message.`)
  await page.getByLabel('Price').fill('6')
  await window.sees('1 attachment · Unlock for $6')
  await looksFinished(window)
  // What is written stays when the page is left.
  await page.getByRole('link', { name: 'All mass messages' }).click()
  await window.sees('No mass messages yet')
  await page.getByRole('link', { name: 'New mass message' }).click()
  await window.sees('1 attachment · Unlock for $6')
  await page.getByLabel('Exclude').selectOption('On a break')
  await window.sees('1 person will get it')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText('Send to 1 person?').waitFor()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const list = page.getByRole('list', { name: 'Your mass messages' })
  await list.getByText('To Followers, except On a break').waitFor()

  await theirs.page
    .getByRole('link', { name: new RegExp(creator.username) })
    .first()
    .click()
  const log = theirs.page.getByRole('log')
  await log.getByText('The winter set is here').waitFor()
  await theirs.sees('Unlock for $6')
  await list.getByText('1 · 100%').waitFor()
  await looksFinished(window)
  expect((await apiOf(origin, spared).call(routes.conversations, { query: {} })).conversations).toEqual([])

  // The creator's own conversation says what kind of message it is.
  const own = await openWindow(browser, origin, { person: creator })
  await own.open(`/dashboard/chat/${reader.id}`)
  await own.page.getByRole('img', { name: 'Mass message' }).waitFor()
  await own.close()

  await page.getByRole('button', { name: /^Unsend/ }).click()
  await dialog.getByRole('button', { name: 'Unsend' }).click()
  await list.getByText('Removed for 1 person').waitFor()
  await log.getByText('The winter set is here').waitFor({ state: 'detached' })
  expect([...window.complaints(), ...theirs.complaints()]).toEqual([])

  // A list can be all whom it is for, too.
  await page.getByRole('link', { name: 'New mass message' }).click()
  await page.getByLabel('A list').check()
  await page.getByLabel('List', { exact: true }).selectOption('On a break')
  await window.sees('1 person will get it')
  await page.getByLabel('Message', { exact: true }).fill('We miss you')
  await looksFinished(window)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await list.getByText('To On a break').waitFor()
  const heard = async () => {
    const { conversations } = await apiOf(origin, spared).call(routes.conversations, { query: {} })
    return conversations.map(({ lastMessage }) => lastMessage?.content)
  }
  await expect.poll(heard).toEqual(['We miss you'])

  await page.getByRole('link', { name: 'New mass message' }).click()
  await page.getByLabel('Message', { exact: true }).fill('See you on Friday')
  await page.getByLabel('At a set time').check()
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('Date and time').fill(`${inThreeDays}T09:30`)
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await list.getByText('Scheduled', { exact: true }).waitFor()
  await list.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Message', { exact: true }).fill('See you on Saturday')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await list.getByText('See you on Saturday').waitFor()
  await page.getByRole('button', { name: 'Delete: See you on Saturday' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await list.getByText('See you on Saturday').waitFor({ state: 'detached' })

  // What couldn't go out is read to its end, changed, and sent.
  const long = `${'All that is new this week. '.repeat(8)}And one more thing.`
  await apiOf(origin, creator).call(
    routes.saveMassMessage,
    {
      body: { content: long, audience: 'followers', sendAt: new Date(Date.now() + 86_400_000).toISOString() },
    },
    { idempotencyKey: crypto.randomUUID() },
  )
  await database.query(
    `update mass_messages set status = 'failed', failure = 'price_too_low', finished_at = now()
      where creator_id = $1 and status = 'scheduled'`,
    [creator.id],
  )
  await page.reload()
  await list.getByText('Its price is below the minimum.').waitFor()
  expect(await list.getByText('And one more thing.').count()).toBe(0)
  await list.getByRole('button', { name: 'Show the whole message' }).click()
  await list.getByText('And one more thing.').waitFor()
  await looksFinished(window)
  await list.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Message', { exact: true }).fill('The short version')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await list.getByText('The short version').waitFor()
  await expect.poll(heard).toEqual(['The short version'])
  expect(window.complaints()).toEqual([])
  await Promise.all([window.close(), theirs.close()])
})
