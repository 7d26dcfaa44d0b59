import type { Page } from 'playwright-core'

/** Cards of the sandbox gateway; sandbox/authorizenet/README.md lists all. */
export const CARDS = {
  approved: '4111111111111111',
  declined: '4000000000000002',
  held: '4000000000009235',
} as const

/** ZIP codes of a card's billing address, as the sandbox gateway takes them. */
export const ZIPS = { approved: '94103', mismatched: '46299' } as const

/** The frame that the card is typed in. */
export function cardFrame(page: Page) {
  return page.frameLocator('iframe[title="Card details"]')
}

/** Waits for the fields of the open purchase dialog, and asks for them where a stored card would pay. */
export async function showCardFields(page: Page): Promise<void> {
  const another = page.getByRole('button', { name: 'Use another card' })
  await another.or(page.locator('iframe[title="Card details"]')).first().waitFor()
  if (await another.isVisible()) await another.click()
  await cardFrame(page).getByLabel('Card number').waitFor()
}

/** Fills the open purchase dialog as a person types, with another card where one is stored. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await showCardFields(page)
  await typeCard(page, number)
  await page.getByRole('checkbox', { name: /Terms of Service/ }).check()
}

/** Types a card into its fields. */
export async function typeCard(page: Page, number: string, zip: string = ZIPS.approved): Promise<void> {
  const card = cardFrame(page)
  await card.getByLabel('Card number').fill(number)
  await card.getByLabel('Expiration date').fill('12/39')
  await card.getByLabel('Security code').fill('123')
  await card.getByLabel('ZIP code').fill(zip)
}

/** The button that pays. */
export function payButton(page: Page) {
  return page.getByRole('dialog').getByRole('button', { name: /^(Pay|Subscribe for) \$/ })
}

/** Fills the open purchase dialog and pays. */
export async function payByCard(page: Page, number: string): Promise<void> {
  await fillCard(page, number)
  await payButton(page).click()
}
