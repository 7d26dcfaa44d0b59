import { expect, test } from 'vitest'
import { deviceName } from './rules.ts'

const MOZILLA = 'Mozilla/5.0'
test.each([
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/153.0.0.0 Safari/537.36`,
    'Chrome on Windows',
  ],
  [`${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/153.0 Safari/537.36 Edg/153.0`, 'Edge on Windows'],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [`${MOZILLA} (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0`, 'Firefox on Android'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15`, 'Safari on macOS'],
  ['curl/8.9 (Linux)', 'Linux'],
  ['', 'Unknown device'],
])('%s is %s', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))
