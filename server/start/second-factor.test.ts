import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { buildFan, type Person } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { buildPasskey } from '../testing/passkey.ts'
import { buildAccount, codeAt, emailsTo, PASSWORD, setUpApp } from '../testing/security.ts'
import { runAdmin } from './admin.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

let person: Person
let app: { secret: string; recoveryCodes: string[] }
beforeEach(async () => {
  person = await buildAccount(harness)
  app = await setUpApp(harness, harness.api.as(person))
  await emailsTo(harness, person.email)
})

const REASON = 'Showed their passport in a call'
const remove = (...args: string[]) =>
  runAdmin(['remove-second-factor', ...args], harness.context.db, harness.context.vault, harness.clock.now())
const logIn = ({ email }: Person) =>
  harness.api.visitor().call(routes.login, { body: { email, password: PASSWORD } })
const tokenOf = async (one: Person) => (await logIn(one)).token ?? ''
const challengeOf = async (one: Person) => (await logIn(one)).secondFactor?.challengeId ?? ''
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code
const finish = (body: Record<string, unknown>) =>
  harness.api.visitor().send('POST', '/auth/secondfactor', { body })
const removals = async ({ email }: Person) =>
  (await emailsTo(harness, email)).filter(({ subject }) =>
    subject.includes('Two-factor authentication was removed'),
  )
/** All of a person that the command may change. */
async function traces({ id }: Person) {
  const { db } = harness.context
  const rows = (table: 'totp_secrets' | 'passkeys' | 'recovery_codes' | 'authentication_challenges') =>
    db.selectFrom(table).selectAll().where('user_id', '=', id).execute()
  return {
    app: await rows('totp_secrets'),
    passkeys: await rows('passkeys'),
    recoveryCodes: await rows('recovery_codes'),
    challenges: await rows('authentication_challenges'),
    sessions: await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute(),
    audit: await db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'target_kind', 'reason', 'detail'])
      .where('target_id', '=', id)
      .execute(),
  }
}

test('who lost everything logs in by password again, and nothing from before opens the account', async () => {
  const open = [await challengeOf(person), await challengeOf(person)]
  const other = await buildAccount(harness)
  await setUpApp(harness, harness.api.as(other))
  const others = await traces(other)

  expect(await remove('--email', person.email.toUpperCase(), '--reason', REASON)).toEqual({
    ok: true,
    output: `Removed from ${person.username}: authenticator app, recovery codes. They can log in with only their password, and all their sessions ended.`,
  })

  expect((await harness.api.as(person).send('GET', '/auth/me')).status).toBe(401)
  harness.clock.advance(60_000)
  const replayed = [
    await finish({ challengeId: open[0], recoveryCode: app.recoveryCodes[0] }),
    await finish({ challengeId: open[1], code: codeAt(app.secret, harness.clock.now()) }),
  ]
  expect(replayed.map(codeOf)).toEqual(['challenge_expired', 'challenge_expired'])
  expect(await traces(person)).toEqual({
    app: [],
    passkeys: [],
    recoveryCodes: [],
    challenges: [],
    sessions: [],
    audit: [
      {
        actor_id: null,
        action: 'user.second_factor_removed',
        target_kind: 'user',
        reason: REASON,
        detail: { app: true, passkeys: 0 },
      },
    ],
  })
  const [email, ...more] = await removals(person)
  expect(more).toEqual([])
  expect(email?.text).toContain('The authenticator app was removed from your account.')
  expect(email?.text).toContain('your recovery codes no longer work')

  const token = await tokenOf(person)
  expect(await harness.api.as({ token }).call(routes.me, {})).toMatchObject({ secondFactor: 'off' })
  expect(await traces(other)).toEqual(others)
})

test('old recovery codes stay refused once an app is set up again', async () => {
  await remove('--email', person.email, '--reason', REASON)
  const token = await tokenOf(person)
  const newer = await setUpApp(harness, harness.api.as({ token }))
  const recoveryCode = app.recoveryCodes[0]
  expect(codeOf(await finish({ challengeId: await challengeOf(person), recoveryCode }))).toBe(
    'second_factor_wrong',
  )
  const right = { challengeId: await challengeOf(person), recoveryCode: newer.recoveryCodes[0] }
  expect((await finish(right)).status).toBe(200)
})

test('twice at once, it is removed, told and recorded once', async () => {
  const line = ['--email', person.email, '--reason', REASON]
  const results = await Promise.all([remove(...line), remove(...line)])
  expect(results.filter(({ ok }) => ok)).toHaveLength(1)
  expect((await traces(person)).audit).toHaveLength(1)
  expect(await removals(person)).toHaveLength(1)
})

test('passkeys, each of which logs in, are removed only when they are named as lost', async () => {
  const sign = await buildPasskey(harness, person)
  await buildPasskey(harness, person)
  const { secondFactor } = await logIn(person)
  const before = await traces(person)
  const line = ['--email', person.email, '--reason', REASON]
  expect(await remove(...line)).toEqual({
    ok: false,
    output: `A passkey of ${person.username} is enough to log in (Key, Key), so nothing was removed: add --passkeys if they are lost too.`,
  })
  expect(await traces(person)).toEqual(before)
  expect(await removals(person)).toEqual([])
  const passkey = sign(secondFactor?.passkey?.challenge ?? '')
  expect((await finish({ challengeId: secondFactor?.challengeId, passkey })).status).toBe(200)

  const result = await remove(...line, '--passkeys')
  expect([result.ok, result.output.split('.')[0]]).toEqual([
    true,
    `Removed from ${person.username}: authenticator app, passkeys (Key, Key), recovery codes`,
  ])
  expect((await traces(person)).audit).toMatchObject([{ detail: { app: true, passkeys: 2 } }])
  expect(await removals(person)).toHaveLength(1)
  expect(await tokenOf(person)).not.toBe('')
})

test.each<[what: string, options: () => string[], output: RegExp]>([
  ['nothing but the command', () => [], /^Add --email, --reason\.$/],
  ['no reason', () => ['--email', person.email], /^Add --reason\.$/],
  ['an empty reason', () => ['--email', person.email, '--reason', ' '], /^--reason is invalid: .+$/],
  ['a wrong address', () => ['--email', 'ada', '--reason', REASON], /^--email is invalid: .+$/],
  [
    'an unknown address',
    () => ['--email', 'nobody@mail.test', '--reason', REASON],
    /^No account uses nobody@mail\.test\.$/,
  ],
])('%s changes nothing', async (_what, options, output) => {
  const before = await traces(person)
  const result = await remove(...options())
  expect(result.ok).toBe(false)
  expect(result.output).toMatch(output)
  expect(await traces(person)).toEqual(before)
})

test('an account without a second factor stays as it is, and logged in', async () => {
  const fan = await buildFan(harness)
  const before = await traces(fan)
  expect(await remove('--email', fan.email, '--reason', REASON)).toEqual({
    ok: false,
    output: `${fan.username} has no second factor.`,
  })
  expect(await traces(fan)).toEqual(before)
  expect(await removals(fan)).toEqual([])
})
