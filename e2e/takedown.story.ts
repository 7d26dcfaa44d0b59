import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { joins, mailsTo, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { rowOf } from './sending.ts'
import { openShop } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

/** An item that the operator takes down: what everybody concerned reads and can do, until it is released. */
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

const NOTE = 'Please send us the release form.'
const WHY = `We can’t confirm that everyone shown in it agreed to it. ${NOTE}`

const mailOf = (person: Person, subject: string) =>
  waitUntil(async () =>
    (await mailsTo(fanfare.origin, person.email)).find((mail) => mail.subject.startsWith(subject)),
  )

/** The item's own picture is on the page. */
const isShown = ({ page }: Window) =>
  page.getByRole('button', { name: 'Morning light: open full screen' }).waitFor()

test('what is taken down tells its creator why, can’t be uploaded again, and is its buyer’s again once released', async () => {
  const { origin } = fanfare
  const { creator, single } = await openShop(origin)
  const [fan, operator, other] = [
    await joins(origin, 'fan'),
    await joins(origin, 'fan'),
    await joins(origin, 'creator'),
  ]
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  const path = `/media/${single}`
  const buyer = await openWindow(browser, origin, { person: fan })
  await buyer.open(`/users/${creator.username}?tab=singles`)
  await buyer.page.getByRole('button', { name: 'Buy Morning light' }).click()
  await payByCard(buyer.page, CARDS.approved)
  await buyer.sees('Processed Transaction')
  await buyer.open(path)
  await isShown(buyer)

  const desk = await openWindow(browser, origin, { person: operator })
  await desk.open(path)
  await desk.page.getByRole('button', { name: 'Take down' }).click()
  const dialog = desk.page.getByRole('dialog', { name: 'Take this media down?' })
  const block = dialog.getByLabel('Block this file from being uploaded again')
  await block.waitFor()
  expect(await block.isChecked()).toBe(false)
  await dialog.getByLabel('Reason for the creator').selectOption('Missing consent')
  expect(await block.isChecked()).toBe(true)
  await dialog.getByLabel(/^Note for the creator/).fill(NOTE)
  await dialog.getByLabel('Internal reason').fill('Jo Doe complained, C-2345')
  await looksFinished(desk, 'take-down')
  await dialog.getByRole('button', { name: 'Take down' }).click()
  await desk.sees('Media taken down. Its creator was told why.')
  await buyer.open(path)
  await buyer.sees('We couldn’t find this media')

  const mail = await mailOf(creator, 'One of your items was taken down')
  expect(mail?.text).toContain(`We took down “Morning light”. ${WHY}`)
  expect(mail?.text).not.toContain('Jo Doe')
  const owner = await openWindow(browser, origin, { person: creator })
  await owner.open('/dashboard/notifications')
  await owner.page.getByText(`“Morning light” was taken down. ${WHY}`).click()
  await owner.page.waitForURL(`**${path}`)
  await owner.sees(WHY)
  expect(await owner.page.getByText('Unlock this photo').count()).toBe(0)
  expect(await owner.page.getByText('Jo Doe').count()).toBe(0)
  await looksFinished(owner, 'taken-down')
  await owner.page.getByRole('link', { name: 'Appeal' }).click()
  await owner.page.waitForURL('**/contact?appeal=**')
  const message = owner.page.getByLabel('Message')
  await waitUntil(async () => (await message.inputValue()).includes(`the takedown of ${origin}${path}`))
  await owner.page.getByRole('button', { name: 'Send' }).click()
  await owner.sees('Tell us why it should be restored.')
  await message.press('ControlOrMeta+End')
  await message.pressSequentially('Everyone signed.')
  await owner.page.getByRole('button', { name: 'Send' }).click()
  await owner.sees('Your case number is C-')
  await looksFinished(owner, 'case-number')

  // The shop's single is this very file.
  const again = await openWindow(browser, origin, { person: other })
  await again.open('/dashboard/uploadbulk')
  await again.page
    .locator('input[type=file]')
    .setInputFiles([{ ...(await picture(2)), name: 'under another name.jpg' }])
  await rowOf(again.page, 'under another name.jpg')
    .getByText('This file was taken down before and can’t be uploaded again.')
    .waitFor()
  await looksFinished(again, 'upload-blocked')

  await desk.open(path)
  await desk.page.getByRole('button', { name: 'Release this media' }).click()
  const release = desk.page.getByRole('dialog', { name: 'Release this media?' })
  await release.getByRole('textbox').fill('Consent was shown')
  await release.getByRole('button', { name: 'Release' }).click()
  await release.waitFor({ state: 'hidden' })
  await buyer.open(path)
  await isShown(buyer)
  await mailOf(creator, 'One of your items is back')
  await owner.open('/dashboard/notifications')
  await owner.sees('“Morning light” is back.')
  expect([...desk.complaints(), ...owner.complaints(), ...again.complaints()]).toEqual([])
  await Promise.all([buyer, desk, owner, again].map((window) => window.close()))
})
