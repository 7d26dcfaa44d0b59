import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

let count = 0
function form(changes: Record<string, unknown> = {}) {
  const username = `ada${++count}`
  const email = `${username}@example.test`
  const person = {
    firstName: 'Ada',
    email,
    username,
    redditUsername: username,
    password: 'correct horse',
    isCreator: 'false',
  }
  return { ...person, ...changes }
}

/** How much of everything that a sign-up makes there is, once the queue is worked. */
async function traces() {
  await harness.runJobs()
  const { db } = harness.context
  const countOf = async (table: 'users' | 'profiles' | 'sessions' | 'email_confirmations') => {
    const { rows } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return rows
  }
  const { items } = (await (await fetch(`${harness.sandboxOrigin}/sandbox/mail/messages`)).json()) as {
    items: unknown[]
  }
  return {
    users: await countOf('users'),
    profiles: await countOf('profiles'),
    sessions: await countOf('sessions'),
    confirmations: await countOf('email_confirmations'),
    mails: items.length,
  }
}

const send = (body: unknown) => harness.api.visitor().send('POST', '/users/signup', { body })
const accountOf = (email: string) =>
  harness.context.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function signUp(changes: Record<string, unknown> = {}) {
  const body = form(changes)
  const { status, body: answer } = await send(body)
  expect(status).toBe(200)
  return { ...body, email: body.email.trim().toLowerCase(), token: (answer as { token: string }).token }
}

