import { afterAll, beforeAll, expect, test } from 'vitest'
import { errors } from '../../contract/errors.ts'
import { buildCreator } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test.each([
  ['that is not encoded rightly', '/users/u/%zz'],
  ['that is too long', `/users/u/${'x'.repeat(5000)}`],
  ['that nothing has', '/users/%00/nothing'],
])('an address %s is refused in our own words', async (_what, path) => {
  const { status, body } = await harness.api.visitor().send('GET', path)
  const { code } = body as { code: keyof typeof errors }
  expect([status, body]).toEqual([errors[code]?.status, { code, error: errors[code]?.text }])
  expect(status).toBeGreaterThanOrEqual(400)
})

test('headers that are too long are refused in our own words too; the longest list of ids in an address is not', async () => {
  const creator = await buildCreator(harness)
  const pick = (count: number) =>
    harness.api.as(creator).send('GET', '/media/editbundlemedialist', {
      query: {
        creatorId: creator.id,
        showSelectedOnly: true,
        selectedMediaIds: Array.from({ length: count }, () => crypto.randomUUID()),
      },
    })
  expect((await pick(500)).status).toBe(200)
  const { status, body } = await pick(2000)
  expect([status, body]).toEqual([431, { code: 'headers_too_large', error: errors.headers_too_large.text }])
})

test.each<[what: string, type: string, body: string, status: number, code: keyof typeof errors]>([
  ['half a JSON', 'application/json', '{"email": ', 400, 'malformed_body'],
  ['nothing', 'application/json', '', 400, 'malformed_body'],
  [
    'a poisoned prototype',
    'application/json',
    '{"__proto__": {"role": "superadmin"}}',
    400,
    'malformed_body',
  ],
  ['a form', 'application/x-www-form-urlencoded', 'email=a', 415, 'unsupported_media_type'],
  [
    'two megabytes',
    'application/json',
    JSON.stringify({ email: 'x'.repeat(2 * 1024 * 1024) }),
    413,
    'body_too_large',
  ],
])('a body of %s is refused', async (_what, type, body, status, code) => {
  const answer = await harness.api
    .visitor()
    .fetch('/api/auth/login', { method: 'POST', headers: { 'content-type': type }, body })
  expect(answer.status).toBe(status)
  expect(((await answer.json()) as { code: string }).code).toBe(code)
})
