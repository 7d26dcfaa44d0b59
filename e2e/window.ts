import type { BrowserContext, Locator, Page, Request } from 'playwright-core'
import type { StoryBrowser } from './browser.ts'
import { giveBack, PATIENCE_MS } from './lent-pages.ts'
import type { Person } from './people.ts'
import { waitUntil } from './waiting.ts'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1440, height: 900 }

/** One browser of one person: its own cookies and storage. */
export type Window = {
  page: Page
  /** The window’s alone once it was asked for, as it may be changed then. */
  readonly context: BrowserContext
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
  browser: Pick<StoryBrowser, 'newContext' | 'lend'>,
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
  const settings = {
    viewport,
    colorScheme: scheme,
    reducedMotion: phone ? 'no-preference' : 'reduce',
    ...(phone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 3 } : {}),
    ...(timeZone ? { timezoneId: timeZone } : {}),
    baseURL: origin,
  } as const
  // Who has said nothing of their age was never here.
  if (ageConfirmed && browser.lend) {
    const page = await browser.lend(settings)
    if (person) await page.evaluate(storeToken, { origin, token: person.token })
    await confirmAge(page, origin)
    return windowOf(page, () => giveBack(page))
  }
  const context = await browser.newContext(settings)
  context.setDefaultTimeout(PATIENCE_MS)
  // Playwright’s `storageState` would open a page of its own for it, 0.1 seconds of processor for every window.
  if (person) await context.addInitScript(storeToken, { origin, token: person.token })
  const window = await openTab(context)
  if (ageConfirmed) await confirmAge(window.page, origin)
  return window
}

const confirmAge = ({ request }: Page, origin: string) =>
  request.post(`${origin}/api/users/age-verified`, { data: {} })

/** Runs in the quiet page of a window that is lent, and in each document of another; logs in once. */
function storeToken({ origin, token }: { origin: string; token: string }): void {
  if (self.origin !== origin || document.cookie.includes('logged-in-once')) return
  // biome-ignore lint/suspicious/noDocumentCookie: the store of cookies answers too late
  document.cookie = 'logged-in-once=1; path=/'
  localStorage.setItem('token', JSON.stringify(token))
}

/** Opens one more tab in a person's browser. */
export async function openTab(context: BrowserContext): Promise<Window> {
  return windowOf(await context.newPage(), () => context.close())
}

function windowOf(page: Page, close: () => Promise<void>): Window {
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
    get context() {
      return page.context()
    },
    complaints: () => complaints.splice(0),
    async open(path) {
      const response = await page.goto(path, { waitUntil: 'domcontentloaded' })
      await opened.settled()
      return response?.status() ?? 0
    },
    async settled() {
      await waitUntil(() => page.evaluate(stands).catch(leftMeanwhile))
      await waitUntil(() => underWay.size === 0, { interval: 10 })
      await waitUntil(() => page.evaluate(stands).catch(leftMeanwhile))
    },
    sees: (text) =>
      page
        .getByText(text)
        .first()
        .waitFor()
        .catch(async (error) => {
          throw new Error(`${error}\nIt says: ${await page.locator('body').innerText()}`)
        }),
    close,
  }
  return opened
}

/**
 * Runs in the page: answers whether the application has drawn it, its heading is there and nothing holds the place of
 * something else, once that is so or a few seconds have passed. The driver's own waiting would bring 300 kB of scripts to
 * each document, and look in each frame.
 */
function stands(): Promise<boolean> {
  const look = () =>
    document.querySelector('h1') !== null &&
    document.querySelector('[data-first-look], [aria-label="Loading"]') === null
  return new Promise((resolve) => {
    if (look()) return resolve(true)
    const end = (answer: boolean) => {
      observer.disconnect()
      resolve(answer)
    }
    const observer = new MutationObserver(() => look() && end(true))
    observer.observe(document, { childList: true, subtree: true, attributes: true })
    setTimeout(end, 3000, false)
  })
}

/** A document that went while it was asked has not said anything. */
function leftMeanwhile(error: Error): false {
  if (!/Execution context was destroyed/.test(error.message)) throw error
  return false
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
