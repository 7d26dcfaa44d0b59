import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'

// Each of these servers is called from 127.0.0.1; they differ in the proxies that they trust.
const HEADERS = { GEO_REGION_HEADER: 'x-region', GEO_COUNTRY_HEADER: 'x-country' }
const servers: Record<'trusting' | 'trustingOthers' | 'trustingNobody', Harness> = {} as never
beforeAll(async () => {
  servers.trusting = await startHarness({
    environment: { ...HEADERS, TRUST_PROXY: '127.0.0.1', SANDBOX_TOKEN: 'only the operator knows' },
  })
  servers.trustingOthers = await startHarness({
    environment: { ...HEADERS, TRUST_PROXY: '10.0.0.0/8', SANDBOX_TOKEN: 'only the operator knows' },
  })
  servers.trustingNobody = await startHarness({ environment: HEADERS })
})
afterAll(() => Promise.all(Object.values(servers).map((server) => server?.stop())))

const TEXAN = '129.118.1.1'
const GEORGIAN_STATE = '128.61.1.1'
const CALIFORNIAN6 = '2607:f140::1'
const unknown = { country: null, region: null, restricted: false }
const locate = async (server: Harness, headers: Record<string, string>) => {
  const { vpnHint, ...place } = await server.api.visitor().call(routes.location, {}, { headers })
  return place
}
const discover = async (server: Harness, headers: Record<string, string>) =>
  (await server.api.visitor().send('GET', '/media/discover', { headers })).status

describe('behind a trusted proxy', () => {
  test.each([
    [TEXAN, { country: 'US', region: 'Texas', restricted: true }],
    [`::ffff:${TEXAN}`, { country: 'US', region: 'Texas', restricted: true }],
    [GEORGIAN_STATE, { country: 'US', region: 'Georgia', restricted: true }],
    [CALIFORNIAN6, { country: 'US', region: 'California', restricted: false }],
    ['10.1.2.3', unknown],
  ])('a visitor at %s is placed by the local database', async (address, place) => {
    expect(await locate(servers.trusting, { 'x-forwarded-for': address })).toEqual(place)
    expect(await discover(servers.trusting, { 'x-forwarded-for': address })).toBe(
      place.restricted ? 451 : 200,
    )
  })

  test('the edge’s header decides before the database, and Georgia the country is not the state', async () => {
    const texan = { 'x-forwarded-for': TEXAN }
    expect(await locate(servers.trusting, { ...texan, 'x-region': 'OR', 'x-country': 'US' })).toEqual({
      country: 'US',
      region: 'Oregon',
      restricted: false,
    })
    expect(await locate(servers.trusting, { ...texan, 'x-region': 'Georgia', 'x-country': 'GE' })).toEqual({
      country: 'GE',
      region: 'Georgia',
      restricted: false,
    })
  })

  test('only what the proxy itself saw counts, not what the visitor wrote before it', async () => {
    for (const forged of [CALIFORNIAN6, '10.0.0.1', 'unknown']) {
      const headers = { 'x-forwarded-for': `${forged}, ${TEXAN}` }
      expect((await locate(servers.trusting, headers)).region).toBe('Texas')
      expect(await discover(servers.trusting, headers)).toBe(451)
    }
  })
})

describe.each(['trustingOthers', 'trustingNobody'] as const)(
  'from a peer that is no proxy of ours (%s)',
  (name) => {
    test.each([
      { 'x-forwarded-for': TEXAN },
      { 'x-forwarded-for': `10.0.0.1, ${TEXAN}` },
      { 'x-real-ip': TEXAN },
      { forwarded: `for=${TEXAN}` },
      { 'x-region': 'US-TX' },
      { 'x-region': 'Texas', 'x-country': 'US' },
      { 'x-region': 'TX', 'x-country': 'US', 'x-forwarded-for': TEXAN },
    ])('a forged %j changes nothing', async (headers) => {
      expect(await locate(servers[name], headers)).toEqual(unknown)
      expect(await discover(servers[name], headers)).toBe(200)
    })
  },
)
