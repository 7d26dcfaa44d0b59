import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostedAgeChecks } from './adapter.ts'

const secret = 'a secret that only the two of them know'
const checks = hostedAgeChecks({ url: 'https://check.example/start?client=7', secret, provider: 'example' })
const now = new Date('2026-03-04T05:06:07.000Z')
const seconds = Math.floor(now.getTime() / 1000)
const checkId = '01890000-0000-7000-8000-00000000beef'
const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex')
const signed = (body: string, at: number | string = seconds, key = secret) => ({
  body,
  signature: `t=${at},v1=${hmac(`result.${at}.${body}`, key)}`,
  now,
})
const approved = { check: checkId, result: 'approved', method: 'document', expiresAt: '2027-03-04T00:00:00Z' }
const text = (change: object = {}) => JSON.stringify({ ...approved, ...change })

test('the way to the check carries the check, the way back, the time and a signature over all three', () => {
  const returnUrl = 'https://fanfare.example/agecheck?from=a&b=c'
  const address = new URL(checks.start({ checkId, returnUrl, now }))
  expect(address.origin + address.pathname).toBe('https://check.example/start')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client: '7',
    check: checkId,
    return: returnUrl,
    at: String(seconds),
    signature: hmac(`start.${checkId}.${returnUrl}.${seconds}`),
  })
})

describe('a result', () => {
  test.each([
    [{}, { result: 'approved', expiresAt: new Date('2027-03-04T00:00:00Z') }],
    [
      { result: 'refused', expiresAt: null },
      { result: 'refused', expiresAt: null },
    ],
    [{ result: 'refused' }, { result: 'refused', expiresAt: null }],
    [
      { result: 'expired', expiresAt: null },
      { result: 'expired', expiresAt: null },
    ],
    [{ document: 'never kept' }, { result: 'approved', expiresAt: new Date('2027-03-04T00:00:00Z') }],
  ])('that the provider signed is read: %j', (change, read) => {
    expect(checks.readResult(signed(text(change)))).toEqual({ checkId, method: 'document', ...read })
  })

  test.each([-300, 300])('counts %i seconds from our time', (offset) => {
    expect(checks.readResult(signed(text(), seconds + offset))).not.toBeNull()
  })

  test.each([
    ['too old', signed(text(), seconds - 301)],
    ['from the future', signed(text(), seconds + 301)],
    ['signed by another', signed(text(), seconds, 'another secret')],
    ['changed on its way', { ...signed(text({ result: 'refused' })), body: text() }],
    [
      'with another time than signed',
      { ...signed(text()), signature: signed(text()).signature.replace('t=', 't=1') },
    ],
    ['without a signature', { ...signed(text()), signature: '' }],
    ['with an empty signature', { ...signed(text()), signature: `t=${seconds},v1=` }],
    [
      'that is a request sent back',
      { body: text(), now, signature: `t=${seconds},v1=${hmac(`start.${seconds}.${text()}`)}` },
    ],
    ['that is no JSON', signed('approved')],
    ['of no check', signed(text({ check: 'x' }))],
    ['of another word', signed(text({ result: 'yes' }))],
    ['approved without an end', signed(text({ expiresAt: null }))],
    ['approved until yesterday', signed(text({ expiresAt: '2026-03-03T00:00:00Z' }))],
  ])('%s counts for nothing', (_, message) => {
    expect(checks.readResult(message)).toBeNull()
  })

  test('nothing that is made up passes', () => {
    fc.assert(
      fc.property(
        fc.record({ body: fc.oneof(fc.string(), fc.constant(text())), signature: fc.string() }),
        (message) => checks.readResult({ ...message, now }) === null,
      ),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{64}$/), (forged) => {
        return checks.readResult({ body: text(), signature: `t=${seconds},v1=${forged}`, now }) === null
      }),
      { numRuns: 1000 },
    )
  })
})
