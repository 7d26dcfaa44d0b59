import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../testing/harness.ts'

const TOKEN = 'a token for the figures'

let open: Harness
let guarded: Harness
beforeAll(async () => {
  open = await startHarness()
  guarded = await startHarness({ environment: { METRICS_TOKEN: TOKEN } })
})
afterAll(async () => {
  await open.stop()
  await guarded.stop()
})

const figures = (harness: Harness, headers: Record<string, string> = {}) =>
  fetch(`${harness.origin}/metrics`, { headers })

test('this machine reads the figures without a token', async () => {
  const answer = await figures(open)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('http_request_duration_seconds')
})

test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
  'whoever comes through a proxy (%s) reads none without a token',
  async (header) => {
    const answer = await figures(open, { [header]: '127.0.0.1' })
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('http_request_duration_seconds')
  },
)

test.each([
  ['no token', {}, 404],
  ['another token', { authorization: 'Bearer something else entirely' }, 404],
  ['the token', { authorization: `Bearer ${TOKEN}` }, 200],
  ['the token through a proxy', { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' }, 200],
])('with a token set, %s', async (_name, headers, status) => {
  expect((await figures(guarded, headers as Record<string, string>)).status).toBe(status)
})
