import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildAccount, codeAt, emailsTo, PASSWORD, setUpApp } from '../../../testing/security.ts'

const MINUTE_MS = 60 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code
const sessionsOf = ({ id }: Person) =>
  harness.context.db.selectFrom('sessions').select('id').where('user_id', '=', id).orderBy('id').execute()
const codeNow = (secret: string) => codeAt(secret, harness.clock.now())
const finish = (body: Record<string, unknown>) =>
  harness.api.visitor().send('POST', '/auth/secondfactor', { body })

/** Somebody with an app, long enough after its first code that the next is another. */
async function withApp() {
  const person = await buildAccount(harness)
  const app = await setUpApp(harness, harness.api.as(person))
  harness.clock.advance(MINUTE_MS)
  return { person, ...app }
}

/** Logs in by password; answers the challenge that is left. */
async function half({ email }: Person): Promise<string> {
  const visitor = harness.api.visitor()
  const answer = await visitor.call(routes.login, { body: { email, password: PASSWORD } })
  expect(answer.token).toBeNull()
  return answer.secondFactor?.challengeId ?? ''
}

describe('logging in with an app', () => {
  test('takes the password and a code, and gives a session only then', async () => {
    const { person, secret } = await withApp()
    const before = await sessionsOf(person)
    const visitor = harness.api.visitor()
    const { secondFactor } = await visitor.call(routes.login, {
      body: { email: person.email, password: PASSWORD },
    })
    expect(secondFactor).toMatchObject({ methods: ['totp', 'recovery'], passkey: null })
    expect(visitor.cookies.get('media_viewer') ?? 'v.').not.toMatch(/^s\./)
    expect(await sessionsOf(person)).toEqual(before)
    const { token } = await visitor.call(routes.finishLogin, {
      body: { challengeId: secondFactor?.challengeId ?? '', code: codeNow(secret) },
    })
    expect((await harness.api.as({ token }).call(routes.me, {})).secondFactor).toBe('on')
    expect(visitor.cookies.get('media_viewer')).toMatch(/^s\./)
  })

  type Person2 = Awaited<ReturnType<typeof withApp>>
  test.each<[what: string, answer: (one: Person2) => Promise<Record<string, unknown>>, code: string]>([
    [
      'a wrong code',
      async ({ person }) => ({ challengeId: await half(person), code: '000000' }),
      'second_factor_wrong',
    ],
    [
      'a code that was taken before',
      async ({ person, secret }) => {
        const code = codeNow(secret)
        expect((await finish({ challengeId: await half(person), code })).status).toBe(200)
        return { challengeId: await half(person), code }
      },
      'second_factor_wrong',
    ],
    [
      'a code of two minutes ago',
      async ({ person, secret }) => ({
        challengeId: await half(person),
        code: codeAt(secret, new Date(harness.clock.now().getTime() - 2 * MINUTE_MS)),
      }),
      'second_factor_wrong',
    ],
    [
      'a challenge that was used',
      async ({ person, secret }) => {
        const challengeId = await half(person)
        expect((await finish({ challengeId, code: codeNow(secret) })).status).toBe(200)
        harness.clock.advance(MINUTE_MS)
        return { challengeId, code: codeNow(secret) }
      },
      'challenge_expired',
    ],
    [
      'a challenge of 10 minutes ago',
      async ({ person, secret }) => {
        const challengeId = await half(person)
        harness.clock.advance(10 * MINUTE_MS)
        return { challengeId, code: codeNow(secret) }
      },
      'challenge_expired',
    ],
    [
      'a challenge of another person',
      async ({ secret }) => ({ challengeId: await half((await withApp()).person), code: codeNow(secret) }),
      'second_factor_wrong',
    ],
    [
      'a challenge that was for something else',
      async ({ person, secret }) => {
        const { challengeId } = await harness.api.as(person).call(routes.startReauthentication, {})
        return { challengeId, code: codeNow(secret) }
      },
      'challenge_expired',
    ],
    [
      'a challenge from before a new password',
      async ({ person, secret }) => {
        const challengeId = await half(person)
        const body = { currentPassword: PASSWORD, password: 'another long password' }
        await harness.api.as(person).call(routes.changePassword, { body })
        return { challengeId, code: codeNow(secret) }
      },
      'challenge_expired',
    ],
    [
      'a wrong recovery code',
      async ({ person }) => ({ challengeId: await half(person), recoveryCode: 'aaaaa-aaaaa' }),
      'second_factor_wrong',
    ],
    ['nothing', async ({ person }) => ({ challengeId: await half(person) }), 'invalid_input'],
    [
      'two factors at once',
      async ({ person, secret, recoveryCodes: [recoveryCode] }) => ({
        challengeId: await half(person),
        code: codeNow(secret),
        recoveryCode,
      }),
      'invalid_input',
    ],
  ])('refuses %s and opens no session', async (_what, answer, code) => {
    const one = await withApp()
    const body = await answer(one)
    const before = await sessionsOf(one.person)
    expect(codeOf(await finish(body))).toBe(code)
    expect(await sessionsOf(one.person)).toEqual(before)
  })

  test('one code used 20 times at once opens one session', async () => {
    const { person, secret } = await withApp()
    const challenges: string[] = []
    for (let index = 0; index < 4; index++) challenges.push(await half(person))
    const before = (await sessionsOf(person)).length
    const code = codeNow(secret)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => finish({ challengeId: challenges[index % 4], code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await sessionsOf(person)).length).toBe(before + 1)
  })

  test('is guessed 5 times an account in 10 minutes, over all challenges, also at once', async () => {
    const { person, secret } = await withApp()
    const before = await sessionsOf(person)
    const challenges = [await half(person), await half(person), await half(person)]
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        finish({ challengeId: challenges[index % 3], code: `00000${index % 10}` }),
      ),
    )
    expect(answers.filter((answer) => codeOf(answer) === 'second_factor_wrong')).toHaveLength(5)
    const right = await finish({ challengeId: await half(person), code: codeNow(secret) })
    expect([right.status, codeOf(right)]).toEqual([429, 'rate_limited'])
    // Ten minutes from the first guess, which was made a moment ago.
    const wait = Number(right.headers.get('retry-after'))
    expect([wait > 540, wait <= 600]).toEqual([true, true])
    expect(right.body).toMatchObject({ error: 'Too many attempts. Please try again in 10 minutes.' })
    expect(await sessionsOf(person)).toEqual(before)
    harness.clock.advance(10 * MINUTE_MS)
    expect((await finish({ challengeId: await half(person), code: codeNow(secret) })).status).toBe(200)
  })
})

