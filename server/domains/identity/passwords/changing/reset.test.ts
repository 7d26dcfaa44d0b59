import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildSession, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { buildAccount, emailsTo, PASSWORD, setUpApp } from '../../../../testing/security.ts'

const NEW = 'another long password'
const MINUTE_MS = 60 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const post = (path: string, body: unknown) => harness.api.visitor().send('POST', path, { body })
const logsIn = async ({ email }: Person, password: string) =>
  (await post('/auth/login', { email, password })).status === 200
const sessionsOf = ({ id }: Person) =>
  harness.context.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()

/** Asks for a reset and opens the mail. */
async function linkFor(person: Person): Promise<{ userId: string; token: string }> {
  await harness.api.visitor().call(routes.requestReset, { body: { email: person.email } })
  const [message] = await emailsTo(harness, person.email)
  const [, userId = '', token = ''] = /\/resetconfirmed\/([^/\s]+)\/(\S+)/.exec(message?.text ?? '') ?? []
  return { userId, token }
}

describe('asking for a reset', () => {
  test('answers the same for an account, in any case, and for nobody; only the account gets a mail', async () => {
    const person = await buildAccount(harness)
    const known = await post('/auth/reset', { email: ` ${person.email.toUpperCase()} ` })
    const unknown = await post('/auth/reset', { email: 'nobody@example.test' })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect(known.body).toEqual({
      message: 'You should receive an email. Click the link inside to reset your password.',
    })
    expect(await emailsTo(harness, person.email)).toHaveLength(1)
    expect(await emailsTo(harness, 'nobody@example.test')).toHaveLength(0)
  })

  test('sends one account at most 2 mails an hour, and again after it', async () => {
    const person = await buildAccount(harness)
    for (let asked = 0; asked < 8; asked++) await linkFor(person)
    expect(await emailsTo(harness, person.email)).toHaveLength(2)
    harness.clock.advance(60 * MINUTE_MS)
    await linkFor(person)
    expect(await emailsTo(harness, person.email)).toHaveLength(3)
  })

  test('counts 10 an address in 10 minutes, whatever the header says', async () => {
    const counted = await startHarness({ rateLimits: true })
    try {
      const statuses: number[] = []
      for (let index = 0; index < 12; index++) {
        const { status } = await counted.api.visitor().send('POST', '/auth/reset', {
          body: { email: `somebody${index}@example.test` },
          headers: { 'x-forwarded-for': `203.0.113.${index}` },
        })
        statuses.push(status)
      }
      expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    } finally {
      await counted.stop()
    }
  })
})

describe('the link', () => {
  test('sets a new password, ends every session and says so by mail', async () => {
    const person = await buildAccount(harness)
    await buildSession(harness, person.id)
    const link = await linkFor(person)
    await harness.api.visitor().call(routes.checkResetToken, { body: link })
    expect(
      await harness.api.visitor().call(routes.updatePassword, { body: { ...link, password: NEW } }),
    ).toEqual({ message: 'Successfully updated password. Please try logging in.' })
    expect(await sessionsOf(person)).toEqual([])
    expect((await harness.api.as(person).send('GET', '/auth/me')).status).toBe(401)
    expect([await logsIn(person, PASSWORD), await logsIn(person, NEW)]).toEqual([false, true])
    const [notice] = await emailsTo(harness, person.email)
    expect(notice?.subject).toContain('Your password was changed')
  })

  test('is stored only as a hash', async () => {
    const person = await buildAccount(harness)
    const { token } = await linkFor(person)
    const row = await harness.context.db
      .selectFrom('password_resets')
      .selectAll()
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(row.token_hash).toHaveLength(32)
    expect(row.token_hash.toString('latin1')).not.toContain(token)
  })

  type Link = { userId: string; token: string }
  test.each<[what: string, spoil: (link: Link, other: Person) => Promise<Link> | Link]>([
    ['of another person', (link, other) => ({ ...link, userId: other.id })],
    ['of no person', (link) => ({ ...link, userId: 'nobody' })],
    [
      'with another token',
      (link) => ({ ...link, token: link.token.slice(0, -2) + (link.token.endsWith('AA') ? 'BB' : 'AA') }),
    ],
    [
      'after an hour',
      (link) => {
        harness.clock.advance(60 * MINUTE_MS)
        return link
      },
    ],
    [
      'a second time',
      async (link) => {
        await post('/auth/updatepassword', { ...link, password: PASSWORD })
        return link
      },
    ],
    [
      'once another link was used',
      async (link, _other) => {
        const { email } = await harness.context.db
          .selectFrom('users')
          .select('email')
          .where('id', '=', link.userId)
          .executeTakeFirstOrThrow()
        const newer = await linkFor({ id: link.userId, email, username: '', token: '' })
        await post('/auth/updatepassword', { ...newer, password: PASSWORD })
        return link
      },
    ],
  ])('is refused %s; no password changes and no session ends', async (_what, spoil) => {
    const [person, other] = [await buildAccount(harness), await buildAccount(harness)]
    const link = await spoil(await linkFor(person), other)
    const before = [await sessionsOf(person), await sessionsOf(other)]
    const mails = (await emailsTo(harness, person.email)).length
    for (const [path, body] of [
      ['/auth/resettoken', link],
      ['/auth/updatepassword', { ...link, password: NEW }],
    ] as const) {
      const { status, body: answer } = await post(path, body)
      expect([status, (answer as { code: string }).code]).toEqual([400, 'reset_invalid'])
    }
    expect([await sessionsOf(person), await sessionsOf(other)]).toEqual(before)
    expect([await logsIn(person, NEW), await logsIn(other, NEW)]).toEqual([false, false])
    expect([await logsIn(person, PASSWORD), await logsIn(other, PASSWORD)]).toEqual([true, true])
    expect(await emailsTo(harness, person.email)).toHaveLength(mails)
  })

  test.each([
    ['too short', '1234567', 'invalid_input'],
    ['a common one', 'Password1', 'password_too_common'],
    ['the brand', 'Fanfare2026', 'password_like_account'],
  ])('survives a password that is %s, which is said at the field', async (_what, password, code) => {
    const person = await buildAccount(harness)
    const link = await linkFor(person)
    const { status, body } = await post('/auth/updatepassword', { ...link, password })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code, details: { password: expect.any(String) } })
    expect(await logsIn(person, PASSWORD)).toBe(true)
    expect((await post('/auth/updatepassword', { ...link, password: NEW })).status).toBe(200)
  })

  test('used 100 times at once works once', async () => {
    const person = await buildAccount(harness)
    const link = await linkFor(person)
    const mails = (await emailsTo(harness, person.email)).length
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        post('/auth/updatepassword', { ...link, password: `${NEW} ${index}` }),
      ),
    )
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(won).toHaveLength(1)
    expect(await logsIn(person, `${NEW} ${won[0]}`)).toBe(true)
    expect(await emailsTo(harness, person.email)).toHaveLength(mails + 1)
  })
})

