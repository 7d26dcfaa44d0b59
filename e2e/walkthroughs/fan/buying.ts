import { CARDS, cardFrame, payByCard } from '../../paying.ts'
import { waitUntil } from '../../waiting.ts'
import type { Window } from '../../window.ts'
import type { EveningShop } from './shop.ts'

/** Buys the single item and the bundle by card, as the creator's buy page offers them. */
export async function buys(
  window: Window,
  { creator }: EveningShop,
  keep: () => Promise<void>,
): Promise<string> {
  const { page } = window
  await window.open(`/users/${creator.username}/buy`)
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await cardFrame(page).getByLabel('Card number').waitFor()
  await keep()
  await payByCard(page, CARDS.declined)
  await window.sees('Your card was declined. You have not been charged.')
  await payByCard(page, CARDS.approved)
  await isPaid(window)
  await page.getByRole('button', { name: 'Buy bundle Summer set' }).click()
  await payByCard(page, CARDS.approved)
  await isPaid(window)
  return 'a declined card was told; “Morning light” and “Summer set” are paid'
}

async function isPaid({ page, sees }: Window): Promise<void> {
  const dialog = page.getByRole('dialog')
  await sees('Processed Transaction')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Finds what was bought among the own content, unlocked and shown. */
export async function findsIt(window: Window, titles: readonly string[]): Promise<string> {
  const { page } = window
  await window.open('/yourcontent')
  for (const title of titles) await page.getByRole('link', { name: `View Media: ${title}` }).waitFor()
  const pictures = page.getByRole('article').locator('img')
  await waitUntil(() =>
    pictures.evaluateAll((found) => found.every((image) => (image as HTMLImageElement).naturalWidth > 0)),
  )
  return `${await page.getByRole('article').count()} items, ${await pictures.count()} pictures shown`
}
