import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { buildSession, buildUser, type Person } from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { buildAccount, codeAt, emailsTo, PASSWORD, setUpApp } from '../../testing/security.ts'

const NEW = 'another long password'
const MINUTE_MS = 60 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const as = (person: { token: string }) => harness.api.as(person)
/** A further session of a person, in which they haven’t re-authenticated. */
const apiOf = async ({ id }: Person) => as({ token: await buildSession(harness, id) })
const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code
const emailOf = async ({ id }: Person) =>
  (
    await harness.context.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).email
const isLive = async (token: string) => (await as({ token }).send('GET', '/auth/me')).status === 200
const logIn = (email: string, password: string) =>
  harness.api.visitor().send('POST', '/auth/login', { body: { email, password } })

describe('the own password', () => {
  test('changes by the current one, ends every other session and tells the owner', async () => {
    const person = await buildAccount(harness)
    const other = await buildSession(harness, person.id)
    await as(person).call(routes.changePassword, { body: { currentPassword: PASSWORD, password: NEW } })
    expect([await isLive(person.token), await isLive(other)]).toEqual([true, false])
    expect((await logIn(person.email, PASSWORD)).status).toBe(401)
    expect((await logIn(person.email, NEW)).status).toBe(200)
    expect((await emailsTo(harness, person.email))[0]?.subject).toContain('Your password was changed')
  })

  test.each([
    ['a wrong current one', { currentPassword: 'wrong horse', password: NEW }, 403, 'password_wrong'],
    ['a common new one', { currentPassword: PASSWORD, password: 'iloveyou' }, 400, 'password_too_common'],
    ['the same new one', { currentPassword: PASSWORD, password: PASSWORD }, 400, 'password_unchanged'],
    ['a short new one', { currentPassword: PASSWORD, password: '1234567' }, 400, 'invalid_input'],
  ])('stays with %s; no session ends and no mail goes out', async (_what, body, status, code) => {
    const person = await buildAccount(harness)
    const other = await buildSession(harness, person.id)
    const answer = await as(person).send('POST', '/users/changepassword', { body })
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
    expect(await isLive(other)).toBe(true)
    expect((await logIn(person.email, PASSWORD)).status).toBe(200)
    expect(await emailsTo(harness, person.email)).toEqual([])
  })

  test('is guessed at most 5 times in 10 minutes, 30 at once included; then not even the right one counts', async () => {
    const person = await buildAccount(harness)
    const guess = (currentPassword: string) =>
      as(person).send('POST', '/users/changepassword', { body: { currentPassword, password: NEW } })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(`wrong horse ${index}`)))
    expect(answers.filter((answer) => codeOf(answer) === 'password_wrong')).toHaveLength(5)
    expect(answers.filter((answer) => codeOf(answer) === 'rate_limited')).toHaveLength(25)
    expect(codeOf(await guess(PASSWORD))).toBe('rate_limited')
    expect((await logIn(person.email, PASSWORD)).status).toBe(200)
    harness.clock.advance(10 * MINUTE_MS)
    expect((await guess(PASSWORD)).status).toBe(200)
  })
})

describe('the own password, with a second factor on', () => {
  const change = (token: string, currentPassword = PASSWORD) =>
    as({ token }).send('POST', '/users/changepassword', { body: { currentPassword, password: NEW } })

  test('alone changes nothing and proves nothing: not by itself, nor for the calls after it', async () => {
    const person = await buildAccount(harness)
    await setUpApp(harness, as(person))
    const other = await buildSession(harness, person.id)
    harness.clock.advance(10 * MINUTE_MS)
    for (const currentPassword of [PASSWORD, 'wrong horse'])
      expect(codeOf(await change(person.token, currentPassword))).toBe('reauthentication_required')
    for (const [path, body] of [
      ['/users/secondfactor/totp/remove', {}],
      ['/users/changeemail', { email: `new-${crypto.randomUUID().slice(0, 8)}@example.test` }],
    ] as const)
      expect(codeOf(await as(person).send('POST', path, { body }))).toBe('reauthentication_required')
    expect(await isLive(other)).toBe(true)
    expect((await logIn(person.email, PASSWORD)).status).toBe(200)
    expect(await emailOf(person)).toBe(person.email)
    expect(await as(person).call(routes.me, {})).toMatchObject({ secondFactor: 'on' })
  })

  test('changes after a code; the current one is asked for as well, and proves nothing for longer', async () => {
    const person = await buildAccount(harness)
    const { secret } = await setUpApp(harness, as(person))
    harness.clock.advance(10 * MINUTE_MS)
    const { challengeId } = await as(person).call(routes.startReauthentication, {})
    await as(person).call(routes.reauthenticate, {
      body: { challengeId, code: codeAt(secret, harness.clock.now()) },
    })
    harness.clock.advance(9 * MINUTE_MS)
    expect(codeOf(await change(person.token, 'wrong horse'))).toBe('password_wrong')
    expect((await change(person.token)).status).toBe(200)
    expect((await logIn(person.email, NEW)).status).toBe(200)
    harness.clock.advance(MINUTE_MS)
    const removal = await as(person).send('POST', '/users/secondfactor/totp/remove', { body: {} })
    expect(codeOf(removal)).toBe('reauthentication_required')
  })
})

