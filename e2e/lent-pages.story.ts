import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { openWindow, PHONE, type Window } from './window.ts'

let server: Server
let origin: string
let browser: StoryBrowser

const DOCUMENT = '<!doctype html><h1>Here</h1><button style="position:fixed;inset:20px">All over</button>'

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const type = pathname === '/worker.js' ? 'text/javascript' : 'text/html'
    const cache = pathname === '/kept' ? 'private, max-age=300' : 'no-store'
    response.writeHead(200, {
      'content-type': type,
      'cache-control': cache,
      'set-cookie': 'seen=1; HttpOnly',
    })
    response.end(type === 'text/html' ? DOCUMENT : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
})

/** Whose page it is in truth: what a window has as its page is the window’s alone. */
const frameOf = ({ page }: Window) => page.mainFrame()

test('nothing that a window left in its page is there in the next one', async () => {
  const first = await openWindow(browser, origin, { person: { token: 'theirs' } })
  const { page } = first
  const frame = frameOf(first)
  const heard: string[] = []
  page.on('request', (request) => heard.push(request.url()))
  page.on('dialog', (dialog) => dialog.dismiss())
  await page.goto('/')
  await page.evaluate(leavesEverything)
  await page.route('**/two', (route) => route.abort())
  await page.setViewportSize(PHONE)
  await page.emulateMedia({
    media: 'print',
    colorScheme: 'light',
    reducedMotion: 'no-preference',
    contrast: 'more',
    forcedColors: 'active',
  })
  expect(await looksOf(page)).toEqual({
    print: true,
    dark: false,
    still: false,
    contrast: true,
    forced: true,
  })
  await page.getByRole('button').click({ position: { x: 90, y: 90 } })
  await page.request.get(origin.replace('localhost', '127.0.0.1'))
  await first.close()
  expect(() => page.url(), 'the first window can do nothing to it anymore').toThrow()
  const heardUntilThen = heard.length

  const next = await openWindow(browser, origin)
  expect(await next.page.evaluate(() => localStorage.length), 'from the start').toBe(0)
  expect(frameOf(next), 'it is the same page').toBe(frame)
  const fresh = await openWindow(await openBrowser({ fresh: true }), origin)
  expect(await foundIn(next)).toEqual(await foundIn(fresh))
  expect(heard.length, 'nobody listens to it anymore').toBe(heardUntilThen)
  const status = await next.page.evaluate(() => fetch('/two').then((answer) => answer.status))
  expect(status, 'nobody holds its requests up').toBe(200)
  await Promise.all([next.close(), fresh.close()])
})

/** All that a browser lets a page keep, in the page. */
async function leavesEverything(): Promise<void> {
  localStorage.setItem('left', 'theirs')
  sessionStorage.setItem('left', 'theirs')
  // biome-ignore lint/suspicious/noDocumentCookie: as a page does
  document.cookie = 'left=theirs; path=/; max-age=1000'
  window.name = 'theirs'
  history.pushState({}, '', '/one')
  history.pushState({}, '', '/two')
  await (await caches.open('left')).put('/left', new Response('theirs'))
  await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true })
  await new Promise((resolve) => {
    indexedDB.open('left').onsuccess = resolve
  })
  window.addEventListener('beforeunload', (event) => event.preventDefault())
}

