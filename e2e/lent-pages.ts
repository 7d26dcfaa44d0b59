import type { EventEmitter } from 'node:events'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { HARMLESS_KEYBOARD, HARMLESS_MOUSE, HARMLESS_PAGE, OF_EARLIER_WINDOWS } from './harmless.ts'

/** Ours, where no script runs: on a page of another origin the process would lose our code. */
const QUIET_PATH = '/robots.txt'

/** What the browser may answer by itself to another person: anything else that it keeps may be somebody’s. */
const EVERYBODYS = /^\/(assets\/|robots\.txt$)/

/** More would hold memory that nobody uses. */
const MOST_IDLE = 6

/** How long a window waits for something that doesn’t come. */
export const PATIENCE_MS = 150_000

/** A page as the driver has it. A window has it behind `page`, only for as long as it was lent. */
type Lent = {
  bare: Page
  devTools: CDPSession
  /** Windows of the same settings and address may have it. */
  kind: string
  origin: string
  /** Something was done to it that can’t be taken back. */
  marked: boolean
  revoke(): void
}

/** What was given back, the latest last. */
const idle: Lent[] = []
const out = new Map<Page, Lent>()

/**
 * Lends a page of this browser, on a quiet page of the origin. One that was given back is lent again, of whose earlier
 * person nothing is left but files that are everybody’s: loading and compiling our code anew takes most of an opening.
 */
export async function lendPage(
  chromium: Browser,
  options: BrowserContextOptions & { baseURL: string },
): Promise<Page> {
  // Of all of them: another tab of the window has those that the context began with.
  const kind = JSON.stringify(options)
  const at = idle.findLastIndex((one) => one.kind === kind && !one.bare.isClosed())
  const [again] = at < 0 ? [] : idle.splice(at, 1)
  const lent = again ?? (await newPage(chromium, options, kind))
  if (!again) await lent.bare.goto(QUIET_PATH)
  else await forgetOthers(lent, options)
  await lent.devTools.send('Page.resetNavigationHistory')
  const { proxy, revoke } = guarded(lent)
  lent.revoke = revoke
  out.set(proxy, lent)
  return proxy
}

/** Gives a page back, which leaves what it shows and waits for the next window; closes it where that can’t be. */
export async function giveBack(page: Page): Promise<void> {
  const lent = out.get(page)
  if (!lent) return
  out.delete(page)
  const isQuiet = !lent.marked && !lent.bare.isClosed() && (await leave(lent).catch(() => false))
  // What it did on its way out counts as well.
  if (!isQuiet || lent.marked) return lent.bare.context().close()
  lent.revoke()
  idle.push(lent)
  if (idle.length > MOST_IDLE) await idle.shift()?.bare.context().close()
}

async function newPage(chromium: Browser, options: { baseURL: string }, kind: string): Promise<Lent> {
  const context = await chromium.newContext(options)
  const bare = await context.newPage()
  const devTools = await context.newCDPSession(bare)
  const lent: Lent = { bare, devTools, kind, origin: options.baseURL, marked: false, revoke: () => {} }
  context.setDefaultTimeout(PATIENCE_MS)
  // Another tab or worker may be anywhere, and have done anything.
  context.on('page', () => mark(lent))
  context.on('serviceworker', () => mark(lent))
  watch(lent)
  return lent
}

function mark(lent: Lent): void {
  lent.marked = true
}

/** The page as a window has it: whatever isn’t known to leave nothing behind keeps it from being lent again. */
function guarded(lent: Lent): { proxy: Page; revoke(): void } {
  const part = <Part extends object>(of: Part, harmless: ReadonlySet<string>, parts: object = {}) =>
    Proxy.revocable(of, {
      get(target, name) {
        if (name in parts) return parts[name as keyof typeof parts]
        if (OF_EARLIER_WINDOWS.test(String(name))) throw new Error('it would tell of earlier windows as well')
        if (typeof name === 'string' && name in target && !harmless.has(name)) mark(lent)
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  const mouse = part(lent.bare.mouse, HARMLESS_MOUSE)
  const keyboard = part(lent.bare.keyboard, HARMLESS_KEYBOARD)
  const page = part(lent.bare, HARMLESS_PAGE, { mouse: mouse.proxy, keyboard: keyboard.proxy })
  return {
    proxy: page.proxy,
    revoke() {
      for (const one of [mouse, keyboard, page]) one.revoke()
    },
  }
}

/** Marks it once it was elsewhere, or the browser keeps an answer that isn’t everybody’s. */
function watch(lent: Lent): void {
  const { bare, origin } = lent
  bare.on('framenavigated', (frame) => {
    const url = frame.url()
    if (url.startsWith('http') && new URL(url).origin !== origin) mark(lent)
  })
  bare.on('response', (response) => {
    const { origin: from, pathname, protocol } = new URL(response.url())
    if (!protocol.startsWith('http') || (from === origin && EVERYBODYS.test(pathname))) return
    if (!/no-store/.test(response.headers()['cache-control'] ?? '')) mark(lent)
  })
}

/** Ends what the page does, its requests and connection as well; answers whether it is quiet. */
async function leave(lent: Lent): Promise<boolean> {
  const { bare } = lent
  const listened = (bare as unknown as EventEmitter).eventNames() as 'load'[]
  // The driver itself listens to a page’s end.
  for (const event of listened.filter((name) => !/^(close|crash)$/.test(name))) bare.removeAllListeners(event)
  watch(lent)
  await bare.unrouteAll({ behavior: 'ignoreErrors' })
  const response = await bare.goto(QUIET_PATH)
  // Where it was last, something of the next person’s would be hovered.
  await bare.mouse.move(0, 0)
  return response?.ok() ?? false
}

/** Removes what earlier windows left, now that nothing of theirs runs anymore. */
async function forgetOthers({ bare, devTools, origin }: Lent, options: BrowserContextOptions): Promise<void> {
  // First what this process holds of it: it hears of the rest a moment later.
  await bare.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    window.name = ''
  })
  await Promise.all([
    devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    bare.context().clearCookies(),
    bare.setViewportSize(options.viewport ?? { width: 0, height: 0 }),
    bare.emulateMedia({
      colorScheme: options.colorScheme ?? null,
      reducedMotion: options.reducedMotion ?? null,
      contrast: null,
      forcedColors: null,
      media: null,
    }),
  ])
}

/** What was out before any of the tests that run now. */
let before = new Set<Page>()
let tests = 0

/** Tells that a test starts, alone or beside others. */
export function testStarts(): void {
  if (tests++ === 0) before = new Set(out.keys())
}

/** Gives back what was lent in the test, or in those that ran at once. */
export async function testEnds(): Promise<void> {
  if (--tests === 0) await giveBackAll([...out.keys()].filter((page) => !before.has(page)))
}

/** Gives back what is still out. */
export async function giveBackAll(pages = [...out.keys()]): Promise<void> {
  await Promise.all(pages.map(giveBack))
}
