import type { Locator, Page, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser({ fresh: true })])
  shop = await openShop(fanfare.origin)
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

async function buys(fan: Person, kind: 'single' | 'bundle', itemId: string): Promise<void> {
  const token = await cardToken({ sandboxOrigin: fanfare.origin })
  const key = { idempotencyKey: crypto.randomUUID() }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body: { kind, itemId, ...token } }, key)
}

const bell = ({ page }: Window, name: string) => page.getByRole('button', { name, exact: true })

test('a creator hears of a sale at once, on both of their screens, and chooses what else reaches them', async () => {
  const { creator } = shop
  const fan = await joins(fanfare.origin, 'fan')
  await apiOf(fanfare.origin, creator).call(routes.readNotifications, { body: {} })
  const desk = await openWindow(browser, fanfare.origin, { person: creator })
  const phone = await openWindow(browser, fanfare.origin, { person: creator, phone: true })
  // Pages of messages connect at once.
  for (const window of [desk, phone]) await window.open('/dashboard/chats')
  await bell(desk, 'Notifications').waitFor()
  await buys(fan, 'single', shop.single)
  await bell(desk, 'Notifications, 1 unread').click()
  const panel = desk.page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByText(`${fan.username} bought “Morning light” for $4.50.`).waitFor()
  await phone.page.getByRole('link', { name: 'Notifications, 1 unread' }).click()
  await phone.sees(`${fan.username} bought “Morning light” for $4.50.`)

  await panel.getByRole('link', { name: /Morning light/ }).click()
  await desk.page.getByRole('heading', { level: 1, name: 'Earnings' }).waitFor()
  await panel.waitFor({ state: 'hidden' })
  await bell(desk, 'Notifications').waitFor()
  const phoneBell = phone.page.getByRole('link', { name: 'Notifications', exact: true })
  await phoneBell.waitFor()
  // On a touch screen what was tapped doesn't stay lit.
  for (const tapped of [
    phoneBell,
    phone.page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }),
  ]) {
    await phone.page.mouse.move(0, 0)
    const before = await lookOf(tapped)
    await tapped.hover()
    expect(await tapped.evaluate((link) => link.matches(':hover'))).toBe(true)
    expect(await lookOf(tapped)).toEqual(before)
  }

  await desk.open('/dashboard/notifications/settings')
  const email = desk.page.getByLabel('Email about followers')
  await email.selectOption('Off')
  await desk.page.getByRole('switch', { name: 'Set quiet hours' }).click()
  await desk.page.getByLabel('From').waitFor()
  await waitUntil(async () => {
    const { topics, quietHours } = await apiOf(fanfare.origin, creator).call(routes.notificationSettings, {})
    return topics.some((one) => one.topic === 'followers' && one.email === 'off') && quietHours !== null
  })
  await desk.open('/dashboard/notifications/settings')
  expect(await email.inputValue()).toBe('off')
  // What guards the account has no choice.
  expect(await desk.page.getByLabel('Email about security').count()).toBe(0)
  expect([...desk.complaints(), ...phone.complaints()]).toEqual([])
  await Promise.all([desk.close(), phone.close()])
})

const lookOf = (link: Locator) =>
  link.evaluate((element) => {
    const { backgroundColor, color, textDecorationLine } = getComputedStyle(element)
    return { backgroundColor, color, textDecorationLine }
  })

/** Delivers like a push service to the browser in which this page is open. */
async function pushService(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted)
      if (found) resolve(found.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  return async (data: { title: string; path: string; tag: string; kind: string }) =>
    cdp.send('ServiceWorker.deliverPushMessage', {
      origin: fanfare.origin,
      registrationId: await registered,
      data: JSON.stringify(data),
    })
}

/** As in a browser in which this person turned on push before. */
const turnedOnPush = ({ context }: Window, person: Person) =>
  context.addInitScript((id) => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    // A private window refuses as well, and complains.
    PushManager.prototype.subscribe = () => Promise.reject(new DOMException('private', 'NotAllowedError'))
    localStorage.setItem('pushFor', id)
  }, person.id)

/**
 * A browser without a screen shows no notification, and nobody can click one: what the worker would have it show, focus, and
 * open is kept instead.
 */
