import type { Locator } from 'playwright-core'
import type { StoryBrowser } from './browser.ts'
import type { StoryDatabase } from './database.ts'
import type { Person } from './people.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, PHONE, type Window } from './window.ts'

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
  return Object.assign(window, {
    field,
    log,
    message,
    says: async (text: string) => {
      await field.fill(text)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
    },
    hears: (text: string) => message(text).waitFor(),
  })
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

/** Opens the menu of a message, for which a finger needs nothing to show, and chooses something. */
export async function acts(side: Side, text: string, action: string | RegExp): Promise<void> {
  if (side.page.viewportSize()?.width !== PHONE.width) await side.message(text).hover()
  const row = side.log.locator('[data-known-size]').filter({ hasText: text })
  await row.getByRole('button', { name: 'Message options' }).click()
  await side.page.getByRole('menuitem', { name: action }).click()
}

/** Puts so many messages of this person, `numbered 1` and on, behind the first one of their only conversation. */
export async function fillConversation(
  database: StoryDatabase,
  writer: Person,
  count: number,
): Promise<void> {
  await database.query(
    `insert into messages (conversation_id, position, revision, sender_id, content, created_at)
     select id, number + 1, number + 1, $1, 'numbered ' || number, now() + number * interval '1 millisecond'
     from conversations, generate_series(1, $2::int) number where $1 in (low_id, high_id)`,
    [writer.id, count],
  )
  await database.query(
    `update conversations set revision = $2::int + 1,
       last_message_id = (select id from messages where conversation_id = conversations.id and position = $2::int + 1)
     where $1 in (low_id, high_id)`,
    [writer.id, count],
  )
}

/**
 * Scrolls up as a hand does until this message is there. Answers by how many pixels a message that was in sight moved
 * otherwise than the hand, step by step.
 */
export async function scrollsUpTo(side: Side, text: string): Promise<number[]> {
  const jumps: number[] = []
  await waitUntil(
    async () => {
      const jump = await side.log.evaluate(async (element) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(0)))
        const middle = element.getBoundingClientRect().top + element.clientHeight / 2
        const rows = [...element.querySelectorAll('article')]
        const watched = rows.find((row) => row.getBoundingClientRect().top > middle)
        const before = watched?.getBoundingClientRect().top ?? 0
        const by = Math.min(300, element.scrollTop)
        element.scrollTop -= by
        // Older messages that are asked for meanwhile come before the look, and have found their place.
        for (let still = 0, top = Number.NaN; still < 12; still++) {
          await frame()
          const now = watched?.getBoundingClientRect().top ?? 0
          if (now !== top) still = 0
          top = now
        }
        if (!watched?.isConnected) return 0
        return Math.abs(watched.getBoundingClientRect().top - before - by)
      })
      jumps.push(jump)
      return (await side.message(text).count()) > 0
    },
    // Each step takes as long as a dozen pictures of a busy browser.
    { timeout: 600_000 },
  )
  return jumps
}
