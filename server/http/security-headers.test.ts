import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../contract/index.ts'
import { PAGES } from '../../contract/pages.ts'
import type { Route } from '../../contract/route.ts'
import { buildCreator, buildFan, buildMedia, buildSession, buildUser } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { send, validInput } from '../testing/inputs.ts'
import { insertPurchase } from '../testing/purchases.ts'

// Security row 29: made from the tables of calls and pages, so that a new one is covered the day it is declared.
let harness: Harness
let mediaId: string
beforeAll(async () => {
  harness = await startHarness({ publicUrl: 'https://fanfare.test' })
  mediaId = await buildMedia(harness, await buildCreator(harness), { mustUnlock: false, showInSearch: true })
})
afterAll(() => harness?.stop())

function expectProtected(headers: Headers, what: string): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy, what).toContain("default-src 'none'")
  expect(policy, what).toContain("frame-ancestors 'none'")
  expect(policy, what).toContain("base-uri 'none'")
  expect(policy, what).not.toMatch(/unsafe-|\*|data:/)
  expect(headers.get('strict-transport-security'), what).toMatch(/^max-age=(\d{8,}); includeSubDomains$/)
  expect(headers.get('x-content-type-options'), what).toBe('nosniff')
  expect(headers.get('x-frame-options'), what).toBe('DENY')
  expect(headers.get('referrer-policy'), what).toBe('strict-origin-when-cross-origin')
  expect(headers.get('cross-origin-opener-policy'), what).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy'), what).toBe('same-origin')
  expect(headers.get('content-type'), what).toMatch(/charset=utf-8|image\/webp|application\/(pdf|problem)/)
  expect(headers.get('server') ?? headers.get('x-powered-by'), what).toBeNull()
}

describe('every call', () => {
  test.each(Object.keys(routes) as RouteName[])('%s, answered or refused', async (name) => {
    const route: Route = routes[name]
    // Somebody of their own for every call, as some end the session or the account.
    const { id } = await buildUser(harness, { isCreator: true, role: 'superadmin' })
    const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
    const answered: unknown[] = []
    for (const api of [harness.api.visitor(), harness.api.as({ token })]) {
      const { headers, status, body } = await send(api, route, validInput(route, id))
      expectProtected(headers, `${name} ${status}`)
      expect(headers.get('cache-control'), name).toBe('private, no-store')
      answered.push((body as { code?: string } | undefined)?.code)
    }
    expect(answered.at(-1)).not.toBe('not_authenticated')
  })
})

describe('every page', () => {
  test.each([...PAGES, '/nothing-here'])('%s', async (page) => {
    const answer = await fetch(harness.origin + page.replace(/:\w+/g, 'x'))
    expectProtected(answer.headers, page)
    expect(answer.headers.get('content-security-policy')).toMatch(/style-src 'self' 'nonce-[\w+/=]{22,}'/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('has a nonce of its own each time', async () => {
    const nonce = async () => (await fetch(harness.origin)).headers.get('content-security-policy')
    expect(await nonce()).not.toBe(await nonce())
  })
})

test('pages run our own scripts alone; what takes cards is a document without origin that only they frame', async () => {
  const policyOf = async (path: string) =>
    Object.fromEntries(
      ((await fetch(harness.origin + path)).headers.get('content-security-policy') ?? '')
        .split('; ')
        .map((directive) => directive.split(/ (.*)/).slice(0, 2) as [string, string]),
    )
  const page = await policyOf('/discover')
  expect([page['script-src'], page['connect-src']]).toEqual(["'self'", "'self'"])
  const { headers } = await fetch(`${harness.origin}/card-frame`)
  const frame = await policyOf('/card-frame')
  const gateway = new URL(harness.context.payments.browser.scriptUrl)
  expect(frame).toEqual({
    sandbox: 'allow-scripts allow-forms',
    'default-src': "'none'",
    'script-src': `'self' https://fanfare.test/assets/ ${new URL('.', gateway).href}`,
    'style-src': "'self' https://fanfare.test/assets/",
    'font-src': "'self' https://fanfare.test/assets/",
    'connect-src': gateway.origin,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'self' https://fanfare.test",
  })
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(headers.get('cache-control')).toBe('no-store')
})

test.each([
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap/pages.xml',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/openapi.json',
  '/api/nothing',
  '/files/nothing',
  '/files/preview/nothing',
  '/assets/nothing.js',
  '/sandbox/nothing',
])('%s', async (path) => {
  expectProtected((await fetch(harness.origin + path)).headers, path)
})

test('a picture that is served', async () => {
  expectProtected((await fetch(`${harness.origin}/files/preview/${mediaId}`)).headers, 'preview')
})

test('a statement that is saved', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const now = harness.clock.now()
  const soldAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15))
  await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 1000, status: 'captured', created_at: soldAt },
  })
  const month = soldAt.toISOString().slice(0, 7)
  const { headers, status } = await harness.api.as(creator).send('GET', `/users/statements/${month}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expectProtected(headers, 'statement')
})

test.each([
  '/%',
  '//',
  '//[',
  '//elsewhere.example/x',
  '/api/%E0%A4%A',
  '/files/%',
  `/api/users/uid/${'x'.repeat(400)}`,
])('an address that can’t be read: %s', async (path) => {
  expectProtected(await headersOf(path), path.slice(0, 40))
})

/** The headers of an answer to a path exactly as written, which `fetch` would correct. */
function headersOf(path: string): Promise<Headers> {
  const { hostname, port } = new URL(harness.origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: fanfare.test\r\nConnection: close\r\n\r\n`)
    })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('end', () => {
      const lines = text.split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? []
      resolve(new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string])))
    })
  })
}
