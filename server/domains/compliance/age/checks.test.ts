import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import { Refused } from '../../../testing/api.ts'
import { buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

const DAY_MS = 24 * 3600 * 1000
const ENVIRONMENT = {
  GEO_REGION_HEADER: 'x-region',
  GEO_COUNTRY_HEADER: 'x-country',
  TRUST_PROXY: '127.0.0.1',
  SANDBOX_TOKEN: 'only the operator knows',
}
let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ environment: ENVIRONMENT })
})
afterAll(() => harness?.stop())

const headers = { 'x-country': 'US', 'x-region': 'Texas' }
const visitor = (at = harness) => at.api.visitor()
const verified = async (api: Api) => (await api.call(routes.ageVerified, {}, { headers })).ageVerified
const sees = async (api: Api) => (await api.send('GET', '/media/discover', { headers })).status === 200
const checkRows = () => harness.context.db.selectFrom('age_verifications').selectAll().orderBy('id').execute()
const codeOf = async (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )

type Choice = { result: 'approved' | 'refused' | 'expired'; delivery?: string; lifetime?: string }

/** Goes to the provider's page and chooses; answers where it leads back to. */
async function check(api: Api, choice: Choice): Promise<URL> {
  const { url } = await api.call(routes.startAgeCheck, {}, { headers })
  const page = await fetch(url)
  expect(page.status).toBe(200)
  const start = Object.fromEntries(new URL(url).searchParams)
  const answer = await fetch(new URL('decide', url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...start, ...choice }),
  })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '')
}

const comeBack = (api: Api, back: URL) =>
  api.call(routes.finishAgeCheck, {
    body: {
      result: back.searchParams.get('result') ?? '',
      signature: back.searchParams.get('signature') ?? '',
    },
  })

describe('a check of a visitor', () => {
  test('opens content to this browser alone, and leads back to our own page', async () => {
    const api = visitor()
    expect(await sees(api)).toBe(false)
    const back = await check(api, { result: 'approved' })
    expect(back.origin + back.pathname).toBe('http://fanfare.test/agecheck')
    const { result, expiresAt } = await comeBack(api, back)
    expect(result).toBe('approved')
    const days = (Date.parse(expiresAt ?? '') - harness.clock.now().getTime()) / DAY_MS
    expect(Math.round(days)).toBe(365)
    expect([await verified(api), await sees(api)]).toEqual([true, true])
    expect([await verified(visitor()), await sees(visitor())]).toEqual([false, false])
  })

  test('keeps provider, method, result and expiry, and nothing about the person', async () => {
    const api = visitor()
    await check(api, { result: 'approved', lifetime: '1' })
    const row = (await checkRows()).at(-1)
    expect(row).toMatchObject({ user_id: null, provider: 'sandbox', method: 'document', result: 'approved' })
    expect(Object.keys(row ?? {}).sort()).toEqual(
      [
        'id',
        'user_id',
        'visit_id',
        'provider',
        'method',
        'result',
        'created_at',
        'decided_at',
        'expires_at',
        'revoked_at',
      ].sort(),
    )
  })

  test('is bound by a signed cookie that nobody can make up', async () => {
    const api = visitor()
    await check(api, { result: 'approved' })
    const cookie = api.cookies.get('age_visit') ?? ''
    expect(await sees(api)).toBe(true)
    const [visit, signature] = cookie.split('~')
    for (const forged of [
      visit,
      `${visit}~`,
      `${visit}~${'A'.repeat(43)}`,
      `${crypto.randomUUID()}~${signature}`,
    ]) {
      const other = visitor()
      other.cookies.set('age_visit', forged ?? '')
      expect(await sees(other), forged).toBe(false)
    }
  })

  test.each([
    ['both', true],
    ['webhook', true],
    ['twice', true],
    ['return', false],
  ])('delivered %s: known before the visitor is back: %s', async (delivery, known) => {
    const api = visitor()
    const back = await check(api, { result: 'approved', delivery })
    expect(await sees(api)).toBe(known)
    if (delivery === 'webhook') return
    expect((await comeBack(api, back)).result).toBe('approved')
    expect((await comeBack(api, back)).result).toBe('approved')
    expect(await sees(api)).toBe(true)
  })

  test.each(['refused', 'expired'] as const)(
    'that ends %s opens nothing; another one may',
    async (result) => {
      const api = visitor()
      expect(await comeBack(api, await check(api, { result }))).toEqual({ result, expiresAt: null })
      expect([await verified(api), await sees(api)]).toEqual([false, false])
      await check(api, { result: 'approved' })
      expect(await sees(api)).toBe(true)
    },
  )

  test('carried back by somebody else, says nothing to them and opens nothing to them', async () => {
    const [one, other] = [visitor(), visitor()]
    const back = await check(one, { result: 'approved', delivery: 'return' })
    expect(await codeOf(comeBack(other, back))).toBe('400 age_result_invalid')
    expect(await sees(other)).toBe(false)
  })

  test('signed by somebody else, counts for nothing', async () => {
    const api = visitor()
    const back = await check(api, { result: 'approved', delivery: 'forged' })
    expect(await codeOf(comeBack(api, back))).toBe('400 age_result_invalid')
    expect(await sees(api)).toBe(false)
    expect((await checkRows()).at(-1)).toMatchObject({ result: null, decided_at: null })
  })

  test('ends when the approval does', async () => {
    const api = visitor()
    await check(api, { result: 'approved', lifetime: '1' })
    harness.clock.advance(DAY_MS - 60_000)
    expect(await sees(api)).toBe(true)
    harness.clock.advance(60_000)
    expect([await verified(api), await sees(api)]).toEqual([false, false])
  })
})

