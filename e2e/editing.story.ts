import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { movingPicture, picture } from './pictures.ts'
import { upload } from './shop.ts'
import { openWindow, PHONE, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let creator: Person
let photo: string
let video: string

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  creator = await joins(fanfare.origin, 'creator')
  ;[photo, video] = (await upload(fanfare.origin, creator, [
    await picture(1, 300, 400),
    await movingPicture(),
  ])) as [string, string]
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

const ownItem = (mediaId: string) =>
  apiOf(fanfare.origin, creator).call(routes.media, { params: { mediaId } })

/** The name of the file that the preview shows, without the folder that changes with every answer. */
async function shownFile(page: Page): Promise<string> {
  const image = page.locator('main img[src^="/files/media/"]').first()
  await image.waitFor()
  return ((await image.getAttribute('src')) ?? '').split('/').at(-1) ?? ''
}

/** Answers for RedGifs, and counts how often it was asked: nothing leaves this machine. */
async function standInForRedGifs({ page }: Window): Promise<string[]> {
  const asked: string[] = []
  await page.route('https://www.redgifs.com/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<title>A gif</title>' })
  })
  return asked
}

test('a creator says everything about a picture, and nothing typed is lost', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open(`/dashboard/edit/media/${photo}`)
  await page.getByRole('checkbox', { name: `${creator.username} (you)`, checked: true }).waitFor()
  await page.getByText('Advanced').click()
  await window.sees('With all off, the media is viewable by anyone with the link')

  const title = page.getByLabel('Title')
  await title.fill('Never kept')
  await page.getByRole('link', { name: 'Manage media' }).first().click()
  await window.sees('Your changes to this media aren’t saved.')
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/dashboard/manage')
  await window.open(`/dashboard/edit/media/${photo}`)
  expect(await title.inputValue()).toBe('picture 1')
  await page.getByText('Advanced').click()
  const save = page.getByRole('button', { name: 'Save' })
  await title.fill('')
  await page.getByRole('checkbox', { name: `${creator.username} (you)` }).uncheck()
  await save.click()
  await window.sees('Must include title')
  await window.sees('Choose at least one person.')
  await looksFinished(window)
  await title.fill('Morning light')
  await page.getByRole('textbox', { name: 'Description' }).fill('By the window.')
  await page.getByRole('combobox', { name: 'Tags' }).fill('portr')
  await page.getByRole('option', { name: 'Portrait', exact: true }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('Window seat')
  await page.getByRole('option', { name: 'Create “Window seat”' }).click()
  await page.getByRole('button', { name: 'Remove Window seat' }).or(page.getByText('Window seat')).waitFor()
  await page.getByRole('checkbox', { name: `${creator.username} (you)` }).check()
  await page.getByLabel('Add another person').fill('Robin')
  await page.getByLabel('Add another person').press('Enter')
  await page.getByRole('checkbox', { name: 'Robin', checked: true }).waitFor()
  await page.getByRole('switch', { name: 'Private (send via chat)' }).setChecked(true)
  await page.getByRole('switch', { name: 'Show in shop' }).setChecked(true)
  expect(await page.getByRole('switch', { name: 'Must be unlocked' }).isChecked()).toBe(true)
  expect(await page.getByRole('switch', { name: 'Private (send via chat)' }).isChecked()).toBe(false)
  await page.getByRole('textbox', { name: 'Price' }).fill('4.50')

  await page.getByRole('link', { name: 'Manage media' }).first().click()
  await window.sees('Your changes to this media aren’t saved.')
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('banner').getByRole('button', { name: 'Log Out' }).click()
  await page.getByRole('dialog', { name: 'Log out now?' }).waitFor()
  await page.getByRole('button', { name: 'Stay logged in' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.route('**/api/media/edit', (route) => route.abort(), { times: 1 })
  await save.click()
  await window.sees('We can’t reach the service.')
  expect(await title.inputValue()).toBe('Morning light')
  await save.click()
  await window.sees('Successfully updated!')
  expect(window.complaints().filter((line) => !line.includes('ERR_FAILED'))).toEqual([])

  const item = await ownItem(photo)
  expect(item).toMatchObject({
    title: 'Morning light',
    description: 'By the window.',
    price: '$4.50',
    mustUnlock: true,
    showInStore: true,
    directOnly: false,
  })
  expect(item.performerIds).toHaveLength(2)
  expect(item.performerIds).toContain(creator.id)
  const { tags } = await apiOf(fanfare.origin).call(routes.tags, { query: { ids: item.tagIds } })
  expect(tags.map(({ name }) => name).sort()).toEqual(['Portrait', 'Window seat'])

  // Saved, it can be left; deleted, it can be taken back.
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/dashboard/manage')
  await expect(ownItem(photo)).rejects.toMatchObject({ status: 404 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await window.sees('Restored')
  await window.sees('Morning light')
  expect((await ownItem(photo)).title).toBe('Morning light')
  await window.close()
})

test('another file takes the place of the old one, and a damaged one does not', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open(`/dashboard/edit/media/${photo}`)
  const input = page.locator('input[type=file]')
  const before = await shownFile(page)
  const damaged = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') }
  await input.setInputFiles({ ...damaged, name: 'notes.txt' })
  await window.sees('This file type isn’t supported.')
  await input.setInputFiles(damaged)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No one has bought it yet.').waitFor()
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  const began: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/media/editfile')) began.push(request.url())
  })
  await input.setInputFiles(damaged)
  await dialog.getByText('photo.jpg replaces the current file.').waitFor()
  expect(began).toEqual([])
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await window.sees(/Something went wrong\. Please DM \/u\/\w+/)
  expect(await shownFile(page)).toBe(before)
  expect((await ownItem(photo)).url).toContain(before)

  await input.setInputFiles(await picture(2, 400, 300))
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await window.sees('Your media file has been updated!')
  await page.waitForFunction(
    (old) =>
      [...document.querySelectorAll('main img')].some(
        (image) =>
          image.getAttribute('src')?.startsWith('/files/media/') && !image.getAttribute('src')?.endsWith(old),
      ),
    before,
  )
  expect(await ownItem(photo)).toMatchObject({ width: 400, height: 300, title: 'Morning light' })

  // What was set elsewhere since the form was opened is not undone by it.
  const elsewhere = { mediaId: photo, directOnly: true, price: '$9.50' }
  await apiOf(fanfare.origin, creator).call(routes.editMedia, { body: elsewhere })
  await page.getByLabel('Title').fill('Evening light')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Successfully updated!')
  expect(await ownItem(photo)).toMatchObject({
    title: 'Evening light',
    directOnly: true,
    mustUnlock: false,
    price: '$9.50',
  })
  await page.getByRole('radio', { name: 'Private, to send via chat', checked: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('$9.50')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a frame of a video becomes its poster; one that can’t be taken is told, and nothing typed is lost', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: creator, viewport: PHONE })
  const { page } = window
  await window.open(`/dashboard/edit/media/${video}`)
  const before = await shownFile(page)
  await page.getByRole('button', { name: 'Choose a poster' }).click()
  const scrubber = page.getByRole('slider', { name: 'Poster frame' })
  await scrubber.press('End')
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.5)
  await page.getByLabel('Title').fill('Typed meanwhile')
  const file = join(fanfare.dataDir, 'media', 'media', video, 'video.mp4')
  await rename(file, `${file}.kept`)
  await writeFile(file, 'no video at all')
  const chosen = await scrubber.inputValue()
  await page.getByRole('button', { name: 'Use this frame' }).click()
  await window.sees('We couldn’t make a poster from this moment, so we kept the old one.')
  expect(await scrubber.inputValue()).toBe(chosen)
  await looksFinished(window)
  await rename(`${file}.kept`, file)
  await page.getByRole('button', { name: 'Use this frame' }).click()
  await window.sees('Poster updated.')
  await expect.poll(() => shownFile(page)).not.toBe(before)
  expect(await page.getByLabel('Title').inputValue()).toBe('Typed meanwhile')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('an external gif is added and edited, and asked for only by who wants to see it', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  const asked = await standInForRedGifs(window)
  await window.open('/dashboard/add/media')
  const link = page.getByLabel('RedGifs link')
  await link.fill('https://example.test/gif')
  await page.getByRole('button', { name: 'Add Media' }).click()
  await window.sees('This isn’t a RedGifs link or ID.')
  expect(asked).toEqual([])
  await link.fill('https://www.redgifs.com/watch/CalmBrightSea')
  await window.sees('https://www.redgifs.com/ifr/calmbrightsea')
  await page.locator('iframe[src="https://www.redgifs.com/ifr/calmbrightsea"]').waitFor()
  await page.getByLabel('Duration').fill('12.7')
  await page.getByRole('button', { name: 'Add Media' }).click()
  await window.sees('Media Updated!')
  await page.getByRole('link', { name: 'Edit gif' }).click()
  await page.waitForURL('**/dashboard/edit/media/*')
  await window.settled()
  const mediaId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await ownItem(mediaId)).toMatchObject({ duration: 12, mustUnlock: true, showInSearch: false })

  asked.length = 0
  await page.reload()
  await page.getByRole('button', { name: /^Play/ }).waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await looksFinished(window)
  await link.fill('anothersea')
  await window.sees('https://www.redgifs.com/ifr/anothersea')
  expect(asked).toEqual([])
  await page.getByRole('button', { name: /^Play/ }).click()
  await page.locator('iframe[src="https://www.redgifs.com/ifr/anothersea"]').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Successfully updated!')
  expect((await ownItem(mediaId)).redGif).toBe('https://www.redgifs.com/ifr/anothersea')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('the operator corrects an item and what was read from its file, and unlocks it for a fan', async () => {
  const [operator, fan] = await Promise.all([joins(fanfare.origin, 'fan'), joins(fanfare.origin, 'fan')])
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  await apiOf(fanfare.origin, creator).call(routes.editMedia, { body: { mediaId: video, title: 'Waves' } })
  const window = await openWindow(browser, fanfare.origin, { person: operator })
  const { page } = window
  await window.open('/dashboard/metadata')
  const row = page.getByRole('group', { name: 'Metadata of Waves' })
  await row.getByLabel('Duration').fill('9.8')
  await row.getByRole('button', { name: 'Set Metadata' }).click()
  await row.getByText('Updated!').waitFor()
  expect((await ownItem(video)).duration).toBe(9)

  const seenByFan = () => apiOf(fanfare.origin, fan).call(routes.media, { params: { mediaId: video } })
  await expect(seenByFan()).rejects.toMatchObject({ code: 'media_not_found' })
  await window.open(`/media/${video}`)
  await page.getByRole('link', { name: 'Edit this media' }).click()
  await window.sees('Your changes are recorded in the audit log.')
  await page.getByLabel('Title').fill('Waves at dusk')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Enter a reason of at least 3 characters.')
  await page.getByLabel('Reason', { exact: true }).fill('A better title')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Successfully updated!')
  expect(await ownItem(video)).toMatchObject({ title: 'Waves at dusk', duration: 9 })
  await page.getByRole('button', { name: 'Unlock' }).click()
  await window.sees('Choose a person.')
  const forFan = page.getByRole('searchbox', { name: 'Fan', exact: true })
  await forFan.fill(fan.username)
  await page.getByRole('button', { name: fan.username, exact: true }).click()
  await expect.poll(() => forFan.evaluate((box) => box === document.activeElement)).toBe(true)
  await page.getByLabel('Reason (optional)').fill('A gift')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await window.sees('Unlocked for user')
  await looksFinished(window)
  expect((await seenByFan()).url).not.toBeNull()
  await page.getByRole('button', { name: 'Unlock' }).click()
  await window.sees('Error. User probably has this media already.')
  expect(window.complaints().filter((line) => !line.includes('status of 409'))).toEqual([])
  await window.close()
})