describe('recovery codes', () => {
  test('are ten, stored as hashes, and each logs in once, which the owner hears of', async () => {
    const { person, recoveryCodes } = await withApp()
    expect(new Set(recoveryCodes).size).toBe(10)
    const [code = ''] = recoveryCodes
    expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/)
    const rows = await harness.context.db.selectFrom('recovery_codes').selectAll().execute()
    for (const shown of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(shown.replace('-', ''))
    const typed = ` ${code.toUpperCase().replace('-', ' ')} `
    const challenges = [await half(person), await half(person)]
    const answers = await Promise.all(
      challenges.map((challengeId) => finish({ challengeId, recoveryCode: typed })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect((await harness.api.as(person).call(routes.secondFactor, {})).recoveryCodesLeft).toBe(9)
    expect((await emailsTo(harness, person.email))[0]?.text).toContain('You have 9 left')
  })

  test('new ones end the old ones', async () => {
    const { person, recoveryCodes } = await withApp()
    const { recoveryCodes: newer } = await harness.api
      .as({ token: await buildSession(harness, person.id, { reauthenticatedAt: harness.clock.now() }) })
      .call(routes.newRecoveryCodes, {})
    const old = await finish({ challengeId: await half(person), recoveryCode: recoveryCodes[0] })
    expect(codeOf(old)).toBe('second_factor_wrong')
    expect((await finish({ challengeId: await half(person), recoveryCode: newer?.[0] })).status).toBe(200)
  })

  test('are not given without a factor', async () => {
    const person = await buildAccount(harness)
    const answer = await harness.api
      .as(person)
      .send('POST', '/users/secondfactor/recoverycodes', { body: {} })
    expect([answer.status, codeOf(answer)]).toEqual([409, 'second_factor_missing'])
    expect(await harness.api.as(person).call(routes.secondFactor, {})).toMatchObject({ recoveryCodesLeft: 0 })
  })
})

describe('the app', () => {
  test('counts only once a code of it was shown; its secret lies encrypted', async () => {
    const person = await buildAccount(harness)
    const api = harness.api.as(person)
    const { secret, uri } = await api.call(routes.startTotp, {})
    expect(uri).toMatch(/^otpauth:\/\/totp\/Fanfare:/)
    expect(uri).toContain(`secret=${secret}`)
    const { sealed_secret } = await harness.context.db
      .selectFrom('totp_secrets')
      .selectAll()
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(sealed_secret.toString('latin1')).not.toContain(secret)
    const wrong = await api.send('POST', '/users/secondfactor/totp/confirm', { body: { code: '000000' } })
    expect(codeOf(wrong)).toBe('second_factor_wrong')
    expect(await api.call(routes.secondFactor, {})).toMatchObject({ app: null, recoveryCodesLeft: 0 })
    const { token } = await harness.api
      .visitor()
      .call(routes.login, { body: { email: person.email, password: PASSWORD } })
    expect(token).not.toBeNull()
  })

  test('removed, the password is enough again, its recovery codes are gone, and the owner hears of it', async () => {
    const { person } = await withApp()
    const api = harness.api.as({
      token: await buildSession(harness, person.id, { reauthenticatedAt: harness.clock.now() }),
    })
    await api.call(routes.removeTotp, {})
    expect(await api.call(routes.secondFactor, {})).toMatchObject({ app: null, recoveryCodesLeft: 0 })
    const { token } = await harness.api
      .visitor()
      .call(routes.login, { body: { email: person.email, password: PASSWORD } })
    expect(token).not.toBeNull()
    expect((await emailsTo(harness, person.email))[0]?.subject).toContain(
      'Two-factor authentication was removed',
    )
  })

  test.each([
    ['/users/secondfactor/totp/start', {}],
    ['/users/secondfactor/totp/remove', {}],
    ['/users/secondfactor/recoverycodes', {}],
    ['/users/passkeys/start', {}],
    ['/users/passkeys/remove', { passkeyId: '01890000-0000-7000-8000-00000000dead' }],
  ])('%s needs a fresh re-authentication, else nothing changes', async (path, body) => {
    const { person } = await withApp()
    const api = harness.api.as({ token: await buildSession(harness, person.id) })
    const before = await api.call(routes.secondFactor, {})
    const answer = await api.send('POST', path, { body })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'reauthentication_required'])
    expect(await api.call(routes.secondFactor, {})).toEqual(before)
  })

  test('with it on, the password is not enough', async () => {
    const { person, secret } = await withApp()
    const api = harness.api.as({ token: await buildSession(harness, person.id) })
    const { challengeId, methods } = await api.call(routes.startReauthentication, {})
    expect(methods).toEqual(['totp', 'recovery'])
    const byPassword = await api.send('POST', '/auth/reauthenticate', {
      body: { challengeId, password: PASSWORD },
    })
    expect(codeOf(byPassword)).toBe('reauthentication_required')
    expect(codeOf(await api.send('POST', '/users/passkeys/start', { body: {} }))).toBe(
      'reauthentication_required',
    )
    await api.call(routes.reauthenticate, { body: { challengeId, code: codeNow(secret) } })
    expect((await api.send('POST', '/users/passkeys/start', { body: {} })).status).toBe(200)
  })
})

describe('a passkey', () => {
  const nonsense = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    clientExtensionResults: {},
  }

  test('that is nonsense is not added, nor logs anybody in', async () => {
    const person = await buildAccount(harness)
    const api = harness.api.as(person)
    const { challengeId, options } = await api.call(routes.startPasskey, {})
    expect(options.rp.id).toBe('fanfare.test')
    const added = await api.send('POST', '/users/passkeys/add', {
      body: {
        challengeId,
        name: 'Key',
        passkey: { ...nonsense, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
      },
    })
    expect([added.status, codeOf(added)]).toEqual([403, 'passkey_refused'])
    expect(await api.call(routes.secondFactor, {})).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })

    const before = await sessionsOf(person)
    const login = await harness.api.visitor().call(routes.startPasskeyLogin, {})
    const answer = await finish({
      challengeId: login.challengeId,
      passkey: {
        ...nonsense,
        response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
      },
    })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'passkey_refused'])
    expect(codeOf(await finish({ challengeId: login.challengeId, code: '123456' }))).toBe('passkey_refused')
    expect(await sessionsOf(person)).toEqual(before)
  })
})