async function watched(worker: Worker) {
  await worker.evaluate(() => {
    const done: string[] = []
    const scope = self as unknown as Record<'registration' | 'clients', object> & { done: string[] }
    scope.done = done
    Object.assign(scope.registration, {
      showNotification: async (title: string, { data }: { data: { path: string } }) =>
        void done.push(`shows ${title}: ${data.path}`),
    })
    Object.assign(scope.clients, { openWindow: async (url: string) => void done.push(`opens ${url}`) })
    Object.assign((self as unknown as { WindowClient: { prototype: object } }).WindowClient.prototype, {
      focus: async () => void done.push('focuses a tab'),
    })
  })
  return {
    /** What was done since the last look. */
    done: () => worker.evaluate(() => (self as unknown as { done: string[] }).done.splice(0)),
    click: (path: string) =>
      worker.evaluate(async (to) => {
        const click = new Event('notificationclick')
        const after = new Promise((resolve) =>
          Object.assign(click, { notification: { close() {}, data: { path: to } }, waitUntil: resolve }),
        )
        dispatchEvent(click)
        await after
      }, path),
  }
}

test('what a push service delivers while no page is open is shown, and a click leads to its page', async () => {
  const person = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person })
  await turnedOnPush(window, person)
  await window.open('/dashboard/notifications/settings')
  await window.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const [worker] = window.context.serviceWorkers()
  if (!worker) throw new Error('the worker does not run')
  const { done, click } = await watched(worker)
  await window.page.getByRole('link', { name: 'All notifications' }).click()
  await window.page.waitForURL('/dashboard/notifications')
  await window.settled()
  await click('/dashboard/privacy')
  await click('/dashboard/notifications/settings')
  await click('/dashboard/notifications')
  expect(await done()).toEqual([
    `opens ${fanfare.origin}/dashboard/privacy`,
    `opens ${fanfare.origin}/dashboard/notifications/settings`,
    'focuses a tab',
  ])
  expect(new URL(window.page.url()).pathname).toBe('/dashboard/notifications')
  await click('https://elsewhere.example/')
  expect(await done()).toEqual([])

  const deliver = await pushService(await window.context.newPage())
  await window.page.close()
  await deliver({ title: 'New message', path: '/dashboard/chats', tag: 'm-1', kind: 'message.received' })
  const seen: string[] = []
  await waitUntil(async () => seen.push(...(await done())) > 0)
  await click('/dashboard/chats')
  expect([...seen, ...(await done())]).toEqual([
    'shows New message: /dashboard/chats',
    `opens ${fanfare.origin}/dashboard/chats`,
  ])
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('what a push service delivers while a page is in sight is shown by the page', async () => {
  const person = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person, timeZone: 'America/Denver' })
  await window.open('/dashboard/notifications/settings')
  await window.sees(
    'Daily emails come at 9 AM, and weekly emails on Mondays at 9 AM. Times are in America/Denver.',
  )
  // A browser without a screen blocks notifications for good, and the page says what to do about it.
  await window.sees('You blocked notifications from this site.')
  await turnedOnPush(window, person)
  const deliver = await pushService(window.page)
  await window.open('/dashboard/notifications/settings')
  await bell(window, 'Notifications').waitFor()
  await window.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  // What it missed before its connection stood it asks for by itself.
  const online = () => database.query('select from online_people where user_id = $1', [person.id])
  await waitUntil(async () => (await online()).length > 0)
  const { timeZone } = await apiOf(fanfare.origin, person).call(routes.notificationSettings, {})
  expect(timeZone).toBe('America/Denver')
  await window.settled()
  // Told without a word to the page.
  await database.query(
    `insert into notifications (user_id, kind, data, created_at) values ($1, 'export.ready', '{}', now())`,
    [person.id],
  )
  const data = {
    title: 'Your data is ready',
    path: '/dashboard/privacy',
    tag: 'security',
    kind: 'export.ready',
  }
  await deliver(data)
  await bell(window, 'Notifications, 1 unread').waitFor()
  const shown = await window.page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration()
    return (await worker?.getNotifications())?.length
  })
  expect(shown).toBe(0)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('the app can be installed under the brand’s name, and its worker is never kept', async () => {
  const manifest = await fetch(`${fanfare.origin}/manifest.webmanifest`)
  const { name, icons } = (await manifest.json()) as { name: string; icons: { src: string; type: string }[] }
  expect([name, manifest.headers.get('content-type')]).toEqual([
    'Fanfare',
    'application/manifest+json; charset=utf-8',
  ])
  for (const { src, type } of [...icons, { src: '/apple-touch-icon.png', type: 'image/png' }]) {
    const icon = await fetch(fanfare.origin + src)
    expect([icon.status, icon.headers.get('content-type')], src).toEqual([200, type])
  }
  const worker = await fetch(`${fanfare.origin}/service-worker.js`)
  expect([worker.status, worker.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  // Its own policy lets it load the icon of what it shows, and call the server.
  expect(worker.headers.get('content-security-policy')).toBe(
    "default-src 'none'; img-src 'self'; connect-src 'self'",
  )
})
