import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { waitUntil } from './waiting.ts'
import { openTab } from './window.ts'

/** What a browser fills in at once: an address, a password of its own making, a card without its code but with its ZIP code. */
const FILLED_IN = [
  ['given-name', 'family-name', 'email'],
  ['new-password'],
  ['cc-number', 'cc-exp', 'billing postal-code'],
]
/** More Tabs than lie between two fields. */
const MOST_TABS = 5

/**
 * A person’s hand in a browser: every press of the pointer and of a key counts from now on, in all tabs and frames, as
 * the pages get them. One that the driver holds back, as its target moved away meanwhile, and repeats is one press. What
 * the browser fills in takes the two keys that choose it.
 */
export async function handIn(context: BrowserContext, { fillsIn = false } = {}) {
  const count = { clicks: 0, keys: 0 }
  await context.exposeBinding('pressed', (_source, what: keyof typeof count) => {
    count[what] += 1
  })
  await context.addInitScript(() => {
    const { pressed } = globalThis as unknown as { pressed: (what: 'clicks' | 'keys') => Promise<void> }
    const counts = (what: 'clicks' | 'keys') => (event: Event) => {
      if (event.isTrusted) void pressed(what)
    }
    // The driver holds presses back at the window, before they get to the document.
    document.addEventListener('pointerdown', counts('clicks'), true)
    document.addEventListener('keydown', counts('keys'), true)
  })
  const chosen = new Set<string[]>()
  let at: Locator | null = null
  const goesTo = async (page: Page, field: Locator) => {
    const isThere = () => field.evaluate((input) => input === document.activeElement)
    for (let tabs = 0; !(await isThere()); tabs++) {
      expect(tabs).toBeLessThan(MOST_TABS)
      await page.keyboard.press('Tab')
    }
    at = field
  }

  return {
    count,
    /** Goes on to the field with Tab. */
    goesTo,
    /** Goes on to the field with Tab and types, as a browser knows it by this name. */
    async type(page: Page, field: Locator, text: string, autocomplete: string) {
      expect(await field.getAttribute('autocomplete')).toBe(autocomplete)
      const known = FILLED_IN.find((names) => names.includes(autocomplete))
      if (fillsIn && known && chosen.has(known)) {
        // It was filled in where the first of them was chosen, and the focus stays: nobody goes there, but Tab goes past it.
        await field.fill(text)
        return at?.focus()
      }
      await goesTo(page, field)
      if (!fillsIn || !known) return page.keyboard.type(text)
      count.keys += 2
      chosen.add(known)
      await field.fill(text)
    },
    /**
     * Finds the newest email in this inbox, opens it and follows its link, which opens one more tab: that tab. Where the
     * person comes back to the page that they left, that is a click as well.
     */
    async followsLinkOfEmail(origin: string, address: string): Promise<Page> {
      const { page: inbox } = await openTab(context)
      const email = inbox.getByRole('listitem').getByRole('link')
      await waitUntil(async () => {
        await inbox.goto(`${origin}/sandbox/mail/?to=${encodeURIComponent(address)}`)
        return (await email.count()) > 0
      })
      await email.first().click()
      const opened = context.waitForEvent('page')
      // No script runs in an email: the press isn’t told.
      count.clicks += 1
      await inbox.frameLocator('iframe[title="Email"]').getByRole('link').first().click()
      const tab = await opened
      await inbox.close()
      return tab
    },
    async returnsTo(page: Page) {
      // Tabs stand outside of all pages.
      count.clicks += 1
      await page.bringToFront()
    },
  }
}
