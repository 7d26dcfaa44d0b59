import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { PAGES } from '../contract/pages.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { badFirstLook, keepFirstLook, misplaced, scriptBytes } from './first-load.ts'
import {
  applyLook,
  axeViolations,
  faintEdges,
  type Look,
  overflows,
  savePictures,
  smallTargets,
} from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins, logIn, type Person, signUp } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

const ROLES = ['visitor', 'unverified', 'fan', 'creator', 'superadmin'] as const
type Role = (typeof ROLES)[number]

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop
let offerId: string
let transactionId: string
let recipientId: string
let promotion: { redditPostId: string; listId: string; subreddit: string }
let people: Record<Exclude<Role, 'visitor'>, Pick<Person, 'token'>>

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser({ fresh: true })])
  const { origin } = fanfare
  shop = await openShop(origin)
  offerId = await offersTrial(origin, shop)
  transactionId = await subscribed(await joins(origin, 'fan'))
  recipientId = (await joins(origin, 'creator')).id
  promotion = await promotes(origin, shop)
  people = {
    unverified: await signUp(origin, 'fan'),
    fan: await joins(origin, 'fan'),
    creator: await joins(origin, 'creator'),
    superadmin: await promoted(shop.creator),
  }
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** An offer of the shop's for everyone. */
async function offersTrial(origin: string, { creator, subscription }: Shop): Promise<string> {
  const body = { offerType: 'freeTrial' as const, subscription }
  const key = { idempotencyKey: crypto.randomUUID() }
  return (await apiOf(origin, creator).call(routes.createOffer, { body }, key))._id
}

/** A post of the shop's for a subreddit, and a list with it. */
async function promotes(origin: string, { creator }: Shop): Promise<typeof promotion> {
  const api = apiOf(origin, creator)
  const subreddit = 'Gardens'
  const post = { titles: ['A title'], comment: 'Hello', link: 'quietlake' }
  const { _id: redditPostId } = await api.call(routes.createPost, { body: post })
  const body = { usableSubreddits: [subreddit] }
  await api.call(routes.editPost, { params: { redditPostId }, body })
  const { _id: listId } = await api.call(routes.createSubredditList, { body: { title: 'working' } })
  const list = { listId, title: 'working', subreddits: [subreddit], removeFromSearch: false }
  await api.call(routes.updateSubredditList, { body: list })
  await api.call(routes.updateVerification, { body: { srName: subreddit, status: 'pending' } })
  return { redditPostId, listId, subreddit }
}

/** Somebody's first month of the shop's subscription. */
async function subscribed(fan: Person): Promise<string> {
  const token = await cardToken({ sandboxOrigin: fanfare.origin })
  const body = { kind: 'subscription' as const, itemId: shop.subscription, ...token }
  const key = { idempotencyKey: crypto.randomUUID() }
  return (await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key))._id
}

/** The shop's creator with the operator's tools: sees the most there is to see of every page. */
async function promoted(person: Person): Promise<{ token: string }> {
  const main = join(import.meta.dirname, '..', 'main.ts')
  const { email, username, password } = person
  const command = [main, 'admin', 'create-superadmin', '--email', email, '--username', username]
  await promisify(execFile)(process.execPath, [...command, '--password', password], {
    env: { ...process.env, ...database.environment, DATA_DIR: fanfare.dataDir },
  })
  return { token: await logIn(fanfare.origin, person) }
}

function addressOf(page: string): string {
  const values: Record<string, string> = {
    username: shop.creator.username,
    mediaId: shop.single,
    subscriptionId: shop.subscription,
    bundleId: shop.bundle,
    offerId,
    transactionId,
    recipientId,
    ...promotion,
  }
  return page.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'a0b1c2')
}

const PHONE_IN_THE_DARK: Look = { viewport: PHONE, colorScheme: 'dark' }
const DESK_IN_THE_LIGHT: Look = { viewport: DESK, colorScheme: 'light' }

