import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import type { Person } from './people.ts'
import { waitUntil } from './waiting.ts'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1440, height: 900 }

/** One browser of one person: its own cookies, storage and cache. */
export type Window = {
  page: Page
  context: BrowserContext
  /** What the browser complained about since the last call: console errors, uncaught errors, policy violations. */
  complaints(): string[]
  /** Opens a path and waits until it stands; answers the document's status. */
  open(path: string): Promise<number>
  /** Waits until nothing is on its way and no placeholder is left. */
  settled(): Promise<void>
  /** Waits until this text can be seen. */
  sees(text: string | RegExp): Promise<void>
  close(): Promise<void>
}

/** Opens a browser window as this person, or as a visitor; the age is confirmed unless told otherwise. */
export async function openWindow(
  browser: Pick<Browser, 'newContext'>,
  origin: string,
  options: {
    person?: Pick<Person, 'token'>
    ageConfirmed?: boolean
    viewport?: { width: number; height: number }
    scheme?: 'dark' | 'light'
    /** Fingers, a fine screen, and motion as most people have it. */
    phone?: boolean
    /** The zone of the device’s clock, such as `America/Denver`. */
    timeZone?: string
  } = {},
): Promise<Window> {
  const { person, ageConfirmed = true, phone = false, scheme = 'dark', timeZone } = options
  const { viewport = phone ? PHONE : DESK } = options
  const context = await browser.newContext({
    viewport,
    colorScheme: scheme,
    reducedMotion: phone ? 'no-preference' : 'reduce',
    ...(phone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 3 } : {}),
    ...(timeZone ? { timezoneId: timeZone } : {}),
    baseURL: origin,
  })
  context.setDefaultTimeout(150_000)
  if (person) await context.addInitScript(logsInOnce, { origin, token: person.token })
  if (ageConfirmed) await context.request.post(`${origin}/api/users/age-verified`, { data: {} })
  return openTab(context)
}

/**
 * Runs in each document, and logs in before the first one’s own scripts. Playwright’s `storageState` would open a page of
 * its own for it, 0.1 seconds of processor for every window.
 */
function logsInOnce({ origin, token }: { origin: string; token: string }): void {
  if (self.origin !== origin || document.cookie.includes('logged-in-once')) return
  // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies answers too late
  document.cookie = 'logged-in-once=1; path=/'
  localStorage.setItem('token', JSON.stringify(token))
}

/** Opens one more tab in a person's browser. */
export async function openTab(context: BrowserContext): Promise<Window> {
  const page = await context.newPage()
  const complaints: string[] = []
  const underWay = new Set<Request>()
  const ended = (request: Request) => void underWay.delete(request)
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    // A video streams for as long as it is shown.
    if (request.resourceType() !== 'media') underWay.add(request)
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)

  const opened: Window = {
    page,
    context,
    complaints: () => complaints.splice(0),
    async open(path) {
      const response = await page.goto(path, { waitUntil: 'domcontentloaded' })
      await opened.settled()
      return response?.status() ?? 0
    },
    async settled() {
      await page.waitForFunction(stands)
      await waitUntil(() => underWay.size === 0, { interval: 10 })
      await page.waitForFunction(stands)
    },
    sees: (text) =>
      page
        .getByText(text)
        .first()
        .waitFor()
        .catch(async (error) => {
          throw new Error(`${error}\nIt says: ${await page.locator('body').innerText()}`)
        }),
    close: () => context.close(),
  }
  return opened
}

/** Runs in the page: the application has drawn it, its heading is there and nothing holds the place of something else. */
function stands(): boolean {
  const waiting = document.querySelector('[data-first-look], [aria-label="Loading"]')
  return document.querySelector('h1') !== null && waiting === null
}

/** Drags something into something else with the mouse. */
export async function drags({ page }: Window, from: Locator, to: Locator): Promise<void> {
  // What stands at the bottom may be below a message.
  await from.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height - 6)
  await page.mouse.down()
  await page.mouse.move(start.x + start.width / 2 + 20, start.y + start.height, { steps: 4 })
  await page.mouse.move(end.x + end.width / 2, end.y + Math.min(80, end.height / 2), { steps: 12 })
  await page.mouse.up()
}
