import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { buildFan, buildUser } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { runAdmin } from './admin.ts'
import { noteClockOffset } from './sandbox-clock.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const password = 'correct horse'
let count = 0
let given: { email: string; username: string; password: string }
beforeEach(() => {
  given = { email: `boss${++count}@example.test`, username: `boss${count}`, password }
})

const run = (...args: string[]) =>
  runAdmin(args, harness.context.db, harness.context.vault, harness.clock.now())
const optionsOf = (values: Record<string, string>) =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value])
const create = (changes: Record<string, string> = {}) =>
  run('create-superadmin', ...optionsOf({ ...given, ...changes }))
const logIn = (email: string, attempt = password) =>
  harness.api.visitor().send('POST', '/auth/login', { body: { email, password: attempt } })
const auditOf = (targetId: string) =>
  harness.context.db.selectFrom('audit_log').selectAll().where('target_id', '=', targetId).execute()

async function traces() {
  const { db } = harness.context
  const users = await db
    .selectFrom('users')
    .select(['id', 'role', 'password_hash', 'email_verified_at'])
    .orderBy('id')
    .execute()
  const audit = await db.selectFrom('audit_log').select('id').execute()
  const sessions = await db.selectFrom('sessions').select('id').orderBy('id').execute()
  return { users, audit, sessions }
}

describe('create-superadmin', () => {
  test('makes an account that can log in and act as superadmin, and says so in the audit log', async () => {
    const result = await create({ email: given.email.toUpperCase(), reason: 'first operator' })
    expect(result).toEqual({ ok: true, output: `Created the superadmin ${given.username}.` })
    const { token } = (await logIn(given.email)).body as { token: string }
    const me = await harness.api.as({ token }).call(routes.me, {})
    expect(me).toMatchObject({
      email: given.email,
      role: 'superadmin',
      verifiedEmail: 'verified',
      isCreator: false,
    })
    expect(await auditOf(me._id)).toMatchObject([
      {
        actor_id: null,
        action: 'superadmin.created',
        target_kind: 'user',
        reason: 'first operator',
        detail: { username: given.username },
      },
    ])
    expect(JSON.stringify(await auditOf(me._id))).not.toContain(password)
  })

  test('promotes the account of the address, and whoever held it loses it', async () => {
    const squatter = await buildUser(harness, { ...given, verified: false })
    await harness.api.as(squatter).send('POST', '/users/resendemailconfirmation', { body: {} })
    const result = await create({ username: given.username.toUpperCase() })
    expect(result).toEqual({
      ok: true,
      output: `${given.username} is now a superadmin with the new password.`,
    })
    expect((await harness.api.as(squatter).send('GET', '/auth/me')).status).toBe(401)
    expect(await harness.context.db.selectFrom('email_confirmations').selectAll().execute()).toEqual([])
    const { token } = (await logIn(given.email)).body as { token: string }
    expect(await harness.api.as({ token }).call(routes.me, {})).toMatchObject({
      _id: squatter.id,
      role: 'superadmin',
      verifiedEmail: 'verified',
    })
    expect(await auditOf(squatter.id)).toMatchObject([{ actor_id: null, action: 'superadmin.promoted' }])
  })

  test('ends a suspension of the account that is promoted, which could not log in otherwise', async () => {
    const person = await buildUser(harness, given)
    await harness.context.db
      .updateTable('users')
      .set({ suspended_at: harness.clock.now(), suspension_reason: 'A mistake' })
      .where('id', '=', person.id)
      .execute()
    await create()
    expect((await logIn(given.email)).status).toBe(200)
  })

  test('ten at once make one', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => create()))
    expect(results.some(({ ok }) => ok)).toBe(true)
    const accounts = await harness.context.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', given.email)
      .execute()
    expect(accounts).toHaveLength(1)
  })
})

