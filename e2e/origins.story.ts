import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RouteName, routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { joins, type Person } from './people.ts'
import { staysUnconnected } from './updates.ts'
import { openWindow } from './window.ts'

// Security rows 20 and 28, in a real browser.
let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let fan: Person
let elsewhere: Server

beforeAll(async () => {
  database = await createStoryDatabase()
  elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Another site</title>')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser({ fresh: true })])
  fan = await joins(fanfare.origin, 'fan')
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
  elsewhere?.close()
})

/** Localhost is one site on every port, so that this page's requests carry our cookies; 127.0.0.1 is another site. */
const originOf = (host: string) => `http://${host}:${(elsewhere.address() as AddressInfo).port}`

/** Every row of the tables that a person's calls write. */
async function everything(): Promise<unknown> {
  const tables = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('rate_limits', 'sessions') order by 1",
  )
  const hashes = tables.map(
    ({ name }) => `(select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from "${name}" t)`,
  )
  return database.query(`select array_to_string(array[${hashes.join(', ')}], '') as hash`)
}

test.each(['localhost', '127.0.0.1'])(
  'a page of another origin at %s changes nothing and reads nothing',
  async (host) => {
    const window = await openWindow(browser, fanfare.origin, { person: fan })
    const { page } = window
    // Or it would be written down that they are online.
    await staysUnconnected(window)
    await window.open('/dashboard')
    const cookies = await window.context.cookies(fanfare.origin)
    expect(cookies.map(({ name }) => name)).toContain('media_viewer')
    const before = await everything()

    await page.goto(originOf(host))
    const changing = (Object.keys(routes) as RouteName[])
      .filter((name) => routes[name].method !== 'GET')
      .map((name) => ({
        method: routes[name].method,
        url: `${fanfare.origin}/api${routes[name].path.replace(/:\w+/g, fan.id)}`,
      }))
    expect(changing.length).toBeGreaterThan(20)
    const read = await page.evaluate(
      async ({ calls, body, reading }) => {
        const told: string[] = []
        const attempt = async (what: string, url: string, init: RequestInit) => {
          try {
            const answer = await fetch(url, { credentials: 'include', ...init })
            if (answer.type !== 'opaque') told.push(`${what} ${url}: ${answer.status}`)
          } catch {
            // What the browser refuses to hand over.
          }
        }
        for (const { method, url } of calls) {
          const simple = { method: 'POST', mode: 'no-cors' as const }
          if (method === 'POST') {
            await attempt('text', url, { ...simple, body, headers: { 'content-type': 'text/plain' } })
            await attempt('form', url, { ...simple, body: new URLSearchParams(JSON.parse(body)) })
            await attempt('nothing', url, simple)
          }
          await attempt('json', url, { method, body, headers: { 'content-type': 'application/json' } })
        }
        for (const url of reading) await attempt('read', url, {})
        return told
      },
      {
        calls: changing,
        body: JSON.stringify({ userId: fan.id, email: fan.email, password: fan.password }),
        reading: [
          `${fanfare.origin}/api/config`,
          `${fanfare.origin}/api/users/currentuser`,
          `${fanfare.origin}/discover`,
        ],
      },
    )
    expect(read).toEqual([])
    expect(await everything()).toEqual(before)
    expect(await window.context.cookies(fanfare.origin)).toEqual(cookies)
    await window.close()
  },
)

test('our pages can’t be framed by another site', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await window.page.goto(originOf('localhost'))
  const refused = window.page.waitForEvent('console', {
    predicate: (message) => /frame-ancestors|X-Frame-Options/i.test(message.text()),
  })
  await window.page.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
  }, `${fanfare.origin}/dashboard`)
  expect((await refused).text()).toContain(fanfare.origin)
  await window.close()
})

test.each([
  '//elsewhere.example/a',
  '/\\elsewhere.example',
  'https://elsewhere.example',
  'javascript:document.title="run"',
  '/\t/elsewhere.example',
])('the path after logging in stays on this site: %j', async (kept) => {
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  await window.open('/privacy')
  await page.evaluate((path) => localStorage.setItem('postLoginRedirect', path), kept)
  await window.open('/login')
  await page.waitForURL(`${fanfare.origin}/dashboard`)
  expect([...new Set(asked)]).toEqual([fanfare.origin])
  expect(await page.title()).not.toBe('run')
  await window.close()
})
