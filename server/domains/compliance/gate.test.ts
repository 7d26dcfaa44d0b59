import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../../contract/index.ts'
import type { Route } from '../../../contract/route.ts'
import { buildCreator, buildFan, buildUser, type Person } from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    environment: {
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
    },
  })
})
afterAll(() => harness?.stop())

const at = (country: string, region: string) => ({ headers: { 'x-country': country, 'x-region': region } })
const texas = at('US', 'Texas')
const oregon = at('US', 'OR')
const visitor = () => harness.api.visitor()
const approve = (person: Person) =>
  harness.context.db
    .updateTable('users')
    .set({ age_approved_at: harness.clock.now() })
    .where('id', '=', person.id)
    .execute()
const ageVerified = async (api = visitor(), place = oregon) =>
  (await api.call(routes.ageVerified, {}, place)).ageVerified

describe('where a visitor is', () => {
  test.each<
    [
      country: string,
      region: string,
      answer: { country: string | null; region: string | null; restricted: boolean; vpnHint?: boolean },
    ]
  >([
    ['US', 'Texas', { country: 'US', region: 'Texas', restricted: true }],
    ['us', 'tEXAS', { country: 'US', region: 'Texas', restricted: true }],
    ['US', 'TX', { country: 'US', region: 'Texas', restricted: true }],
    ['US', 'Utah', { country: 'US', region: 'Utah', restricted: true, vpnHint: false }],
    ['US', 'ga', { country: 'US', region: 'Georgia', restricted: true }],
    ['US', 'Oregon', { country: 'US', region: 'Oregon', restricted: false }],
    ['GE', 'Georgia', { country: 'GE', region: 'Georgia', restricted: false }],
    ['US', '', { country: 'US', region: null, restricted: false }],
    ['', '', { country: null, region: null, restricted: false }],
  ])('%s %s', async (country, region, answer) => {
    expect(await visitor().call(routes.location, {}, at(country, region))).toEqual({
      vpnHint: true,
      ...answer,
    })
  })

  test('follows the operator’s list at once', async () => {
    const operator = harness.api.as(await buildUser(harness, { role: 'superadmin' }))
    const ohio = { country: 'us', code: 'oh' }
    await operator.call(routes.setRegion, {
      body: { ...ohio, name: 'Ohio', vpnHint: false, reason: 'A new law' },
    })
    expect(await visitor().call(routes.location, {}, at('US', 'oh'))).toEqual({
      country: 'US',
      region: 'Ohio',
      restricted: true,
      vpnHint: false,
    })
    expect((await visitor().send('GET', '/media/discover', at('US', 'Ohio'))).status).toBe(451)
    await operator.call(routes.removeRegion, { body: { ...ohio, reason: 'The law was struck down' } })
    expect((await visitor().call(routes.location, {}, at('US', 'Ohio'))).restricted).toBe(false)
    expect((await visitor().send('GET', '/media/discover', at('US', 'Ohio'))).status).toBe(200)
  })
})

describe('saying to be of age', () => {
  test('counts for this browser, by a cookie that nobody can make up', async () => {
    const api = visitor()
    expect(await ageVerified(api)).toBe(false)
    expect(await api.call(routes.confirmAge, {}, oregon)).toEqual({ success: true })
    expect(await ageVerified(api)).toBe(true)
    expect(await ageVerified()).toBe(false)
    const forged = visitor()
    forged.cookies.set('age', `yes~${api.cookies.get('media_viewer')?.split('~')[1]}`)
    expect(await ageVerified(forged)).toBe(false)
  })

  test('the cookie is HttpOnly and for the whole site', async () => {
    const { headers } = await visitor().send('POST', '/users/age-verified', { body: {} })
    const cookie = headers.getSetCookie().find((line) => line.startsWith('age='))
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('counts for an account wherever it is logged in, and the first time is what is kept', async () => {
    const fan = await buildFan(harness)
    const confirmedAt = async () =>
      (
        await harness.context.db
          .selectFrom('users')
          .select('age_confirmed_at')
          .where('id', '=', fan.id)
          .executeTakeFirstOrThrow()
      ).age_confirmed_at
    expect(await ageVerified(harness.api.as(fan))).toBe(false)
    await harness.api.as(fan).call(routes.confirmAge, {}, oregon)
    const first = await confirmedAt()
    expect(first).not.toBeNull()
    const own = await harness.api.as(fan).call(routes.ageVerified, {}, oregon)
    expect(own).toEqual({ ageVerified: true, verifiedBy: 'visitor' })
    harness.clock.advance(1000)
    await harness.api.as(fan).call(routes.confirmAge, {}, oregon)
    expect(await confirmedAt()).toEqual(first)
  })

  test('counts nothing inside a restricted region, for visitor and account; an approval does', async () => {
    const fan = await buildFan(harness)
    for (const api of [visitor(), harness.api.as(fan)]) {
      expect(await api.call(routes.confirmAge, {}, texas)).toEqual({ success: true })
      expect(await ageVerified(api, texas)).toBe(false)
      const { status } = await api.send('GET', '/media/discover', texas)
      expect(status).toBe(451)
    }
    await approve(fan)
    const approved = await harness.api.as(fan).call(routes.ageVerified, {}, texas)
    expect(approved).toEqual({ ageVerified: true, verifiedBy: 'operator' })
    expect(await ageVerified(visitor(), texas)).toBe(false)
  })
})

describe('inside a restricted region', () => {
  const names = Object.keys(routes) as RouteName[]
  const content = names.filter((name) => !('restricted' in routes[name]))
  const exempt = names.filter((name) => 'restricted' in routes[name])
  const send = (route: Route, api: ReturnType<typeof visitor>) =>
    api.send(route.method, route.path.replace(/:\w+/g, 'x'), {
      ...texas,
      ...(route.method === 'GET' ? {} : { body: {} }),
    })
  const codeOf = (body: unknown) => (body as { code?: string } | null)?.code

  test('there are calls of both kinds', () => {
    expect(content.length).toBeGreaterThan(5)
    expect(exempt.length).toBeGreaterThan(5)
  })

  test.each(content)('%s answers 451 to everybody but those approved', async (name) => {
    const route: Route = routes[name]
    const [person, approved] = [
      await buildCreator(harness),
      await buildUser(harness, { isCreator: true, role: 'superadmin' }),
    ]
    await approve(approved)
    const refused = await send(route, route.access === 'public' ? visitor() : harness.api.as(person))
    const forOperators = typeof route.access === 'object'
    expect([refused.status, codeOf(refused.body)]).toEqual(
      forOperators ? [403, 'permission_required'] : [451, 'region_restricted'],
    )
    expect((await send(route, harness.api.as(approved))).status).not.toBe(451)
  })

  test.each(exempt)('%s is exempt', async (name) => {
    const person = await buildCreator(harness)
    expect((await send(routes[name], harness.api.as(person))).status).not.toBe(451)
  })
})
