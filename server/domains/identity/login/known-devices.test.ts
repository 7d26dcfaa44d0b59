import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import { buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPasskey } from '../../../testing/passkey.ts'
import { buildAccount, codeAt, emailsTo, PASSWORD, setUpApp } from '../../../testing/security.ts'

const NEW = 'another long password'
const MINUTE_MS = 60 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    rateLimits: true,
    environment: { TRUST_PROXY: '127.0.0.1', SANDBOX_TOKEN: 'only the operator knows' },
  })
})
afterAll(() => harness?.stop())

let networks = 0
/** A network of its own, so that limits by network don't interfere. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.${Math.floor(++networks / 250)}.${networks % 250}` })
const logIn = async (api: Api, { email }: Person, password: string) =>
  (await api.send('POST', '/auth/login', { body: { email, password }, headers: elsewhere() })).status
/** Guesses until the account is locked for unknown devices. */
async function lockOut(person: Person): Promise<void> {
  for (let guess = 0; guess < 6; guess++) await logIn(harness.api.visitor(), person, `guess ${guess}`)
  expect(await logIn(harness.api.visitor(), person, PASSWORD)).toBe(429)
}
const deviceCookies = (api: Api) => [...api.cookies].filter(([name]) => name.startsWith('device_'))

describe('while a stranger keeps an account locked', () => {
  test('a device on which its owner logged in before gets in; it has 5 guesses of its own', async () => {
    const person = await buildAccount(harness)
    const device = harness.api.visitor()
    expect(await logIn(device, person, PASSWORD)).toBe(200)
    expect(deviceCookies(device)).toHaveLength(1)
    expect(decodeURIComponent(JSON.stringify(deviceCookies(device)))).not.toContain(person.email)
    await lockOut(person)
    expect(await logIn(device, person, PASSWORD)).toBe(200)
    const statuses: number[] = []
    for (let guess = 0; guess < 7; guess++) statuses.push(await logIn(device, person, `guess ${guess}`))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  test('a device of another account, an altered cookie and one of another address stay out', async () => {
    const [person, other] = [await buildAccount(harness), await buildAccount(harness)]
    const [own, foreign] = [harness.api.visitor(), harness.api.visitor()]
    await logIn(own, person, PASSWORD)
    await logIn(foreign, other, PASSWORD)
    await lockOut(person)
    expect(await logIn(foreign, person, PASSWORD)).toBe(429)
    const [[name = '', value = ''] = []] = deviceCookies(own)
    const [, foreignValue = ''] = deviceCookies(foreign)[0] ?? []
    for (const forged of [foreignValue, `${crypto.randomUUID()}~${value.split('~')[1]}`, 'x', '~']) {
      const forger = harness.api.visitor()
      forger.cookies.set(name, forged)
      expect(await logIn(forger, person, PASSWORD)).toBe(429)
    }
  })

  test('a new password by the link of a mail gets in at once, on the device that set it', async () => {
    const person = await buildAccount(harness)
    await lockOut(person)
    const device = harness.api.visitor()
    await device.call(routes.requestReset, { body: { email: person.email } }, { headers: elsewhere() })
    const [mail] = await emailsTo(harness, person.email)
    const [, userId = '', token = ''] = /\/resetconfirmed\/([^/\s]+)\/(\S+)/.exec(mail?.text ?? '') ?? []
    await device.call(routes.updatePassword, { body: { userId, token, password: NEW } })
    expect(await logIn(device, person, NEW)).toBe(200)
    expect(await logIn(harness.api.visitor(), person, NEW)).toBe(429)
  })

  test('a known device enters its code though strangers who have the password used up theirs', async () => {
    const person = await buildAccount(harness)
    const { secret } = await setUpApp(harness, harness.api.as(person))
    harness.clock.advance(MINUTE_MS)
    const device = harness.api.visitor()
    const ask = async (api: Api) => {
      const body = { email: person.email, password: PASSWORD }
      const answer = await api.send('POST', '/auth/login', { body, headers: elsewhere() })
      return (answer.body as { secondFactor: { challengeId: string } }).secondFactor.challengeId
    }
    const finish = async (api: Api, code: string) => {
      const body = { challengeId: await ask(api), code }
      return (await api.send('POST', '/auth/secondfactor', { body, headers: elsewhere() })).status
    }
    const right = () => {
      harness.clock.advance(MINUTE_MS)
      return codeAt(secret, harness.clock.now())
    }
    expect(await finish(device, right())).toBe(200)
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess++) statuses.push(await finish(harness.api.visitor(), '000000'))
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
    expect(await finish(harness.api.visitor(), right())).toBe(429)
    expect(await finish(device, right())).toBe(200)
    // Somebody who is logged in re-authenticates meanwhile as well.
    const api = harness.api.as({ token: await buildSession(harness, person.id) })
    const { challengeId } = await api.call(routes.startReauthentication, {})
    expect(
      (await api.send('POST', '/auth/reauthenticate', { body: { challengeId, code: right() } })).status,
    ).toBe(200)
  })

  test('a passkey gets in, alone and after the password; what another device signed does not', async () => {
    const [person, other] = [await buildAccount(harness), await buildAccount(harness)]
    await setUpApp(harness, harness.api.as(person))
    const [own, foreign] = [await buildPasskey(harness, person), await buildPasskey(harness, other)]
    type Asked = { challengeId: string; passkey: { challenge: string } | null }
    const finish = async ({ challengeId, passkey }: Asked, signs: typeof own) => {
      const body = { challengeId, passkey: signs(passkey?.challenge ?? '') }
      const answer = await harness.api
        .visitor()
        .send('POST', '/auth/secondfactor', { body, headers: elsewhere() })
      return [answer.status, (answer.body as { code?: string }).code]
    }
    const withPassword = async () => {
      const body = { email: person.email, password: PASSWORD }
      const answer = await harness.api.visitor().send('POST', '/auth/login', { body, headers: elsewhere() })
      return (answer.body as { secondFactor: Asked }).secondFactor
    }
    const alone = () => harness.api.visitor().call(routes.startPasskeyLogin, {}, { headers: elsewhere() })
    // First the codes are used up by strangers who have the password, then the password's own guesses.
    for (let guess = 0; guess < 6; guess++) {
      const { challengeId } = await withPassword()
      const body = { challengeId, code: '000000' }
      const { status } = await harness.api
        .visitor()
        .send('POST', '/auth/secondfactor', { body, headers: elsewhere() })
      expect(status).toBe(guess < 5 ? 403 : 429)
    }
    expect(await finish(await withPassword(), foreign)).toEqual([403, 'passkey_refused'])
    expect(await finish(await withPassword(), own)).toEqual([200, undefined])
    await lockOut(person)
    const asked = await alone()
    expect(
      await finish(asked, () => ({ ...foreign(asked.passkey?.challenge ?? ''), id: own('').id })),
    ).toEqual([403, 'passkey_refused'])
    expect(await finish(asked, own)).toEqual([200, undefined])
    expect(await finish(asked, own)).toEqual([403, 'challenge_expired'])
    expect(await logIn(harness.api.visitor(), person, PASSWORD)).toBe(429)
  })
})
