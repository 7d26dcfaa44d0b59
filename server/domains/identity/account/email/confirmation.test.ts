import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { Refused } from '../../../../testing/api.ts'
import { buildSession, buildUser, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

const HOUR_MS = 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ environment: { BRAND_NAME: 'Tom & Ann’s' } })
})
afterAll(() => harness?.stop())

type Message = { to: string; subject: string; text: string; html: string }

async function mailsTo(address: string): Promise<Message[]> {
  await harness.runJobs()
  const answer = await fetch(
    `${harness.sandboxOrigin}/sandbox/mail/messages?to=${encodeURIComponent(address)}`,
  )
  return ((await answer.json()) as { items: Message[] }).items
}

function linkOf(message: Message | undefined): { email: string; token: string } {
  const link = new URL(/http:\/\/fanfare\.test\/\S+/.exec(message?.text ?? '')?.[0] ?? 'missing:')
  expect(link.pathname).toBe('/emailconfirmation')
  return { email: link.searchParams.get('email') ?? '', token: link.searchParams.get('token') ?? '' }
}

const resend = (person: Person, body: { email?: string; userId?: string } = {}) =>
  harness.api.as(person).call(routes.resendEmailConfirmation, { body })
const confirm = (body: { email: string; token: string }) =>
  harness.api.visitor().call(routes.confirmEmail, { body })
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? error.code : error),
  )
const verified = async (person: Person) => (await harness.api.as(person).call(routes.me, {})).verifiedEmail

async function mailed(email?: string): Promise<{ person: Person; link: { email: string; token: string } }> {
  const person = await buildUser(harness, { verified: false, ...(email ? { email } : {}) })
  await resend(person)
  return { person, link: linkOf((await mailsTo(person.email))[0]) }
}

describe('the mail', () => {
  test('arrives after sign-up, and its link confirms', async () => {
    const email = 'grace+hopper@example.test'
    const { token } = await harness.api.visitor().call(routes.signup, {
      body: {
        firstName: 'http://spam.test',
        email,
        username: 'grace',
        redditUsername: 'grace',
        password: 'correct horse',
        isCreator: 'false',
      },
    })
    const [message, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(message?.subject).toBe('Verify your email for Tom & Ann’s')
    expect(message?.text + (message?.html ?? '')).not.toContain('spam.test')
    expect(message?.html).toContain('Tom &amp; Ann’s')
    const link = linkOf(message)
    expect(message?.html.replaceAll('&amp;', '&')).toContain(
      `?email=grace%2Bhopper%40example.test&token=${link.token}`,
    )
    await confirm(link)
    expect((await harness.api.as({ token }).call(routes.me, {})).verifiedEmail).toBe('verified')
  })

  test('can be asked for again; the older link stays good', async () => {
    const { person, link } = await mailed()
    expect(await resend(person, { email: person.email.toUpperCase(), userId: person.id })).toEqual({
      message: 'Email has been sent. Please check your email!',
    })
    const messages = await mailsTo(person.email)
    expect(messages).toHaveLength(2)
    const newer = messages.map(linkOf).find(({ token }) => token !== link.token)
    await confirm(link)
    expect(await verified(person)).toBe('verified')
    expect(await refusalOf(confirm(newer ?? link))).toBe('confirmation_invalid')
  })

  test('is not sent to a confirmed address, which is said kindly', async () => {
    const person = await buildUser(harness)
    expect(await resend(person)).toEqual({ message: 'Your email is already verified.' })
    expect(await mailsTo(person.email)).toEqual([])
  })

  test('goes to nobody else, and for nobody else', async () => {
    const [person, other] = [
      await buildUser(harness, { verified: false }),
      await buildUser(harness, { verified: false }),
    ]
    expect(await refusalOf(resend(person, { email: other.email }))).toBe('not_yourself')
    expect(await refusalOf(resend(person, { userId: other.id }))).toBe('not_yourself')
    expect(await mailsTo(other.email)).toEqual([])
    expect(await mailsTo(person.email)).toEqual([])
  })
})

describe('the link', () => {
  test('used twice, as by a page loaded twice, answers yes twice; used 20 times at once too', async () => {
    const { person, link } = await mailed()
    await Promise.all(Array.from({ length: 20 }, () => confirm(link)))
    await confirm(link)
    expect(await verified(person)).toBe('verified')
  })

  test('does its work once: it does not confirm the account a second time', async () => {
    const { person, link } = await mailed()
    await confirm(link)
    const { db } = harness.context
    const moment = new Date('2020-01-01T00:00:00Z')
    await db.updateTable('users').set({ email_verified_at: moment }).where('id', '=', person.id).execute()
    await confirm(link)
    const account = await db
      .selectFrom('users')
      .select('email_verified_at')
      .where('id', '=', person.id)
      .executeTakeFirst()
    expect(account?.email_verified_at).toEqual(moment)
  })

  test('logs nobody in', async () => {
    const { link } = await mailed()
    const visitor = harness.api.visitor()
    await visitor.call(routes.confirmEmail, { body: link })
    expect(visitor.cookies.get('media_viewer')).toMatch(/^v\./)
  })

  test.each<
    [
      what: string,
      tamper: (link: { email: string; token: string }, other: Person) => { email: string; token: string },
    ]
  >([
    ['another token', (link) => ({ ...link, token: `${link.token.slice(0, -1)}_` })],
    ['an empty-looking token', (link) => ({ ...link, token: ' ' })],
    ['another account’s address', (link, other) => ({ ...link, email: other.email })],
    ['a token with NUL', (link) => ({ ...link, token: `${link.token}\u0000` })],
  ])('with %s is refused and confirms nobody', async (_what, tamper) => {
    const { person, link } = await mailed()
    const other = await buildUser(harness, { verified: false })
    expect(await refusalOf(confirm(tamper(link, other)))).toBe('confirmation_invalid')
    expect([await verified(person), await verified(other)]).toEqual(['unverified', 'unverified'])
  })

  test('is refused once the account has another address', async () => {
    const { person, link } = await mailed()
    await harness.context.db
      .updateTable('users')
      .set({ email: 'moved@example.test' })
      .where('id', '=', person.id)
      .execute()
    expect(await refusalOf(confirm(link))).toBe('confirmation_invalid')
    expect(await refusalOf(confirm({ ...link, email: 'moved@example.test' }))).toBe('confirmation_invalid')
    expect(await verified(person)).toBe('unverified')
  })

  test('is stored as a hash only', async () => {
    const { link } = await mailed()
    const rows = await harness.context.db.selectFrom('email_confirmations').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows.map((row) => row.token_hash.toString('latin1')))).not.toContain(link.token)
  })

  test('ends after 48 hours', async () => {
    const { person, link } = await mailed()
    const late = await mailed()
    harness.clock.advance(47 * HOUR_MS)
    await confirm(link)
    expect(await verified(person)).toBe('verified')
    harness.clock.advance(HOUR_MS)
    expect(await refusalOf(confirm(late.link))).toBe('confirmation_invalid')
    expect(await verified(late.person)).toBe('unverified')
  })
})

