import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { StoryBrowser } from '../browser.ts'
import type { Fanfare } from '../fanfare.ts'
import { apiOf, joins } from '../people.ts'
import { type MediaFile, movingPicture, picture, refusedFiles } from '../pictures.ts'
import { PREPARED_MS } from '../shop.ts'
import { openWindow, type Window } from '../window.ts'

/** Photos and a video at once, and with them every file that must be refused. */
export async function uploadsALot({ origin, dataDir }: Fanfare, window: Window) {
  const { page } = window
  const good = await Promise.all([picture(1), picture(2), picture(3), movingPicture()])
  await window.open('/dashboard/uploadbulk')
  await page.locator('input[type=file]').setInputFiles(good)
  await page.getByRole('progressbar').first().waitFor()
  await page.getByText(`${good.length} done`, { exact: true }).waitFor({ timeout: PREPARED_MS })
  await expect.poll(() => page.getByRole('form', { name: /^About / }).count()).toBe(good.length)
  await isRefused(window, refusedFiles(), good.length)
  const { items } = await apiOf(origin, { token: await tokenOf(page) }).call(routes.manageMedia, {
    query: { limit: 60 },
  })
  expect(items.length).toBe(good.length)
  const video = items.find(({ type }) => type === 'video')
  const [single, free, member] = items.filter(({ type }) => type === 'image')
  if (!single || !free || !member || !video) throw new Error('three pictures and a video are needed')
  await namesAtOnce(window, member._id, 'For members')
  await namesAtOnce(window, video._id, 'Moving waves')
  expect(await readdir(join(dataDir, 'media', 'media'))).toHaveLength(good.length)
  return { single: single._id, free: free._id, member: member._id, video: video._id }
}

/** Gives a finished item its title right on the upload page. */
async function namesAtOnce({ page }: Window, mediaId: string, title: string): Promise<void> {
  const form = page.locator('form').filter({ has: page.locator(`a[href$="${mediaId}"]`) })
  await form.getByLabel('Title').fill(title)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Media Updated!').waitFor()
}

const REFUSALS = /This file is (empty|damaged)|This file type isn’t supported|larger than 50 megapixels/

async function isRefused({ page }: Window, refused: MediaFile[], done: number): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(refused)
  // The browser itself sees that one of them is empty.
  await page
    .getByText(`${done} done, ${refused.length - 1} failed, 1 can’t be uploaded`)
    .waitFor({ timeout: PREPARED_MS })
  const rows = page.getByRole('region', { name: 'Files' }).getByRole('listitem')
  for (const { name } of refused) {
    const row = rows.filter({ hasText: name })
    expect(await row.innerText()).toMatch(REFUSALS)
    expect(await row.getByRole('form').count()).toBe(0)
  }
}

async function tokenOf(page: Page): Promise<string> {
  return JSON.parse(await page.evaluate(() => localStorage.getItem('token') ?? '""'))
}

export async function sellsAsSingle(window: Window, mediaId: string): Promise<void> {
  const { page } = window
  await window.open(`/dashboard/edit/media/${mediaId}`)
  await page.getByLabel('Title').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Must include title')
  await page.getByLabel('Title').fill('Morning light')
  await page.getByRole('textbox', { name: 'Price' }).fill('4.50')
  await page.getByText('You get $3.60. The fee is 20%.').waitFor()
  await page.getByText('Advanced').click()
  const flag = (name: string) => page.getByRole('switch', { name })
  await turn(page, 'Private (send via chat)', true)
  expect(await flag('Must be unlocked').isChecked()).toBe(false)
  await turn(page, 'Show in shop', true)
  expect(await flag('Must be unlocked').isChecked()).toBe(true)
  expect(await flag('Private (send via chat)').isChecked()).toBe(false)
  await turn(page, 'Show in search', true)
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Successfully updated!')
}

export async function showsToEverybody(window: Window, mediaId: string): Promise<void> {
  const { page } = window
  await window.open(`/dashboard/edit/media/${mediaId}`)
  await page.getByLabel('Title').fill('Free for all')
  await page.getByText('Advanced').click()
  await turn(page, 'Show in shop', true)
  await turn(page, 'Must be unlocked', false)
  expect(await page.getByRole('switch', { name: 'Show in shop' }).isChecked()).toBe(false)
  await turn(page, 'Show in search', true)
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Successfully updated!')
}

/** Switches are boxes that nobody sees under what they look like. */
async function turn(page: Page, name: string, on: boolean): Promise<void> {
  await page.getByRole('switch', { name }).setChecked(on, { force: true })
}

/** Creates something to sell and fills it; answers the path of its editor. */
export async function creates(
  window: Window,
  kind: 'subscription' | 'bundle',
  title: string,
  price: string,
  contents: string[],
): Promise<string> {
  const { page } = window
  await window.open('/dashboard/premiumcontentmanagement')
  await page.getByRole('button', { name: `New ${kind}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: `Create ${kind}` }).click()
  await window.sees('Must include title')
  await dialog.getByLabel('Title').fill('A first name for it')
  await dialog.getByRole('textbox', { name: /^Price/ }).fill(price)
  if (kind === 'subscription') await dialog.getByRole('radio', { name: /^Chosen items/ }).check()
  await dialog.getByRole('button', { name: `Create ${kind}` }).click()
  await page.waitForURL(`**/dashboard/edit/${kind}/*`)
  await window.settled()
  await page.getByLabel('Title', { exact: true }).fill(title)
  for (const name of contents) await page.getByRole('checkbox', { name }).check()
  await window.sees(`Media · ${contents.length} selected`)
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees(kind === 'subscription' ? 'Updated Subscription' : 'Updated bundle')
  return new URL(page.url()).pathname
}

export async function isClosedToAnotherCreator(
  browser: StoryBrowser,
  origin: string,
  editors: string[],
): Promise<void> {
  const other = await openWindow(browser, origin, { person: await joins(origin, 'creator') })
  for (const editor of editors) {
    await other.open(editor)
    await other.sees('you do not have access to this page')
    expect(await other.page.getByLabel('Title', { exact: true }).count()).toBe(0)
  }
  await other.close()
}

export async function seesTheMoney(window: Window, fanName: string): Promise<void> {
  const { page } = window
  await window.open('/dashboard/earnings')
  const sales = page.getByRole('table', { name: 'Transactions' }).locator('tbody').getByRole('row')
  await expect.poll(() => sales.count()).toBe(3)
  const texts = await sales.allInnerTexts()
  // Cents of rounding are the platform's loss.
  for (const [title, amounts] of [
    ['Members club', ['$8', '$9.99', '$1.99']],
    // The fan had one of its two items already.
    ['Summer set', ['$6', '$7.50', '$1.50']],
    ['Morning light', ['$3.60', '$4.50', '$0.90']],
  ] as const) {
    const text = texts.find((one) => one.includes(title)) ?? ''
    for (const amount of [`Sold to ${fanName}`, ...amounts]) expect(text).toContain(amount)
  }
  const totals = await page.locator('dl').first().innerText()
  for (const sum of ['$21.99', '$4.39', '$17.60']) expect(totals).toContain(sum)
}