test('without a second factor the current password, once changed, is a factor', async () => {
  const person = await buildAccount(harness)
  const token = await buildSession(harness, person.id)
  await as({ token }).call(routes.changePassword, { body: { currentPassword: PASSWORD, password: NEW } })
  expect((await as({ token }).send('POST', '/users/secondfactor/totp/start', { body: {} })).status).toBe(200)
})

describe('sessions', () => {
  test('are listed for their owner alone, and end one by one or all but the own', async () => {
    const [person, stranger] = [await buildAccount(harness), await buildAccount(harness)]
    const [second, third] = [await buildSession(harness, person.id), await buildSession(harness, person.id)]
    const { items } = await as(person).call(routes.sessions, {})
    expect(items).toHaveLength(4)
    expect(items.filter(({ current }) => current)).toHaveLength(1)
    expect(JSON.stringify(items)).not.toMatch(/token|hash|agent/i)
    const ownId = (await as({ token: second }).call(routes.sessions, {})).items.find(({ current }) => current)
    const sessionId = ownId?._id ?? ''

    const foreign = await as(stranger).send('POST', '/users/sessions/revoke', { body: { sessionId } })
    expect([foreign.status, await isLive(second)]).toEqual([404, true])

    await as(person).call(routes.revokeSession, { body: { sessionId } })
    expect([await isLive(second), await isLive(third)]).toEqual([false, true])
    expect(await as(person).call(routes.revokeOtherSessions, {})).toEqual({ ended: 2 })
    expect([await isLive(third), await isLive(person.token), await isLive(stranger.token)]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('another email address', () => {
  const fresh = () => `new-${crypto.randomUUID().slice(0, 8)}@example.test`
  const linkIn = (mail: { text: string } | undefined) =>
    new URL(/http:\S+\/emailconfirmation\S+/.exec(mail?.text ?? '')?.[0] ?? 'missing:')
  const openLink = (mail: { text: string } | undefined) => {
    const { searchParams } = linkIn(mail)
    const body = { email: searchParams.get('email') ?? '', token: searchParams.get('token') ?? '' }
    return harness.api.visitor().call(routes.confirmEmail, { body })
  }

  test('is asked for by a fresh re-authentication, told to the present one, and used once its link is opened', async () => {
    const person = await buildAccount(harness)
    const email = fresh()
    await harness.api.visitor().call(routes.requestReset, { body: { email: person.email } })
    const [reset] = await emailsTo(harness, person.email)
    await as(person).call(routes.changeEmail, { body: { email } })
    const me = () => as(person).call(routes.me, {})
    expect(await me()).toMatchObject({
      email: person.email,
      pendingEmail: email,
      verifiedEmail: 'verified',
    })
    expect((await emailsTo(harness, person.email))[0]?.subject).toContain('Your email is about to change')
    const [mail, ...more] = await emailsTo(harness, email)
    expect(more).toEqual([])
    await openLink(mail)
    await openLink(mail)
    expect(await me()).toMatchObject({ email, pendingEmail: null, verifiedEmail: 'verified' })
    // A link for a new password that the former address was sent opens nothing.
    const [, userId = '', token = ''] = /\/resetconfirmed\/([^/\s]+)\/(\S+)/.exec(reset?.text ?? '') ?? []
    const stale = await harness.api.visitor().send('POST', '/auth/resettoken', { body: { userId, token } })
    expect([token.length, codeOf(stale)]).toEqual([43, 'reset_invalid'])
  })

  test('that somebody has gets the same answer and shows the same; only its holder hears of it', async () => {
    const [person, other, holder] = [
      await buildAccount(harness),
      await buildAccount(harness),
      await buildAccount(harness),
    ]
    const free = fresh()
    const answers = await Promise.all([
      as(person).send('POST', '/users/changeemail', { body: { email: free } }),
      as(other).send('POST', '/users/changeemail', { body: { email: holder.email } }),
    ])
    expect(answers[1]?.status).toBe(200)
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    const seen = async (who: Person, pendingEmail: string) => {
      expect(await as(who).call(routes.me, {})).toMatchObject({ email: who.email, pendingEmail })
      return (await emailsTo(harness, who.email)).map(({ subject, text }) => [subject, text])
    }
    expect(await seen(other, holder.email)).toEqual(await seen(person, free))
    const [notice, ...more] = await emailsTo(harness, holder.email)
    expect(more).toEqual([])
    expect(notice?.subject).toContain('Someone tried to use your email')
    expect(notice?.text).not.toMatch(/emailconfirmation|token/)
    expect(await emailOf(holder)).toBe(holder.email)
  })

  test('that somebody else took meanwhile is not moved to', async () => {
    const person = await buildAccount(harness)
    const email = fresh()
    await as(person).call(routes.changeEmail, { body: { email } })
    const [mail] = await emailsTo(harness, email)
    const faster = await buildUser(harness, { email })
    const { searchParams } = linkIn(mail)
    const body = { email, token: searchParams.get('token') ?? '' }
    const answer = await harness.api.visitor().send('POST', '/users/emailconfirmation', { body })
    expect(codeOf(answer)).toBe('confirmation_invalid')
    expect([await emailOf(person), await emailOf(faster)]).toEqual([person.email, email])
  })

  test('can be asked for three times a day, at once or one by one, by either call; the last one counts', async () => {
    const person = await buildAccount(harness)
    const { username } = person
    const emails = Array.from({ length: 8 }, fresh)
    const ask = (email: string | undefined, index: number) =>
      index % 2
        ? as(person).send('POST', '/users/changeemail', { body: { email } })
        : as(person).send('POST', '/users/editprofile', {
            body: { firstName: 'Ada', username, redditUsername: 'ada', email },
          })
    const answers = await Promise.all(emails.map(ask))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter((answer) => codeOf(answer) === 'rate_limited')).toHaveLength(5)
    // Only one of the new addresses gets an email.
    let links = 0
    for (const email of emails) links += (await emailsTo(harness, email)).length
    expect(links).toBe(1)
    expect((await emailsTo(harness, person.email)).length).toBe(3)
    harness.clock.advance(24 * 60 * MINUTE_MS)
    const token = await buildSession(harness, person.id, { reauthenticatedAt: harness.clock.now() })
    expect(
      (await as({ token }).send('POST', '/users/changeemail', { body: { email: fresh() } })).status,
    ).toBe(200)
  })

  test('goes by a re-authentication of the same session, for 10 minutes', async () => {
    const person = await buildAccount(harness)
    const [api, elsewhere] = [await apiOf(person), await apiOf(person)]
    const email = fresh()
    const ask = async (by = api) =>
      codeOf(await by.send('POST', '/users/changeemail', { body: { email } })) ?? 'accepted'
    expect(await ask()).toBe('reauthentication_required')
    const { challengeId, methods } = await api.call(routes.startReauthentication, {})
    expect(methods).toEqual(['password'])
    await api.call(routes.reauthenticate, { body: { challengeId, password: PASSWORD } })
    harness.clock.advance(9 * MINUTE_MS)
    expect(await ask(elsewhere)).toBe('reauthentication_required')
    expect((await api.call(routes.me, {})).pendingEmail).toBeNull()
    expect(await ask()).toBe('accepted')
    harness.clock.advance(MINUTE_MS)
    expect(await ask()).toBe('reauthentication_required')
    expect((await api.call(routes.me, {})).pendingEmail).toBe(email)
  })

  test('whether one holds for another minute can be asked', async () => {
    const api = await apiOf(await buildAccount(harness))
    const ask = async () => codeOf(await api.send('GET', '/auth/reauthenticate')) ?? 'yes'
    expect(await ask()).toBe('reauthentication_required')
    const { challengeId } = await api.call(routes.startReauthentication, {})
    await api.call(routes.reauthenticate, { body: { challengeId, password: PASSWORD } })
    harness.clock.advance(8 * MINUTE_MS)
    expect(await ask()).toBe('yes')
    harness.clock.advance(MINUTE_MS)
    expect(await ask()).toBe('reauthentication_required')
  })

  test('an answered challenge is spent, and is no other person’s', async () => {
    const [person, stranger] = [await buildAccount(harness), await buildAccount(harness)]
    const { challengeId } = await as(person).call(routes.startReauthentication, {})
    const body = { challengeId, password: PASSWORD }
    expect(codeOf(await as(stranger).send('POST', '/auth/reauthenticate', { body }))).toBe(
      'challenge_expired',
    )
    expect((await as(person).send('POST', '/auth/reauthenticate', { body })).status).toBe(200)
    expect(codeOf(await as(person).send('POST', '/auth/reauthenticate', { body }))).toBe('challenge_expired')
  })

  test.each<[what: string, factor: Record<string, unknown>, code: string]>([
    ['no factor', {}, 'invalid_input'],
    ['a wrong password', { password: 'wrong horse' }, 'password_wrong'],
    ['a code and no app', { code: '123456' }, 'second_factor_wrong'],
    ['two factors', { password: PASSWORD, code: '123456' }, 'invalid_input'],
  ])('is not to be had with %s; the address stays and nobody gets a mail', async (_what, factor, code) => {
    const person = await buildAccount(harness)
    const api = await apiOf(person)
    const email = fresh()
    const { challengeId } = await api.call(routes.startReauthentication, {})
    const checked = await api.send('POST', '/auth/reauthenticate', { body: { challengeId, ...factor } })
    expect(codeOf(checked)).toBe(code)
    const answer = await api.send('POST', '/users/changeemail', { body: { email, ...factor } })
    expect(codeOf(answer)).toBe('reauthentication_required')
    expect(await api.call(routes.me, {})).toMatchObject({
      email: person.email,
      pendingEmail: null,
      verifiedEmail: 'verified',
    })
    for (const address of [person.email, email]) expect(await emailsTo(harness, address)).toEqual([])
  })

  test('can’t be smuggled in with the profile', async () => {
    const person = await buildAccount(harness)
    const token = await buildSession(harness, person.id)
    const { username } = person
    const answer = await as({ token }).send('POST', '/users/editprofile', {
      body: { firstName: 'Ada', username, redditUsername: 'ada', email: fresh() },
    })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'reauthentication_required'])
    expect(await emailOf(person)).toBe(person.email)
  })
})

describe('a superadmin who must have a second factor', () => {
  test('can do nothing before setting one up, and everything after', async () => {
    const strict = await startHarness({ environment: { SUPERADMIN_SECOND_FACTOR: 'on' } })
    try {
      const operator = await buildUser(strict, { role: 'superadmin' })
      const token = await buildSession(strict, operator.id, { reauthenticatedAt: strict.clock.now() })
      const api = strict.api.as({ token })
      expect(await api.call(routes.me, {})).toMatchObject({ secondFactor: 'required' })
      for (const [method, path] of [
        ['GET', '/users/sessions'],
        ['GET', '/users/users'],
        ['POST', '/users/changeemail'],
        ['DELETE', `/users/deleterequest/${operator.id}`],
      ] as const) {
        const answer = await api.send(method, path, method === 'GET' ? {} : { body: {} })
        expect([path, answer.status, codeOf(answer)]).toEqual([path, 403, 'second_factor_required'])
      }
      await setUpApp(strict, api)
      expect(await api.call(routes.me, {})).toMatchObject({ secondFactor: 'on' })
      expect((await api.send('GET', '/users/sessions')).status).toBe(200)
      const fan = await buildUser(strict)
      expect((await strict.api.as(fan).send('GET', '/users/sessions')).status).toBe(200)
    } finally {
      await strict.stop()
    }
  })
})

test.each([
  [
    'the forum',
    { REDDIT_CLIENT_ID: 'fanfare', REDDIT_CLIENT_SECRET: 'secret', REDDIT_USER_AGENT: 'web:test:1.0' },
    'payments,mail,age',
  ],
  ['mail', { SMTP_URL: 'smtp://mail.example' }, 'payments,age,forum'],
] as const)(
  'an operator must have a second factor as soon as %s alone is real',
  async (_, environment, SANDBOX) => {
    const real = await startHarness({ environment: { ...environment, SANDBOX } })
    try {
      const operator = await buildUser(real, { role: 'support' })
      expect(await real.api.as(operator).call(routes.me, {})).toMatchObject({ secondFactor: 'required' })
    } finally {
      await real.stop()
    }
  },
)

test('a code of the app proves who somebody is where the password no longer does', async () => {
  const person = await buildAccount(harness)
  const { secret } = await setUpApp(harness, as(person))
  const api = await apiOf(person)
  const { challengeId, methods } = await api.call(routes.startReauthentication, {})
  expect(methods).toEqual(['totp', 'recovery'])
  harness.clock.advance(MINUTE_MS)
  const prove = async (factor: object) =>
    codeOf(await api.send('POST', '/auth/reauthenticate', { body: { challengeId, ...factor } }))
  const email = 'moved-by-code@example.test'
  const change = () => api.send('POST', '/users/changeemail', { body: { email } })
  expect(await prove({ password: PASSWORD })).toBe('reauthentication_required')
  expect(codeOf(await change())).toBe('reauthentication_required')
  expect(await prove({ code: codeAt(secret, harness.clock.now()) })).toBeUndefined()
  expect((await change()).status).toBe(200)
  expect((await api.call(routes.me, {})).pendingEmail).toBe(email)
})