const changeTo = async ({ id }: Person, email: string) => {
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  return harness.api.as({ token }).call(routes.changeEmail, { body: { email } })
}
const me = (person: Person) => harness.api.as(person).call(routes.me, {})

describe('a change of address that is canceled', () => {
  const cancel = (person: Person) => refusalOf(harness.api.as(person).call(routes.cancelEmailChange, {}))

  test('is over: its link moves nobody, and it can be asked for again', async () => {
    const [person, other] = [await buildUser(harness), await buildUser(harness)]
    const email = `unwanted-${crypto.randomUUID().slice(0, 8)}@example.test`
    await changeTo(person, email)
    const link = linkOf((await mailsTo(email))[0])
    expect(await cancel(other)).toBe('no_email_change')
    expect(await cancel(person)).toBe('accepted')
    expect(await refusalOf(confirm(link))).toBe('confirmation_invalid')
    expect(await me(person)).toMatchObject({ email: person.email, pendingEmail: null })
    expect(await cancel(person)).toBe('no_email_change')

    await changeTo(person, email)
    await confirm(linkOf((await mailsTo(email))[0]))
    expect(await me(person)).toMatchObject({ email, pendingEmail: null })
    expect(await cancel(person)).toBe('no_email_change')
  })

  test('leaves somebody whose own isn’t confirmed the link to that', async () => {
    const { person, link } = await mailed()
    await changeTo(person, `wrong-${crypto.randomUUID().slice(0, 8)}@example.test`)
    expect(await cancel(person)).toBe('accepted')
    await confirm(link)
    expect(await me(person)).toMatchObject({ pendingEmail: null, verifiedEmail: 'verified' })
  })
})

describe('another address of somebody whose own isn’t confirmed', () => {
  test('is moved to by its link, though whoever has the first one opened the link there before', async () => {
    const { person, link } = await mailed()
    const email = `right-${crypto.randomUUID().slice(0, 8)}@example.test`
    await changeTo(person, email)
    const right = linkOf((await mailsTo(email))[0])
    await confirm(link)
    expect(await me(person)).toMatchObject({ email: person.email, pendingEmail: email })
    await confirm(right)
    expect(await me(person)).toMatchObject({ email, pendingEmail: null, verifiedEmail: 'verified' })
    expect(await refusalOf(confirm(link))).toBe('confirmation_invalid')
  })

  test('no longer waits once it is their own again, where the link is sent as it is said', async () => {
    const { person } = await mailed()
    await changeTo(person, `wrong-${crypto.randomUUID().slice(0, 8)}@example.test`)
    const before = (await mailsTo(person.email)).length
    await changeTo(person, person.email)
    const mails = await mailsTo(person.email)
    expect(mails).toHaveLength(before + 1)
    expect(await me(person)).toMatchObject({ pendingEmail: null, verifiedEmail: 'unverified' })
  })
})

test('an unconfirmed person may ask for the mail and log out, but not follow', async () => {
  const person = await buildUser(harness, { verified: false })
  const other = await buildUser(harness)
  expect(
    await refusalOf(harness.api.as(person).call(routes.toggleFollow, { body: { followingId: other.id } })),
  ).toBe('email_unverified')
  expect(await harness.context.db.selectFrom('follows').selectAll().execute()).toEqual([])
  await harness.api.as({ token: await buildSession(harness, person.id) }).call(routes.logout, {})
})
