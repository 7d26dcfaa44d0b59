import type { Page } from 'playwright-core'
import { waitUntil } from '../../waiting.ts'
import type { Window } from '../../window.ts'

const SOON = { timeout: 20_000, interval: 50 }

export const cards = (page: Page) => page.getByRole('region', { name: 'Your media' }).getByRole('article')
export const titles = (page: Page) =>
  cards(page).evaluateAll((found) => found.map((card) => card.querySelector('p')?.textContent ?? ''))
const dialog = (page: Page) => page.getByRole('dialog')

/** Scrolls until the whole library is shown; answers how many cards there are. */
export async function showsAll(page: Page): Promise<number> {
  let count = -1
  while (count !== (await cards(page).count())) {
    count = await cards(page).count()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForTimeout(600)
    await page.getByLabel('Loading more').waitFor({ state: 'detached' })
  }
  await page.evaluate(() => scrollTo(0, 0))
  return count
}

/** Searches for these words; answers how many cards are left once they changed. */
export async function searches(page: Page, words: string): Promise<number> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(words)
  await page.waitForURL((url) => (url.searchParams.get('search') ?? '') === words)
  await quiet(page)
  return cards(page).count()
}

/** Narrows by type or visibility; answers how many cards are shown first. */
export async function filters(page: Page, by: 'Type' | 'Visibility', choice: string): Promise<number> {
  const before = page.url()
  await page.getByLabel(by).selectOption(choice)
  // A second choice before the first stands in the address would take the first one back.
  await page.waitForURL((url) => url.href !== before)
  await quiet(page)
  return cards(page).count()
}

/** Waits until the list that is shown belongs to the filters. */
async function quiet(page: Page): Promise<void> {
  await page.waitForTimeout(500)
  await page.waitForFunction(
    () => !document.querySelector('main [aria-busy="true"], main [aria-label="Loading"]'),
  )
}

/** Begins to select, and takes these places of the list: one click, and one with Shift held. */
export async function selects(page: Page, first: number, last: number): Promise<string> {
  const start = page.getByRole('button', { name: 'Select', exact: true })
  if ((await start.count()) > 0) await start.click()
  else await page.getByRole('button', { name: 'Clear', exact: true }).click()
  const boxes = page.getByRole('checkbox', { name: /^Select / })
  await boxes.nth(first).click()
  await boxes.nth(last).click({ modifiers: ['Shift'] })
  return page.getByRole('region', { name: 'Selected items' }).getByRole('status').innerText()
}

/** Gives the selected items a tag that is new or there already. */
export async function tagsSelected(page: Page, tag: string): Promise<void> {
  await page.getByRole('region', { name: 'Selected items' }).getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('combobox', { name: 'Add tags' }).fill(tag)
  await page
    .getByRole('option', { name: tag, exact: true })
    .or(page.getByRole('option', { name: `Create “${tag}”` }))
    .first()
    .click()
  await dialog(page).getByRole('heading').first().click()
  await saves(page)
}

/** Turns one flag of the selected items on or off; answers what the dialog says it turns as well. */
export async function turnsSelected(page: Page, flag: string, to: 'On' | 'Off'): Promise<string> {
  await page
    .getByRole('region', { name: 'Selected items' })
    .getByRole('button', { name: 'Visibility' })
    .click()
  await dialog(page).getByText('Advanced').click()
  await dialog(page).getByRole('radiogroup', { name: flag }).getByText(to, { exact: true }).click()
  const also = dialog(page).getByText(/^Also turned/)
  const said = (await also.count()) > 0 ? await also.first().innerText() : 'nothing else is turned'
  await saves(page)
  return said
}

export async function pricesSelected(page: Page, price: string): Promise<void> {
  await page.getByRole('region', { name: 'Selected items' }).getByRole('button', { name: 'Price' }).click()
  await page.getByRole('textbox', { name: 'Price' }).fill(price)
  await saves(page)
}

async function saves(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Change \d+ items?$/ }).click()
  await dialog(page).waitFor({ state: 'detached' })
}

/** Drags the first card behind the third with the mouse, then moves it back one place with the keyboard; answers the new order. */
export async function movesTheFirst(page: Page): Promise<string> {
  const handles = page.getByRole('button', { name: /^Move / })
  const first = await cardId(page, 0)
  const [from, to] = [await handles.nth(0).boundingBox(), await cards(page).nth(2).boundingBox()]
  if (!from || !to) throw new Error('there is nothing to drag')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 40, from.y + 20, { steps: 6 })
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 20 })
  await page.mouse.up()
  await waitUntil(async () => (await cardId(page, 2)) === first, SOON)
  const live = page.locator('[id^="DndLiveRegion"]')
  await handles.nth(2).focus()
  await page.keyboard.press('Space')
  await waitUntil(async () => /^Picked up/.test((await live.textContent()) ?? ''), SOON)
  await page.keyboard.press('ArrowLeft')
  await waitUntil(async () => /is over position 2/.test((await live.textContent()) ?? ''), SOON)
  await page.keyboard.press('Space')
  await waitUntil(async () => (await cardId(page, 1)) === first, SOON)
  await page.reload()
  await waitUntil(async () => (await cards(page).count()) > 1 && (await cardId(page, 1)) === first, SOON)
  return 'the first card stands third after the mouse, second after the keyboard, and still after a reload'
}

/** What tells one card from another. */
function cardId(page: Page, place: number): Promise<string | null> {
  return cards(page)
    .nth(place)
    .locator('[data-media-id], a[href*="/edit/media/"]')
    .first()
    .evaluate((element) => element.getAttribute('data-media-id') ?? element.getAttribute('href'))
}

/** Deletes one card by its dialog and takes that back; answers what the dialog said. */
export async function deletesAndUndoes(window: Window, place: number): Promise<string> {
  const { page } = window
  const before = await titles(page)
  await cards(page)
    .nth(place)
    .getByRole('button', { name: /^Delete / })
    .click()
  await dialog(page).getByRole('button', { name: 'Delete' }).waitFor()
  await dialog(page)
    .getByText(/No one has bought|gets smaller|lose it|keep access/)
    .first()
    .waitFor()
  const said = await dialog(page).innerText()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await window.sees(/^Deleted /)
  await waitUntil(
    async () => (await titles(page)).join() !== before.join() || (await cards(page).count()) < before.length,
    SOON,
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await window.sees('Restored')
  return said.replaceAll(/\s+/g, ' ').slice(0, 160)
}