const FOR_VISITORS = ['/login', '/signup']
const NEEDS_LOG_IN: Record<string, string> = {
  '/tokenconfirmation': '/login',
  '/editsrinfo/:subreddit': '/login',
  '/editusersrinfo/:subreddit': '/login',
  '/users/:username/buy': '/login',
  '/yourcontent': '/login',
  '/searchusers': '/',
  '/searchfans': '/',
  '/books': '/login',
  '/customs': '/',
  '/dashboard/how-to-use': '/how-to-use',
  '/dashboard/chat/:recipientId': '/signup',
}
/** Of one page of each guard, those of the dashboard that are not for creators alone (docs/product.md, Pages and Access). */
const FOR_EVERYBODY = [
  '/dashboard',
  '/dashboard/edit',
  '/dashboard/security',
  '/dashboard/how-to-use',
  '/dashboard/edit/media/:mediaId',
  '/dashboard/chat/:recipientId',
]
const FOR_SUPERADMINS = ['/dashboard/payouts', '/searchfans', '/books']
const OPEN_TO_UNVERIFIED = ['/dashboard/edit']
/** Pages without a guard that still look different to different people. */
const SHOWS_WHO_LOOKS = [
  '/',
  '/login',
  '/signup',
  '/discover',
  '/users/:username',
  '/users/:username/offers/:offerId',
  '/media/:mediaId',
  '/restricted',
]
/** One page of each kind of guard; `client/app/guards.test.tsx` says which page has which. */
const ONE_OF_EACH_GUARD = [
  '/dashboard',
  '/dashboard/edit',
  '/dashboard/security',
  '/dashboard/how-to-use',
  '/dashboard/chat/:recipientId',
  '/dashboard/offers',
  '/dashboard/edit/media/:mediaId',
  '/dashboard/edit/bundle/:bundleId',
  '/dashboard/edit/subscription/:subscriptionId',
  '/dashboard/payouts',
  '/users/:username/buy',
  '/customs',
  '/searchfans',
]
/** Whose pages are looked at closely: of those that look different to others, theirs too. */
const LOOKED_AT_BY: Partial<Record<Role, readonly string[]>> = {
  superadmin: PAGES.filter((page) => !FOR_VISITORS.includes(page)),
  visitor: ['/', ...FOR_VISITORS],
  fan: ['/dashboard'],
}
/** Pages that one test opens: few enough for a slow machine. */
const PAGES_PER_TOUR = 12
const NO_ACCESS = 'you do not have access to this page'
const VERIFY = 'Please verify your email'

/** A superadmin opens all pages, a visitor all that are theirs; the others what depends on who looks. */
function pagesFor(role: Role): readonly string[] {
  if (role === 'superadmin') return PAGES
  return PAGES.filter(
    (page) =>
      ONE_OF_EACH_GUARD.includes(page) ||
      (role === 'visitor' ? !isGuarded(page) : SHOWS_WHO_LOOKS.includes(page)),
  )
}

const tours = ROLES.flatMap((role) => {
  const pages = pagesFor(role)
  const parts = Math.ceil(pages.length / PAGES_PER_TOUR)
  return Array.from({ length: parts }, (_, part) => ({
    role,
    pages: pages.slice(part * PAGES_PER_TOUR, (part + 1) * PAGES_PER_TOUR),
    name: parts === 1 ? role : `${role} (${part + 1} of ${parts})`,
  }))
})

function isGuarded(page: string): boolean {
  return page.startsWith('/dashboard') || NEEDS_LOG_IN[page] !== undefined
}