describe('signing up', () => {
  test('makes an unconfirmed account, its profile and a session, and mails the link', async () => {
    const { token, email, username } = await signUp({
      email: `  Ada.Lovelace@Example.TEST `,
      redditUsername: ' /u/ada _l ',
      lastName: 'Lovelace',
      isCreator: 'true',
    })
    const me = await harness.api.as({ token }).call(routes.me, {})
    expect(me).toMatchObject({
      username,
      email: 'ada.lovelace@example.test',
      firstName: 'Ada',
      lastName: 'Lovelace',
      redditUsername: 'ada_l',
      isCreator: true,
      role: null,
      verifiedEmail: 'unverified',
      unlockedMedia: [],
      subscriptions: [],
      links: [],
      forumConnected: false,
    })
    expect(me.referralCode).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/)
    const account = await accountOf(email)
    expect(account.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const session = await harness.context.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', account.id)
      .executeTakeFirstOrThrow()
    expect(session.token_hash.toString('latin1')).not.toContain(token)
    expect(
      await harness.context.db.selectFrom('profiles').selectAll().where('user_id', '=', account.id).execute(),
    ).toHaveLength(1)
  })

  test('takes isCreator as text or boolean, and a password of exactly 8 characters', async () => {
    const fan = await signUp({ isCreator: false, password: 'k7 qw9xz' })
    const creator = await signUp({ isCreator: true })
    expect((await accountOf(fan.email)).is_creator).toBe(false)
    expect((await accountOf(creator.email)).is_creator).toBe(true)
  })

  const tooLong = 'x'.repeat(400)
  test.each<[what: string, changes: Record<string, unknown>, field: string, text: string]>([
    ['a short password', { password: '1234567' }, 'password', 'Password must be 8 or more characters'],
    ['an endless password', { password: tooLong }, 'password', ''],
    [
      'no creator choice',
      { isCreator: undefined },
      'isCreator',
      "You need to select whether you're a creator or not.",
    ],
    [
      'another creator choice',
      { isCreator: 'maybe' },
      'isCreator',
      "You need to select whether you're a creator or not.",
    ],
    ['no first name', { firstName: ' ' }, 'firstName', 'Enter your first name.'],
    ['an endless first name', { firstName: tooLong }, 'firstName', 'Use at most 60 characters.'],
    ['control characters in a name', { firstName: 'A\u0000da' }, 'firstName', 'Use plain text only.'],
    ['no email', { email: '' }, 'email', 'Enter a valid email address.'],
    ['no real email', { email: 'ada at example' }, 'email', 'Enter a valid email address.'],
    [
      'a second line in the email',
      { email: 'ada@example.test\nBcc: b@example.test' },
      'email',
      'Enter a valid email address.',
    ],
    [
      'a username with a slash',
      { username: 'ada/../x' },
      'username',
      'Use 2 to 30 letters, numbers, periods, dashes, or underscores.',
    ],
    [
      'a username of one letter',
      { username: 'a' },
      'username',
      'Use 2 to 30 letters, numbers, periods, dashes, or underscores.',
    ],
    [
      'a username with markup',
      { username: '<b>ada</b>' },
      'username',
      'Use 2 to 30 letters, numbers, periods, dashes, or underscores.',
    ],
    ['no forum username', { redditUsername: '/u/ ' }, 'redditUsername', 'Enter your forum username.'],
    ['a NUL in a referral code', { referralCode: 'a\u0000' }, 'referralCode', 'Use plain text only.'],
    [
      'an endless shared code',
      { sharedReferralCode: tooLong },
      'sharedReferralCode',
      'Use at most 40 characters.',
    ],
    ['a list for a text', { username: ['ada'] }, 'username', ''],
  ])('refuses %s and leaves nothing behind', async (_what, changes, field, text) => {
    const before = await traces()
    const { status, body } = await send(form(changes))
    expect(status).toBe(400)
    const refusal = body as { code: string; error: string; details: Record<string, string> }
    expect(refusal.code).toBe('invalid_input')
    expect(Object.keys(refusal.details)).toEqual([field])
    if (text) expect([refusal.error, refusal.details[field]]).toEqual([text, text])
    expect(await traces()).toEqual(before)
  })

  test.each<[what: string, twin: (taken: { email: string; username: string }) => Record<string, unknown>]>([
    ['email', ({ email }) => ({ email })],
    ['email in capitals', ({ email }) => ({ email: email.toUpperCase() })],
    ['username', ({ username }) => ({ username })],
    ['username in capitals', ({ username }) => ({ username: username.toUpperCase() })],
  ])('refuses a taken %s with the same text, and leaves nothing behind', async (_what, twin) => {
    const taken = await signUp()
    const before = await traces()
    const { status, body } = await send(form(twin(taken)))
    expect(status).toBe(409)
    expect(body).toEqual({
      code: 'signup_taken',
      error: 'Something went wrong. The email or username may already exist.',
    })
    expect(await traces()).toEqual(before)
  })

  test('makes one account of 20 sign-ups for one username at once', async () => {
    const before = await traces()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(form({ username: index % 2 ? 'everybody' : 'EveryBody' })),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const after = await traces()
    expect(
      Object.entries(after).map(([name, rows]) => [name, rows - before[name as keyof typeof before]]),
    ).toEqual([
      ['users', 1],
      ['profiles', 1],
      ['sessions', 1],
      ['confirmations', 1],
      ['mails', 1],
    ])
  })

  test('counts 20 sign-ups an hour from one address, whatever the header says', async () => {
    const counted = await startHarness({ rateLimits: true })
    try {
      const attempt = (index: number) =>
        counted.api.visitor().send('POST', '/users/signup', {
          body: form(),
          headers: { 'x-forwarded-for': `203.0.113.${index}` },
        })
      const statuses: number[] = []
      for (let index = 0; index < 22; index++) statuses.push((await attempt(index)).status)
      expect(statuses).toEqual([...Array(20).fill(200), 429, 429])
      expect(Number((await attempt(22)).headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await counted.context.db.selectFrom('users').select('id').execute()).toHaveLength(20)
    } finally {
      await counted.stop()
    }
  })
})

describe('sign-ups with one email address', () => {
  test('are counted across networks, 5 an hour', async () => {
    const counted = await startHarness({
      rateLimits: true,
      environment: { TRUST_PROXY: '127.0.0.1', SANDBOX_TOKEN: 'only the operator knows' },
    })
    try {
      const { email } = form()
      const statuses: number[] = []
      for (let network = 1; network <= 6; network++) {
        const headers = { 'x-forwarded-for': `203.0.${network}.1` }
        const { status } = await counted.api.visitor().send('POST', '/users/signup', {
          body: form({ email: network % 2 ? email : email.toUpperCase() }),
          headers,
        })
        statuses.push(status)
      }
      expect(statuses).toEqual([200, 409, 409, 409, 409, 429])
    } finally {
      await counted.stop()
    }
  })
})

describe('whether a username is free', () => {
  const ask = (query: string) => harness.api.visitor().send('GET', `/users/usernamefree?${query}`)

  test('is told to visitors, whatever its case, and makes nothing', async () => {
    const { username } = await signUp()
    const before = await traces()
    expect((await ask(`username=${username.toUpperCase()}`)).body).toEqual({ free: false })
    expect((await ask('username=nobody-has-this')).body).toEqual({ free: true })
    expect(await traces()).toEqual(before)
  })

  test('is not told of what is no username, such as an address', async () => {
    const { email } = await signUp()
    const { status, body } = await ask(
      `username=${encodeURIComponent(email)}&email=${encodeURIComponent(email)}`,
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'invalid_input',
      details: { username: 'Use 2 to 30 letters, numbers, periods, dashes, or underscores.' },
    })
    expect(body).not.toHaveProperty('free')
  })
})
