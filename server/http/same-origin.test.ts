import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../contract/index.ts'
import type { Route } from '../../contract/route.ts'
import { buildUser, type Person } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'

// Security row 28: what a page of another origin sends changes nothing, whatever the browser adds to it.
let harness: Harness
let person: Person
beforeAll(async () => {
  harness = await startHarness()
  person = await buildUser(harness, { isCreator: true, role: 'superadmin' })
})
afterAll(() => harness?.stop())

const changing = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].method !== 'GET')
const send = async (route: Route, headers: Record<string, string>) => {
  const path = route.path.replace(/:\w+/g, 'x')
  const answer = await harness.api.as(person).send(route.method, path, { body: {}, headers })
  return { code: (answer.body as { code?: string }).code, cookies: answer.headers.getSetCookie() }
}
const elsewhere = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
]

describe.each(changing)('%s', (name) => {
  test('is refused from another origin, a valid session notwithstanding, and sets no cookie', async () => {
    for (const headers of elsewhere)
      expect(await send(routes[name], headers), JSON.stringify(headers)).toEqual({
        code: 'other_origin',
        cookies: [],
      })
  })
})

test('is taken from our own pages and from programs', async () => {
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: harness.origin },
  ])
    expect((await send(routes.confirmAge, headers as Record<string, string>)).code).toBeUndefined()
})

test('no call of any method lets another origin read its answer', async () => {
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const answer = await fetch(`${harness.origin}/api/config`, {
      method,
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
    })
    expect([...answer.headers.keys()].filter((header) => header.startsWith('access-control-'))).toEqual([])
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
})