/** Where the page leads this role, and the heading or text that it finds there when that is not the page itself. */
function landing(page: string, role: Role): { page: string; instead?: string } {
  // The link of no post leads home.
  if (page === '/go/:code') return { page: '/' }
  const inDashboard = page.startsWith('/dashboard')
  if (role === 'visitor') {
    return { page: NEEDS_LOG_IN[page] ?? (inDashboard ? '/login' : page) }
  }
  const target = FOR_VISITORS.includes(page) ? '/dashboard' : page
  if (!isGuarded(target) || role === 'superadmin') return { page: target }
  if (role === 'unverified') {
    return OPEN_TO_UNVERIFIED.includes(target) ? { page: target } : { page: target, instead: VERIFY }
  }
  if (FOR_SUPERADMINS.includes(target)) return { page: target, instead: NO_ACCESS }
  const forCreators = target.startsWith('/dashboard') && !FOR_EVERYBODY.includes(target)
  if (role === 'fan' && forCreators) return { page: target, instead: NO_ACCESS }
  const othersOwn = /^\/dashboard\/edit\/(subscription|bundle|media)\//.test(target)
  return othersOwn ? { page: target, instead: NO_ACCESS } : { page: target }
}

/** The most bytes of scripts that a page's first load takes on the wire (Brotli), whoever opens it. */
const FOR_EVERYBODY_LIMIT = 130_000
const FOR_ONES_OWN_LIMIT = 220_000
const OTHER_LIMITS: Record<string, number> = {
  '/contact': FOR_ONES_OWN_LIMIT,
  // Nothing on it is filled in.
  '/dashboard': 180_000,
  // Its connection included.
  '/dashboard/chat/:recipientId': 205_000,
}

const limitOf = (page: string) =>
  OTHER_LIMITS[page] ?? (isGuarded(page) ? FOR_ONES_OWN_LIMIT : FOR_EVERYBODY_LIMIT)

/** What is wrong with how much the page brought, in words. */
async function overBudget(window: Window, path: string): Promise<string[]> {
  const bytes = await scriptBytes(window)
  // Less than the entry alone: nothing was measured.
  if (bytes < 50_000) return [`${bytes} bytes of scripts`]
  const limit = limitOf(path)
  return bytes > limit ? [`${bytes} bytes of scripts, at most ${limit} wanted`] : []
}

/** Whether it is looked at from here what this role finds: what many addresses lead to is looked at once. */
function looksFrom(path: string, role: Role): boolean {
  const shownBy = (other: string) => {
    const { page, instead } = landing(other, role)
    return instead ?? page
  }
  const pages = pagesFor(role)
  const shown = shownBy(path)
  const itself = pages.find((page) => page === shown && shownBy(page) === shown)
  return path === (itself ?? pages.find((page) => shownBy(page) === shown))
}

test.concurrent.each(tours)(
  'pages lead a $name where their guards say, whole and without complaint',
  async ({ role, pages }) => {
    const window = await openWindow(browser, fanfare.origin, {
      ...(role === 'visitor' ? {} : { person: people[role] }),
      viewport: PHONE,
    })
    await window.context.addInitScript(keepFirstLook)
    const wrong: string[] = []
    let looks = [PHONE_IN_THE_DARK, DESK_IN_THE_LIGHT]
    for (const path of pages) {
      const expected = landing(path, role)
      const status = await window.open(addressOf(path))
      const found = new URL(window.page.url()).pathname
      if (status !== 200) wrong.push(`${path}: status ${status}`)
      if (found !== addressOf(expected.page)) wrong.push(`${path}: led to ${found}`)
      for (const notice of [VERIFY, NO_ACCESS]) {
        const shown = (await window.page.getByText(notice).count()) > 0
        if (shown !== (expected.instead === notice))
          wrong.push(`${path}: ${shown ? 'has' : 'lacks'} “${notice}”`)
      }
      if (expected.page === path && !expected.instead) {
        const problems = role === 'visitor' ? await badFirstLook(window, path) : []
        wrong.push(...problems.map((problem) => `${path}: ${problem}`))
      }
      const looksClosely = LOOKED_AT_BY[role]?.includes(path)
      if (looksFrom(path, role)) {
        for (const look of looks) {
          await applyLook(window, look)
          const problems = [
            ...(await overflows(window)),
            ...(await misplaced(window)),
            ...(looksClosely ? [...(await axeViolations(window)), ...(await faintEdges(window))] : []),
            ...(looksClosely && look.viewport === PHONE ? await smallTargets(window) : []),
          ]
          wrong.push(...problems.map((problem) => `${path}, ${look.viewport.width} pixels: ${problem}`))
        }
        if (expected.page === path && !expected.instead) {
          // It was opened at one size and drawn at the other: what either needs is on its way or here.
          await window.settled()
          wrong.push(...(await overBudget(window, path)).map((problem) => `${path}: ${problem}`))
        }
        if (looksClosely) await savePictures(window, path.replaceAll(/[/:]+/g, '-').slice(1) || 'home')
        // The next page opens as this one was left: half of them are born on a phone, half on a desk.
        looks = looks.toReversed()
      }
      wrong.push(...complaintsOf(window, path).map((complaint) => `${path}: ${complaint}`))
    }
    await window.close()
    expect(wrong).toEqual([])
  },
)

