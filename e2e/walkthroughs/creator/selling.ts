import type { Window } from '../../window.ts'

/** Creates a subscription or bundle, fills it by its picker with the first so many items, and saves. */
export async function creates(
  window: Window,
  kind: 'subscription' | 'bundle',
  { title, price, items }: { title: string; price: string; items: number },
): Promise<string> {
  const { page } = window
  await window.open('/dashboard/premiumcontentmanagement')
  await page.getByRole('button', { name: `New ${kind}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByRole('textbox', { name: /^Price/ }).fill(price)
  await dialog.getByRole('button', { name: `Create ${kind}` }).click()
  await page.waitForURL(`**/dashboard/edit/${kind}/*`)
  await window.settled()
  const boxes = page.getByRole('main').getByRole('checkbox')
  await boxes.nth(kind === 'bundle' ? 2 : 8).click()
  await boxes.nth((kind === 'bundle' ? 2 : 8) + items - 1).click({ modifiers: ['Shift'] })
  await window.sees(`${items} selected`)
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees(kind === 'subscription' ? 'Updated Subscription' : 'Updated bundle')
  return `“${title}” at $${price} holds ${items} items`
}

/** Has the names of fans put on what is not free. */
export async function turnsOnWatermark(window: Window): Promise<string> {
  const { page } = window
  await window.open('/dashboard/privacy')
  await page.getByRole('switch', { name: /fan’s username/ }).press('Space')
  await window.sees('Usernames are shown now.')
  return 'fans’ names are on what is not free'
}

/** What a visitor sees of each tab of the profile, in words. */
export async function isSeenBy(window: Window, username: string): Promise<string> {
  const { page } = window
  await window.open(`/users/${username}`)
  const wall = page.getByRole('region', { name: /^Media of/ })
  const open = await wall.getByRole('button').count()
  const locked = await wall.getByRole('button', { name: /locked/ }).count()
  await page.getByRole('tab', { name: 'Subscriptions' }).click()
  await window.sees('per month')
  await page.getByRole('tab', { name: 'Bundles' }).click()
  await window.sees('Log in or Sign Up to see Bundles')
  return `${open} tiles of the first page, ${locked} of them locked; a subscription; bundles after a login`
}
