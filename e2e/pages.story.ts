import { execFile } from 'node:child_process'
import { join as joinPath } from 'node:path'
import { promisify } from 'node:util'
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGES } from '../contract/pages.ts'
import { launchBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { join, logIn, type Person, signUp } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

const ROLES = ['visitor', 'unverified', 'fan', 'creator', 'superadmin'] as const
type Role = (typeof ROLES)[number]

let database: StoryDatabase
let fanfare: Fanfare
let browser: Browser
let shop: Shop
let people: Record<Exclude<Role, 'visitor'>, Pick<Person, 'token'>>

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), launchBrowser()])
  const { origin } = fanfare
  shop = await openShop(origin)
  people = {
    unverified: await signUp(origin, 'fan'),
    fan: await join(origin, 'fan'),
    creator: await join(origin, 'creator'),
    superadmin: await promoted(shop.creator),
  }
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** The shop's creator with the operator's tools: sees the most there is to see of every page. */
async function promoted(person: Person): Promise<{ token: string }> {
  const main = joinPath(import.meta.dirname, '..', 'main.ts')
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
    recipientId: shop.creator.id,
    subreddit: 'pictures',
  }
  return page.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'a0b1c2')
}

const FOR_VISITORS = ['/login', '/signup']
const NEEDS_LOG_IN: Record<string, string> = {
  '/users/:username/buy': '/login',
  '/yourcontent': '/login',
  '/editsrinfo/:subreddit': '/login',
  '/editusersrinfo/:subreddit': '/login',
  '/customs': '/',
  '/searchusers': '/',
  '/searchfans': '/',
  '/dashboard/how-to-use': '/how-to-use',
  '/dashboard/chat/:recipientId': '/signup',
}
/** Pages of the dashboard that are not for creators alone (core §2, §6). */
const FOR_EVERYBODY = [
  '/dashboard',
  '/dashboard/edit',
  '/dashboard/following',
  '/dashboard/earnings',
  '/dashboard/how-to-use',
  '/dashboard/sharedrefs',
  '/dashboard/chats',
  '/dashboard/chat/:recipientId',
  '/dashboard/uploadbulk',
  '/dashboard/uploadsingle',
  '/dashboard/manage',
  '/dashboard/edit/media/:mediaId',
]
const FOR_SUPERADMINS = ['/searchfans', '/dashboard/metadata', '/dashboard/managesubreddits']
const OPEN_TO_UNVERIFIED = ['/dashboard/edit']
const NO_ACCESS = 'you do not have access to this page'
const VERIFY = 'Please verify your email'

/** Where the page leads this role, and the heading or text that it finds there when that is not the page itself. */
function landing(page: string, role: Role): { page: string; instead?: string } {
  const inDashboard = page.startsWith('/dashboard')
  if (role === 'visitor') {
    return { page: NEEDS_LOG_IN[page] ?? (inDashboard ? '/login' : page) }
  }
  const target = FOR_VISITORS.includes(page) ? '/dashboard' : page
  const guarded = target.startsWith('/dashboard') || NEEDS_LOG_IN[target] !== undefined
  if (!guarded || role === 'superadmin') return { page: target }
  if (role === 'unverified') {
    return OPEN_TO_UNVERIFIED.includes(target) ? { page: target } : { page: target, instead: VERIFY }
  }
  if (FOR_SUPERADMINS.includes(target)) return { page: target, instead: NO_ACCESS }
  const forCreators = target.startsWith('/dashboard') && !FOR_EVERYBODY.includes(target)
  if (role === 'fan' && forCreators) return { page: target, instead: NO_ACCESS }
  const othersOwn = /^\/dashboard\/edit\/(subscription|bundle|media)\//.test(target)
  return othersOwn ? { page: target, instead: NO_ACCESS } : { page: target }
}

async function overflow({ page }: Window): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}

describe('every page', () => {
  test.concurrent.each(ROLES)('leads a %s where its guard says, whole and without complaint', async (role) => {
    const window = await openWindow(browser, fanfare.origin, {
      ...(role === 'visitor' ? {} : { person: people[role] }),
      viewport: PHONE,
    })
    const wrong: string[] = []
    for (const path of PAGES) {
      const expected = landing(path, role)
      const { page } = window
      const status = await window.open(addressOf(path))
      const found = new URL(page.url()).pathname
      const says = async (text: string) => (await page.getByText(text).count()) > 0
      if (status !== 200) wrong.push(`${path}: status ${status}`)
      if (found !== addressOf(expected.page)) wrong.push(`${path}: led to ${found}`)
      for (const instead of [VERIFY, NO_ACCESS])
        if ((await says(instead)) !== (expected.instead === instead))
          wrong.push(`${path}: ${expected.instead === instead ? 'lacks' : 'has'} “${instead}”`)
      if (await overflow(window)) wrong.push(`${path}: wider than a phone`)
      await page.setViewportSize(DESK)
      if (await overflow(window)) wrong.push(`${path}: wider than a desk`)
      await page.setViewportSize(PHONE)
      wrong.push(...window.complaints().map((complaint) => `${path}: ${complaint}`))
    }
    await window.close()
    expect(wrong).toEqual([])
  })

  test('has nothing that shuts people out, dark on a phone and light on a desk', async () => {
    const wrong: string[] = []
    const walk = async (look: { viewport: typeof PHONE; scheme: 'dark' | 'light' }) => {
      const [visitor, richest] = await Promise.all([
        openWindow(browser, fanfare.origin, look),
        openWindow(browser, fanfare.origin, { ...look, person: people.superadmin }),
      ])
      for (const path of PAGES) {
        const window = FOR_VISITORS.includes(path) ? visitor : richest
        await window.open(addressOf(path))
        wrong.push(...(await barriers(window)).map((barrier) => `${path} ${look.scheme}: ${barrier}`))
      }
      await Promise.all([visitor.close(), richest.close()])
    }
    await Promise.all([
      walk({ viewport: PHONE, scheme: 'dark' }),
      walk({ viewport: DESK, scheme: 'light' }),
    ])
    expect(wrong).toEqual([])
  })
})

/** What axe-core finds on the page as it stands. */
async function barriers({ page }: Window): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