describe('whoever had the account before its reset', () => {
  const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

  test('can’t move it to an email address that they asked for before', async () => {
    const person = await buildAccount(harness)
    const theirs = `thief-${crypto.randomUUID().slice(0, 8)}@example.test`
    await harness.api.as(person).call(routes.changeEmail, { body: { email: theirs } })
    const [mail] = await emailsTo(harness, theirs)
    const token = new URL(
      /http:\S+\/emailconfirmation\S+/.exec(mail?.text ?? '')?.[0] ?? '',
    ).searchParams.get('token')
    const link = await linkFor(person)
    await harness.api.visitor().call(routes.updatePassword, { body: { ...link, password: NEW } })
    const { status, body } = await post('/users/emailconfirmation', { email: theirs, token })
    expect([status, (body as { code: string }).code]).toEqual([400, 'confirmation_invalid'])
    expect(await logsIn(person, NEW)).toBe(true)
    expect(await logsIn({ ...person, email: theirs }, NEW)).toBe(false)
    await harness.api.visitor().call(routes.requestReset, { body: { email: theirs } })
    expect(await emailsTo(harness, theirs)).toHaveLength(1)
  })

  test('can’t log in by the old password while it is replaced', async () => {
    const { db } = harness.context
    for (const withApp of [false, true]) {
      const person = await buildAccount(harness)
      if (withApp) await setUpApp(harness, harness.api.as(person))
      const link = await linkFor(person)
      let answers: Promise<number>[] = []
      await db.transaction().execute(async (holding) => {
        await holding.selectFrom('users').select('id').where('id', '=', person.id).forUpdate().execute()
        const reset = statusOf(post('/auth/updatepassword', { ...link, password: NEW }))
        await expect.poll(() => waitingForLocks(db)).toBe(1)
        const login = statusOf(post('/auth/login', { email: person.email, password: PASSWORD }))
        await expect.poll(() => waitingForLocks(db)).toBe(2)
        answers = [reset, login]
      })
      expect(await Promise.all(answers)).toEqual([200, 401])
      expect(await sessionsOf(person)).toEqual([])
      const { rows } = await sql`select from authentication_challenges where user_id = ${person.id}`.execute(
        db,
      )
      expect(rows).toEqual([])
    }
  })

  test('can’t set a password of their own while it is replaced', async () => {
    const { db } = harness.context
    const person = await buildAccount(harness)
    const link = await linkFor(person)
    const body = { currentPassword: PASSWORD, password: 'the password of a thief' }
    // A correct password deletes its counted attempt: the thief waits here with that, and nobody else has one.
    await sql`
      create function wait_with_attempt() returns trigger language plpgsql as
        $$ begin perform from installation for update; return old; end $$;
      create trigger wait_with_attempt before delete on authentication_attempts
        for each row execute function wait_with_attempt()`.execute(db)
    onTestFinished(async () => void (await sql`drop function wait_with_attempt cascade`.execute(db)))
    const { change } = await db.transaction().execute(async (holding) => {
      await holding.selectFrom('installation').select('id').forUpdate().execute()
      const change = harness.api.as(person).send('POST', '/users/changepassword', { body })
      await expect.poll(() => waitingForLocks(db)).toBe(1)
      expect((await post('/auth/updatepassword', { ...link, password: NEW })).status).toBe(200)
      // As an object it isn’t waited for here.
      return { change }
    })
    const { status, body: answer } = await change
    expect([status, (answer as { code: string }).code]).toEqual([403, 'password_wrong'])
    expect([await logsIn(person, NEW), await logsIn(person, body.password)]).toEqual([true, false])
  })
})