test('an address that does not exist is a page that says so, with status 404', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const unknown = ['/nothing-here', '/dashboard/nothing', '/users', '/media/one/two']
  for (const path of unknown) {
    expect(await window.open(path), path).toBe(404)
    await window.sees('We couldn’t find this page')
  }
  await window.close()
})

test('the document of every page names the scripts of that page, so that they need not wait for the first', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: people.superadmin })
  // Documents know by a cookie that they need no age gate first.
  await window.open('/dashboard')
  const without = []
  for (const page of PAGES) {
    const document = await window.page.request.get(`${fanfare.origin}${addressOf(page)}`)
    if (!(await document.text()).includes('rel="modulepreload"')) without.push(page)
  }
  await window.close()
  expect(without).toEqual([])
})

test.each([
  ['/dashboard/fans', '?show=fans', 'Lists and note'],
  ['/dashboard/mass-messages', '?compose=new', 'Who gets it'],
])('the first load of %s%s is within the budget of its page', async (path, query, text) => {
  const window = await openWindow(browser, fanfare.origin, { person: people.superadmin })
  await window.context.addInitScript(keepFirstLook)
  await window.open(path + query)
  expect(new URL(window.page.url()).pathname).toBe(path)
  await window.sees(text)
  expect(await overBudget(window, path)).toEqual([])
  await window.close()
})

test('on a page that takes a card only our own scripts and the gateway’s run', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: people.fan })
  const { page } = window
  const ran = new Set<string>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') ran.add(response.url())
  })
  await window.open(addressOf('/users/:username/buy'))
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await payByCard(page, CARDS.approved)
  await window.sees('Processed Transaction')

  const gateway = `${fanfare.origin}/sandbox/authorizenet/v1`
  const own = [...ran].filter((url) => !url.startsWith(gateway))
  expect(own.length).toBeGreaterThan(0)
  for (const url of own) expect(url).toMatch(new RegExp(`^${fanfare.origin}/assets/[\\w.-]+\\.js$`))
  expect([...ran].filter((url) => url.startsWith(gateway)).sort()).toEqual([
    `${gateway}/Accept.js`,
    `${gateway}/AcceptCore.js`,
  ])
  const inline = await page.evaluate(() => [...document.scripts].filter(({ src }) => src === '').length)
  expect(inline).toBe(0)
  expect(window.complaints()).toEqual([])
  await window.close()
})

/** Calls that are refused because these pages are opened without the token of a mail; browsers report that. */
const REFUSED: Record<string, RegExp> = {
  '/emailconfirmation': /status of 400 .*\/api\/users\/emailconfirmation/,
  '/resetconfirmed/:userId/:token': /status of 400 .*\/api\/auth\/resettoken/,
}

function complaintsOf(window: Window, path: string): string[] {
  return window.complaints().filter((complaint) => !REFUSED[path]?.test(complaint))
}