/** What is there when a window opens its first document, before anything was done. */
async function foundIn({ page }: Window) {
  await page.goto('/')
  const found = await page.evaluate(async () => ({
    stored: [{ ...localStorage }, { ...sessionStorage }],
    cookies: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    files: await (await navigator.storage.getDirectory()).keys().next(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    name: window.name,
    history: history.length,
    size: [innerWidth, innerHeight, screen.width, devicePixelRatio, visualViewport?.scale, scrollY],
    hovered: document.querySelectorAll('button:hover').length,
    focused: document.activeElement?.tagName,
    touched: navigator.userActivation.hasBeenActive,
    mayPlay: new AudioContext().state,
    time: [new Date().getTimezoneOffset(), navigator.language, navigator.onLine],
    permissions: (await navigator.permissions.query({ name: 'notifications' })).state,
    referrer: document.referrer,
  }))
  const cookies = (await page.request.storageState()).cookies.map(({ name, value }) => `${name}=${value}`)
  return { ...found, looks: await looksOf(page), driver: page.viewportSize(), cookies }
}

const looksOf = (page: Page) =>
  page.evaluate(() => ({
    print: matchMedia('print').matches,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
    contrast: matchMedia('(prefers-contrast: more)').matches,
    forced: matchMedia('(forced-colors: active)').matches,
  }))

const LASTING: [what: string, done: (window: Window) => unknown][] = [
  ['a script in each document', ({ page }) => page.addInitScript('self.left = 1')],
  ['a function of ours', ({ page }) => page.exposeFunction('left', () => {})],
  ['a clock', ({ page }) => page.clock.setFixedTime(0)],
  ['headers', ({ page }) => page.setExtraHTTPHeaders({ left: '1' })],
  ['a patience', ({ page }) => page.setDefaultTimeout(1)],
  ['a key held down', ({ page }) => page.keyboard.down('Shift')],
  ['a button held down', ({ page }) => page.mouse.down()],
  ['all that can be done through the context', ({ context }) => context.grantPermissions(['geolocation'])],
  ['a worker that stays', ({ page }) => page.evaluate(() => navigator.serviceWorker.register('/worker.js'))],
  [
    'an answer that the browser keeps',
    ({ page }) => page.evaluate(() => fetch('/kept').then((answer) => answer.text())),
  ],
  [
    'another tab',
    ({ page }) => Promise.all([page.waitForEvent('popup'), page.evaluate(() => void open('/two'))]),
  ],
  [
    'another origin',
    ({ page }) => page.goto(origin.replace('localhost', '127.0.0.1')).then(() => page.evaluate(() => 1)),
  ],
  ['another origin in a frame', ({ page }) => page.evaluate(framesAnother)],
]

/** Runs in the page. */
function framesAnother(): Promise<unknown> {
  const frame = document.createElement('iframe')
  frame.src = location.origin.replace('localhost', '127.0.0.1')
  const loaded = new Promise((resolve) => {
    frame.onload = resolve
  })
  document.body.append(frame)
  return loaded
}

test.for(LASTING)('a page isn’t lent again after %s', async ([, done]) => {
  const first = await openWindow(browser, origin)
  const frame = frameOf(first)
  await first.page.goto('/')
  await done(first)
  await first.close()
  const next = await openWindow(browser, origin)
  expect(frameOf(next)).not.toBe(frame)
  await next.close()
})

test('a page is lent only for the same settings, and never to who wants a browser that was never here', async () => {
  const first = await openWindow(browser, origin)
  const frame = frameOf(first)
  await first.close()
  const others = [
    await openWindow(browser, origin, { phone: true }),
    await openWindow(browser, origin, { viewport: PHONE }),
    await openWindow(browser, origin, { scheme: 'light' }),
    await openWindow(browser, origin, { timeZone: 'America/Denver' }),
    await openWindow(browser, origin.replace('localhost', '127.0.0.1')),
    await openWindow(browser, origin, { ageConfirmed: false }),
    await openWindow(await openBrowser({ fresh: true }), origin),
  ]
  for (const other of others) expect(frameOf(other)).not.toBe(frame)
  const next = await openWindow(browser, origin)
  expect(frameOf(next)).toBe(frame)
  await Promise.all([...others, next].map((window) => window.close()))
})

test('what the driver remembers of a page can’t be asked for', async () => {
  const window = await openWindow(browser, origin)
  expect(() => window.page.consoleMessages()).toThrow('earlier windows')
  await window.close()
})
