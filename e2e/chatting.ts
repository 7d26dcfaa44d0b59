import type { Locator } from 'playwright-core'
import type { StoryBrowser } from './browser.ts'
import type { Person } from './people.ts'
import { openWindow, type Window } from './window.ts'

/** One person's side of a conversation. */
export type Side = Window & {
  field: Locator
  log: Locator
  says(text: string): Promise<void>
  hears(text: string): Promise<void>
  message(text: string): Locator
}

/** Opens the conversation of a person with another one in a browser of its own. */
export async function openChat(
  browser: StoryBrowser,
  origin: string,
  { person, other, phone = false }: { person: Person; other: Person; phone?: boolean },
): Promise<Side> {
  const window = await openWindow(browser, origin, { person, phone })
  await window.open(`/dashboard/chat/${other.id}`)
  const { page } = window
  const log = page.getByRole('log')
  const field = page.getByRole('textbox', { name: `Message ${other.username}` })
  const message = (text: string) => log.getByRole('article').filter({ hasText: text })
  return {
    ...window,
    field,
    log,
    message,
    says: async (text) => {
      await field.fill(text)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
    },
    hears: (text) => message(text).waitFor(),
  }
}

/** Waits until the window has its connection. */
export const connected = ({ page }: Window) => page.getByText('Connecting…').waitFor({ state: 'detached' })

/** Waits until an own message has this mark. */
export const marked = (side: Side, text: string, mark: 'Sending' | 'Sent' | 'Read') =>
  side.message(text).getByRole('img', { name: mark }).waitFor()

/** The photos and videos of a message, or of all. */
export const attached = (side: Side, text?: string) =>
  (text ? side.message(text) : side.log)
    .getByRole('group', { name: 'Photos and videos in this message' })
    .getByRole('button')

/** What the messages say that are drawn. */
export async function textsOf(side: Side): Promise<string[]> {
  return side.log.getByRole('article').locator('p').allInnerTexts()
}
