import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { CARDS, payByCard } from '../paying.ts'
import type { Window } from '../window.ts'

export async function looksAroundAsVisitor(window: Window, creatorName: string): Promise<void> {
  const { page } = window
  await window.open('/discover')
  await page.getByRole('button', { name: /Free for all/ }).waitFor()
  expect(await page.getByRole('button', { name: /Morning light|Moving waves|For members/ }).count()).toBe(0)
  await window.open(`/users/${creatorName}`)
  await page.getByRole('link', { name: 'Login to follow' }).waitFor()
  await page.getByRole('button', { name: /Morning light, locked/ }).waitFor()
  await page.getByRole('button', { name: /Moving waves, locked/ }).waitFor()
  await page.getByRole('tab', { name: 'Bundles' }).click()
  await window.sees('Log in or Sign Up to see Bundles')
  await page.getByRole('tab', { name: 'Singles' }).click()
  await window.sees('Log in or Sign Up to see Singles')
  await page.getByRole('tab', { name: 'Subscriptions' }).click()
  await window.sees('per month')
  await page.getByRole('button', { name: 'Subscribe to Members club' }).click()
  await page.waitForURL('**/signup')
}

export async function buysEverything(window: Window, creatorName: string): Promise<void> {
  const { page } = window
  const dialog = page.getByRole('dialog')
  const done = async () => {
    await dialog.getByText('Processed Transaction').first().waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await window.open(`/users/${creatorName}?tab=singles`)
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await payByCard(page, CARDS.declined)
  await dialog.getByText('Your card was declined. You have not been charged.').waitFor()
  await payByCard(page, CARDS.approved)
  await done()
  await page.getByRole('list', { name: 'Singles' }).getByText('Yours', { exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Bundles' }).click()
  await window.sees('1 photo, 1 video')
  await window.sees('already have 1/2')
  await page.getByRole('button', { name: 'Buy bundle Summer set' }).click()
  // The single that they own is in it.
  await dialog.getByText('You already own 1 of 2 items, so you only pay for the rest.').waitFor()
  await payByCard(page, CARDS.approved)
  await done()
  await page.getByRole('list', { name: 'Bundles' }).getByText('Yours', { exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Subscriptions' }).click()
  await page.getByRole('button', { name: 'Subscribe to Members club' }).click()
  // The day may have turned since, here or there.
  const days = [nextMonth(new Date(Date.now() - 3_600_000)), nextMonth(new Date(Date.now() + 3_600_000))]
  await dialog.getByText(new RegExp(`Renews at \\$9\\.99 on (${days.join('|')})`)).waitFor()
  await payByCard(page, CARDS.approved)
  await done()
  await window.sees('Already Subscribed!')
}

/** One month on as `Dec 31 2026`. */
function nextMonth(today: Date): string {
  const date = new Date(today.getFullYear(), today.getMonth() + 1, today.getDate())
  if (date.getDate() !== today.getDate()) date.setDate(0)
  return date.toDateString().slice('Thu '.length)
}

export async function seesWhatWasBought(
  window: Window,
  creatorName: string,
  bought: { single: string; video: string; member: string },
): Promise<void> {
  const { page } = window
  await window.open(`/users/${creatorName}`)
  for (const name of ['Morning light', 'Moving waves', 'For members'])
    await isShown(
      page,
      page
        .getByRole('region', { name: /^Media of/ })
        // A video's duration follows.
        .getByRole('button', { name: new RegExp(`^${name}(?!, locked)`) }),
    )
  for (const mediaId of [bought.single, bought.member]) {
    await window.open(`/media/${mediaId}`)
    await isShown(page, page.getByRole('main'))
  }
  await window.open(`/media/${bought.video}`)
  await page.getByRole('button', { name: /^Play/ }).click()
  await page.waitForFunction(() => Number(document.querySelector('video')?.currentTime) > 0)

  const cards = page.getByRole('article')
  await window.open('/yourcontent')
  for (const [filter, count] of Object.entries({ Images: 2, Videos: 1, All: 3 })) {
    await page.getByRole('button', { name: filter, exact: true }).click()
    await expect.poll(() => cards.count(), { message: filter }).toBe(count)
  }
  await page.getByLabel('Creator').selectOption(creatorName)
  await page.getByRole('searchbox', { name: 'Search' }).fill('morn')
  await expect.poll(() => cards.count()).toBe(1)
  // In sight at once, over the full screen.
  await cards.getByRole('button', { name: 'Morning light' }).click()
  await page.locator('.pswp--open').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.pswp').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'View Media: Morning light' }).click()
  await page.waitForURL(`**/media/${bought.single}`)
}

/** A picture in it has arrived and has been decoded. */
async function isShown(page: Page, place: Locator): Promise<void> {
  await place.scrollIntoViewIfNeeded()
  const picture = await place.locator('img').first().elementHandle()
  await page.waitForFunction((image) => (image as HTMLImageElement | null)?.naturalWidth, picture)
}