describe('a check of an account', () => {
  test('counts wherever it is logged in, and not for the browser after logging out', async () => {
    const fan = await buildFan(harness)
    const api = harness.api.as(fan)
    await check(api, { result: 'approved' })
    expect((await checkRows()).at(-1)).toMatchObject({ user_id: fan.id, visit_id: null })
    const elsewhere = harness.api.as({ token: await buildSession(harness, fan.id) })
    expect([await verified(elsewhere), await sees(elsewhere)]).toEqual([true, true])
    const loggedOut = visitor()
    loggedOut.cookies.set('age_visit', api.cookies.get('age_visit') ?? '')
    expect(await sees(loggedOut)).toBe(false)
  })
})

const resultText = (checkId: string, result = 'approved') =>
  JSON.stringify({
    check: checkId,
    result,
    method: 'document',
    expiresAt: new Date(harness.clock.now().getTime() + DAY_MS).toISOString(),
  })
const signResult = (body: string, at: number, secret: string) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`result.${at}.${body}`).digest('hex')}`
async function deliverResult(body: string, signature: string, to = harness) {
  const answer = await fetch(`${to.origin}/api/age/result`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-age-signature': signature },
    body,
  })
  return [answer.status, ((await answer.json()) as { code?: string }).code]
}

describe('the webhook', () => {
  const seconds = () => Math.floor(harness.clock.now().getTime() / 1000)
  const openCheckId = async (api = visitor()) => {
    const { url } = await api.call(routes.startAgeCheck, {}, { headers })
    return new URL(url).searchParams.get('check') ?? ''
  }
  const signatureOf = (body: string, at = seconds(), secret = harness.ageSecret) =>
    signResult(body, at, secret)

  test.each<[what: string, change: (body: string) => [body: string, signature: string]]>([
    ['without a signature', (body) => [body, '']],
    ['signed with another secret', (body) => [body, signatureOf(body, seconds(), 'another secret')]],
    ['signed 301 seconds ago', (body) => [body, signatureOf(body, seconds() - 301)]],
    ['one byte longer than signed', (body) => [`${body} `, signatureOf(body)]],
    ['empty', () => ['', signatureOf('')]],
  ])('%s: refused, and nothing changed', async (_, change) => {
    const checkId = await openCheckId()
    const before = await checkRows()
    expect(await deliverResult(...change(resultText(checkId)))).toEqual([400, 'age_result_invalid'])
    expect(await checkRows()).toEqual(before)
  })

  test('of a check that is not ours: refused', async () => {
    const body = resultText(crypto.randomUUID())
    expect(await deliverResult(body, signatureOf(body))).toEqual([400, 'age_result_invalid'])
  })

  test('larger than a result can be: refused', async () => {
    const body = resultText(await openCheckId()).padEnd(17 * 1024)
    expect(await deliverResult(body, signatureOf(body))).toEqual([413, 'body_too_large'])
  })

  test('twenty times at once is once, and a check that ended changes no more', async () => {
    const checkId = await openCheckId()
    const body = resultText(checkId)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => deliverResult(body, signatureOf(body))),
    )
    expect(answers).toEqual(Array.from({ length: 20 }, () => [200, undefined]))
    const decided = (await checkRows()).find(({ id }) => id === checkId)
    expect(decided).toMatchObject({ result: 'approved' })
    harness.clock.advance(1000)
    const later = resultText(checkId, 'refused')
    expect(await deliverResult(later, signatureOf(later))).toEqual([200, undefined])
    expect((await checkRows()).find(({ id }) => id === checkId)).toEqual(decided)
  })
})

describe('the operator', () => {
  let operator: Person
  beforeAll(async () => {
    operator = await buildUser(harness, { role: 'superadmin' })
  })
  const audits = (targetId: string) =>
    harness.context.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'reason'])
      .where('target_id', '=', targetId)
      .orderBy('id')
      .execute()

  test('approves and takes back, a provider’s approval too, and both are on record', async () => {
    const fan = await buildFan(harness)
    const api = harness.api.as(fan)
    const admin = harness.api.as(operator)
    await admin.call(routes.approveAge, { body: { userId: fan.id, reason: 'Known from elsewhere' } })
    await check(api, { result: 'approved' })
    expect(await sees(api)).toBe(true)
    const person = await admin.call(routes.personAge, { query: { person: fan.email.toUpperCase() } })
    expect(person).toMatchObject({
      userId: fan.id,
      username: fan.username,
      approved: { by: operator.username, reason: 'Known from elsewhere' },
      verifications: [{ provider: 'sandbox', method: 'document' }],
    })
    await admin.call(routes.revokeAge, { body: { userId: fan.id, reason: 'Said to be 16' } })
    expect([await verified(api), await sees(api)]).toEqual([false, false])
    expect(await admin.call(routes.personAge, { query: { person: fan.username } })).toMatchObject({
      approved: null,
      verifications: [],
    })
    expect(await audits(fan.id)).toEqual([
      { actor_id: operator.id, action: 'age.approved', reason: 'Known from elsewhere' },
      { actor_id: operator.id, action: 'age.revoked', reason: 'Said to be 16' },
    ])
  })

  test('of nobody: refused, and nothing is on record', async () => {
    const userId = crypto.randomUUID()
    const admin = harness.api.as(operator)
    for (const route of [routes.approveAge, routes.revokeAge]) {
      expect(await codeOf(admin.call(route, { body: { userId, reason: 'A typing error' } }))).toBe(
        '404 user_not_found',
      )
    }
    expect(await audits(userId)).toEqual([])
    expect(await codeOf(admin.call(routes.personAge, { query: { person: 'nobody' } }))).toBe(
      '404 user_not_found',
    )
  })

  test('checks that no longer count are forgotten a month later', async () => {
    const api = visitor()
    await check(api, { result: 'approved', lifetime: '1' })
    const [kept] = (await checkRows()).slice(-1)
    harness.clock.advance(30 * DAY_MS)
    await harness.server.jobs['age.sweep']({}, { attempt: 1, lastAttempt: false })
    expect((await checkRows()).map(({ id }) => id)).toContain(kept?.id)
    harness.clock.advance(2 * DAY_MS)
    await harness.server.jobs['age.sweep']({}, { attempt: 1, lastAttempt: false })
    expect((await checkRows()).map(({ id }) => id)).not.toContain(kept?.id)
  })
})

test('beside a real provider, what the sandbox approved counts for nothing, and it alone does', async () => {
  const tried = await startHarness({ environment: ENVIRONMENT })
  const AGE_CHECK_SECRET = 'a secret that the provider has as well'
  const real = await startHarness({
    beside: tried,
    environment: {
      ...ENVIRONMENT,
      AGE_CHECK_URL: 'https://ages.example/check',
      AGE_CHECK_SECRET,
      SANDBOX: 'payments,mail,forum',
      SUPERADMIN_SECOND_FACTOR: 'off',
    },
  })
  try {
    const fan = await buildFan(tried)
    const operator = await buildUser(tried, { role: 'superadmin' })
    const [account, browser] = [tried.api.as(fan), visitor(tried)]
    for (const api of [account, browser]) await check(api, { result: 'approved' })
    expect([await sees(account), await sees(browser)]).toEqual([true, true])

    const [sameAccount, sameBrowser] = [real.api.as(fan), visitor(real)]
    sameBrowser.cookies.set('age_visit', browser.cookies.get('age_visit') ?? '')
    for (const api of [sameAccount, sameBrowser])
      expect([await verified(api), await sees(api)]).toEqual([false, false])
    const approvals = async () => {
      const query = { person: fan.username }
      const { verifications } = await real.api.as(operator).call(routes.personAge, { query })
      return verifications.map(({ provider }) => provider)
    }
    expect(await approvals()).toEqual([])

    const { url } = await sameAccount.call(routes.startAgeCheck, {}, { headers })
    const checkId = new URL(url).searchParams.get('check') ?? ''
    const [body, at] = [resultText(checkId), Math.floor(real.clock.now().getTime() / 1000)]
    const signature = signResult(body, at, AGE_CHECK_SECRET)
    expect(await deliverResult(body, signature, real)).toEqual([200, undefined])
    expect(await sees(sameAccount)).toBe(true)
    expect(await approvals()).toEqual(['ages.example'])
  } finally {
    await real.stop()
    await tried.stop()
  }
})

test('without a provider only the operator approves, and nobody’s approval by the sandbox is left', async () => {
  const alone = await startHarness({ environment: ENVIRONMENT })
  try {
    const approved = visitor(alone)
    await check(approved, { result: 'approved' })
    expect(await sees(approved)).toBe(true)
    alone.context.ageChecks = null
    expect([await verified(approved), await sees(approved)]).toEqual([false, false])
    expect(await codeOf(alone.api.visitor().call(routes.startAgeCheck, {}))).toBe('409 age_check_unavailable')
    expect((await alone.api.visitor().call(routes.config, {})).features.ageCheck).toBe(false)
  } finally {
    await alone.stop()
  }
})