describe('a command that is refused says why in one sentence and changes nothing', () => {
  test.each<[what: string, args: () => Promise<string[]>, output: RegExp]>([
    ['an unknown command', async () => ['destroy'], /^Unknown command destroy\. Run with --help/],
    [
      'an unknown option',
      async () => ['create-superadmin', '--force'],
      /^Unknown option '--force'\. Run with --help/,
    ],
    [
      'an option without value',
      async () => ['create-superadmin', '--email'],
      /^Option '--email <value>' argument missing\./,
    ],
    [
      'no month',
      async () => ['books', '--month', '2026-13'],
      /^--month is invalid: Enter a month like 2026-10\.$/,
    ],
    ['a second command', async () => ['migrate', 'now'], /^Unexpected argument now\./],
    ['nothing but the command', async () => ['create-superadmin'], /^Add --email, --username, --password\.$/],
    [
      'no password',
      async () => ['create-superadmin', '--email', given.email, '--username', 'x1'],
      /^Add --password\.$/,
    ],
    [
      'a short password',
      async () => ['create-superadmin', ...optionsOf({ ...given, password: 'short' })],
      /^--password is invalid: Password must be 8/,
    ],
    [
      'a wrong email',
      async () => ['create-superadmin', ...optionsOf({ ...given, email: 'boss' })],
      /^--email is invalid: Enter a valid/,
    ],
    [
      'a wrong username',
      async () => ['create-superadmin', ...optionsOf({ ...given, username: '../x' })],
      /^--username is invalid: Use 2 to 30/,
    ],
    [
      'a username that somebody else has',
      async () => [
        'create-superadmin',
        ...optionsOf({ ...given, username: (await buildFan(harness)).username }),
      ],
      /^The username \S+ belongs to another account\. Choose a different one\.$/,
    ],
    [
      'an existing email with another username',
      async () => ['create-superadmin', ...optionsOf({ ...given, email: (await buildFan(harness)).email })],
      /^The account with \S+ has another username, \S+\. Use that one to promote it\.$/,
    ],
  ])('%s', async (_what, args, output) => {
    const line = await args()
    const before = await traces()
    const result = await run(...line)
    expect(result.ok).toBe(false)
    expect(result.output).toMatch(output)
    expect(result.output).not.toMatch(/\n| at /)
    expect(await traces()).toEqual(before)
  })
})

test('--help and no command show how', async () => {
  const help = await run('--help')
  expect(help.ok).toBe(true)
  expect(help.output).toContain('npm run admin -- <command>')
  for (const option of ['create-superadmin', 'migrate', '--email', '--username', '--password', '--reason']) {
    expect(help.output).toContain(option)
  }
  expect(await run('create-superadmin', '--help')).toEqual(help)
  expect(await run()).toEqual({ ok: false, output: help.output })
})

test('migrate says that it is done', async () => {
  expect(await run('migrate')).toEqual({ ok: true, output: 'The database is up to date.' })
})

test('nobody edits or empties the audit log', async () => {
  await create()
  const { db } = harness.context
  const before = await traces()
  for (const statement of [
    sql`update audit_log set reason = 'another'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
  ]) {
    await expect(statement.execute(db)).rejects.toThrow('audit_log is append-only')
  }
  expect(await traces()).toEqual(before)
})

test('the program’s own command goes by the clock of a sandbox that was moved', async () => {
  const { db } = harness.context
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-admin-'))
  const ahead = 40 * 24 * 3600 * 1000
  await db.transaction().execute((tx) => noteClockOffset(tx, ahead))
  const started = Date.now()
  try {
    const main = join(import.meta.dirname, '..', '..', 'main.ts')
    await promisify(execFile)(process.execPath, [main, 'admin', 'create-superadmin', ...optionsOf(given)], {
      env: {
        ...process.env,
        DATABASE_URL: harness.databaseUrl,
        DATA_DIR: folder,
        SECRET_KEY: 'a secret for the tests, long enough to be one',
      },
    })
  } finally {
    await db.transaction().execute((tx) => noteClockOffset(tx, 0))
    await rm(folder, { recursive: true, force: true })
  }
  const account = await db
    .selectFrom('users')
    .select(['id', 'created_at'])
    .where('email', '=', given.email)
    .executeTakeFirstOrThrow()
  const moments = [account.created_at, ...(await auditOf(account.id)).map((entry) => entry.occurred_at)]
  expect(moments.length).toBeGreaterThan(1)
  for (const moment of moments) expect(moment.getTime()).toBeGreaterThanOrEqual(started + ahead)
})
