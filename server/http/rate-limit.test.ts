import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networkOf } from '../networks.ts'
import { type Harness, startHarness } from '../testing/harness.ts'

describe('the network of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['no address', 'no address'],
  ])('of %s is %s', (ip, network) => expect(networkOf(ip)).toBe(network))

  test('is one for all addresses of a /64, and another for those of the next', () => {
    const part = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(
        fc.tuple(part, part, part, part),
        fc.array(part, { minLength: 8, maxLength: 8 }),
        (net, host) => {
          const address = (last: number, interfaceId: number[]) =>
            [...net.slice(0, 3), last, ...interfaceId].map((value) => value.toString(16)).join(':')
          const [first, second] = [host.slice(0, 4), host.slice(4)]
          expect(networkOf(address(net[3], first))).toBe(networkOf(address(net[3], second)))
          expect(networkOf(address(net[3] ^ 1, first))).not.toBe(networkOf(address(net[3], first)))
        },
      ),
    )
  })
})

describe('a limit', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness({
      rateLimits: true,
      environment: { TRUST_PROXY: '127.0.0.1', SANDBOX_TOKEN: 'only the operator knows' },
    })
  })
  afterAll(() => harness?.stop())
  const resetFrom = async (ip: string) =>
    (
      await harness.api.visitor().send('POST', '/auth/reset', {
        body: { email: 'nobody@example.test' },
        headers: { 'x-forwarded-for': ip },
      })
    ).status

  test('counts all addresses of one /64 together, and those of another apart', async () => {
    const statuses: number[] = []
    for (let host = 1; host <= 12; host++)
      statuses.push(await resetFrom(`2001:db8:7:7::${host.toString(16)}`))
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    expect(await resetFrom('2001:db8:7:8::1')).toBe(200)
  })

  test('counts an IPv4 address as itself, however it is written', async () => {
    for (let time = 0; time < 10; time++) expect(await resetFrom('203.0.113.50')).toBe(200)
    expect(await resetFrom('::ffff:203.0.113.50')).toBe(429)
    expect(await resetFrom('203.0.113.51')).toBe(200)
  })
})
