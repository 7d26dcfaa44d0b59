import { describe, expect, test } from 'vitest'
import type { Geo } from '../port.ts'
import { localGeo } from './adapter.ts'

const texas = { country: 'US', region: 'Texas' }
const unknown = { country: null, region: null }
const locate = (geo: Geo, ip: string, headers: Record<string, string> = {}) =>
  geo.locate({ ip, edgeHeader: (name) => headers[name] })

describe('the local database', () => {
  const geo = localGeo({})

  test.each([
    ['129.118.1.1', texas],
    ['::ffff:129.118.1.1', texas],
    ['128.61.1.1', { country: 'US', region: 'Georgia' }],
    ['131.111.8.46', { country: 'GB', region: 'England' }],
    ['2607:f140::1', { country: 'US', region: 'California' }],
    ['2001:630:212::1', { country: 'GB', region: 'England' }],
    ['10.1.2.3', unknown],
    ['127.0.0.1', unknown],
    ['192.168.0.1', unknown],
    ['172.31.255.255', unknown],
    ['172.32.0.1', { country: 'US', region: expect.any(String) }],
    ['::1', unknown],
    ['fd00::1', unknown],
    ['fe80::1%eth0', unknown],
    ['', unknown],
    ['not an address', unknown],
  ])('places %s', (ip, place) => {
    expect(locate(geo, ip)).toEqual(place)
  })

  test('ignores headers that are not configured', () => {
    const headers = { 'x-region': 'US-TX', 'x-country': 'US', 'cf-region-code': 'TX' }
    expect(locate(geo, '10.0.0.1', headers)).toEqual(unknown)
  })
})

describe('the headers of an edge', () => {
  const names = { regionHeader: 'x-region', countryHeader: 'x-country' }
  const english = '131.111.8.46'
  const trusting = localGeo(names)

  test.each([
    [{ 'x-region': 'US-TX' }, texas],
    [{ 'x-region': 'us-tx' }, texas],
    [{ 'x-region': 'TX', 'x-country': 'US' }, texas],
    [{ 'x-region': 'Texas', 'x-country': 'US' }, texas],
    [{ 'x-region': ' texas ', 'x-country': 'us' }, texas],
    [
      { 'x-region': 'West Virginia', 'x-country': 'US' },
      { country: 'US', region: 'West Virginia' },
    ],
    [
      { 'x-region': 'Bavaria', 'x-country': 'DE' },
      { country: 'DE', region: 'Bavaria' },
    ],
    [{ 'x-region': 'DE-BY' }, { country: 'DE', region: null }],
    [
      { 'x-region': 'GA', 'x-country': 'ES' },
      { country: 'ES', region: null },
    ],
    [
      { 'x-region': 'Nowhere', 'x-country': 'US' },
      { country: 'US', region: null },
    ],
    [{ 'x-country': 'GE' }, { country: 'GE', region: null }],
  ])('decide: %j', (headers, place) => {
    expect(locate(trusting, english, headers)).toEqual(place)
  })

  test.each([
    [{}],
    [{ 'x-region': 'TX' }],
    [{ 'x-country': 'XX' }],
    [{ 'x-country': 'T1', 'x-region': 'T1' }],
    [{ 'x-region': '', 'x-country': '' }],
    [{ 'x-country': 'GB' }],
  ])('leave it to the database when they do not say: %j', (headers) => {
    expect(locate(trusting, english, headers)).toEqual({ country: 'GB', region: 'England' })
  })

  test('count for nothing when the request did not come from the edge', () => {
    expect(trusting.locate({ ip: english, edgeHeader: null })).toEqual({ country: 'GB', region: 'England' })
  })
})
