import { expect, test } from 'vitest'
import { generateVapidKeys, PUSH_SERVICES, webPush } from './adapter.ts'

const push = webPush({
  ...generateVapidKeys(),
  subject: 'mailto:hello@fanfare.test',
  services: PUSH_SERVICES,
  sandbox: 'http://127.0.0.1:4000/sandbox/push/',
})

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://web.push.apple.com/abc', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=abc', true],
  ['http://127.0.0.1:4000/sandbox/push/send/abc', true],
  ['http://127.0.0.1:4000/sandbox/push/../../api/users/me', false],
  ['http://127.0.0.1:4000/api/users/me', false],
  ['http://127.0.0.1:4001/sandbox/push/send/abc', false],
  ['https://push.services.mozilla.com.evil.test/x', false],
  ['https://evilpush.apple.com/x', false],
  ['https://fcm.googleapis.com@evil.test/x', false],
  ['https://fcm.googleapis.com:444/x', false],
  ['http://fcm.googleapis.com/x', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%s is an address of a push service: %s', (endpoint, accepted) => {
  expect(push.accepts(endpoint)).toBe(accepted)
})

test('a browser whose keys are none is gone, and nothing is sent', async () => {
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  const message = { payload: '{}', ttl: 60, urgency: 'normal', topic: 'sales' } as const
  expect(await push.send({ endpoint: 'https://fcm.googleapis.com/x', keys }, message)).toBe('gone')
  expect(await push.send({ endpoint: 'https://evil.test/x', keys }, message)).toBe('gone')
})
