import { describe, expect, test } from 'vitest'
import { StartError } from '../errors.ts'
import { trustedProxies } from './trusted-proxies.ts'

describe('trustedProxies', () => {
  test.each<[setting: string | undefined, address: string | undefined, trusted: boolean]>([
    [undefined, '127.0.0.1', false],
    ['', '127.0.0.1', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['10.0.0.0/8, 203.0.113.7', '10.9.8.7', true],
    ['10.0.0.0/8, 203.0.113.7', '203.0.113.7', true],
    ['10.0.0.0/8, 203.0.113.7', '203.0.113.8', false],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['loopback', '::1', true],
    ['loopback', '127.8.0.1', true],
    ['uniquelocal', '192.168.4.4', true],
    ['uniquelocal', '8.8.8.8', false],
    ['127.0.0.1', undefined, false],
    ['127.0.0.1', 'unknown', false],
  ])('%j, asked of %s: %s', (setting, address, trusted) => {
    expect(trustedProxies(setting)(address)).toBe(trusted)
  })

  test.each(['true', '*', 'proxy.example', '10.0.0.0/33', '10.0.0', '::1/200', '1.2.3.4/8/8'])(
    'an entry %s stops the start with a sentence that names it',
    (setting) => {
      expect(() => trustedProxies(setting)).toThrow(StartError)
      expect(() => trustedProxies(setting)).toThrow(`TRUST_PROXY names “${setting}”`)
    },
  )
})
