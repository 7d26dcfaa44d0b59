import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { notify } from '../domains/notifications/actions.ts'
import { signedScope } from '../domains/notifications/rules.ts'
import { StartError } from '../errors.ts'
import type { Api } from '../testing/api.ts'
import { buildCreator, buildMedia, type Person } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { connectForum } from '../testing/promotion.ts'
import { buildAccount, codeAt, emailsTo, PASSWORD, setUpApp } from '../testing/security.ts'
import { runAdmin } from './admin.ts'
import { rotateKeys, SEALED } from './rotation.ts'

const OLD = 'the secret of the first year of this installation'
const NEW = 'the secret of the second year of this installation'
const MINUTE_MS = 60 * 1000
const PEOPLE = 5
/** The sealed values, besides secrets, of these people in that test, and those of the test before. */
const SEALED_BESIDE = 5

/** A process with these secrets; they share one database, as the restarts of one installation do. */
const withSecrets = (SECRET_KEY: string, SECRET_KEY_PREVIOUS = '', beside?: Harness) =>
  startHarness({ environment: { SECRET_KEY, SECRET_KEY_PREVIOUS }, ...(beside ? { beside } : {}) })

let first: Harness
beforeAll(async () => {
  first = await withSecrets(OLD)
})
afterAll(() => first?.stop())

type Protected = Person & { secret: string; recoveryCodes: string[] }

async function protectedPerson(): Promise<Protected> {
  const person = await buildAccount(first)
  return { ...person, ...(await setUpApp(first, first.api.as(person))) }
}

/** Logs in with the app's newest code, and once more with an unused recovery code; answers both statuses. */
async function logIns(harness: Harness, person: Protected): Promise<number[]> {
  const answers = [
    { code: codeAt(person.secret, harness.clock.now()) },
    { recoveryCode: person.recoveryCodes.pop() },
  ]
  const statuses: number[] = []
  for (const answer of answers) {
    const visitor = harness.api.visitor()
    const body = { email: person.email, password: PASSWORD }
    const { secondFactor } = await visitor.call(routes.login, { body })
    const challengeId = secondFactor?.challengeId
    const { status } = await visitor.send('POST', '/auth/secondfactor', { body: { challengeId, ...answer } })
    statuses.push(status)
  }
  return statuses
}

/** The same browser before another process. */
function browserAt(harness: Harness, before?: Api): Api {
  const browser = harness.api.visitor()
  for (const [name, value] of before?.cookies ?? []) browser.cookies.set(name, value)
  return browser
}

/** Logs in by the password alone; answers the ids by which the browser is known. */
async function devicesAfterLogIn(browser: Api, { email }: Person): Promise<Set<string>> {
  await browser.call(routes.login, { body: { email, password: PASSWORD } })
  const known = [...browser.cookies].filter(([name]) => name.startsWith('device_'))
  return new Set(known.map(([, value]) => decodeURIComponent(value).split('~')[0] ?? ''))
}

/** The token in the link of a mail that this person got from this process. */
async function unsubscribeToken(harness: Harness, person: Person): Promise<string> {
  const data = { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true }
  const { db, clock } = harness.context
  const event = { kind: 'subscription.extended' as const, person: person.id, data }
  await db.transaction().execute((tx) => notify(tx, event, { now: clock.now() }))
  const [mail] = await emailsTo(harness, person.email)
  return /\/unsubscribe\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

const unsubscribes = async ({ origin }: Harness, token: string) =>
  (await fetch(`${origin}/api/notifications/unsubscribe/${token}`, { method: 'POST' })).status

test('what a rotation seals anew is all that is sealed', async () => {
  const tables = await first.context.db.introspection.getTables()
  const sealed = tables.flatMap(({ name, columns }) =>
    columns
      .filter((column) => /sealed|encrypted|cipher/.test(column.name))
      .map((column) => `${name}.${column.name}`),
  )
  expect(Object.keys(SEALED).sort()).toEqual(sealed.sort())
})

test('a rotation that fails half way changes nothing', async () => {
  const person = await protectedPerson()
  const { db, vault, clock } = first.context
  const stored = () => db.selectFrom('totp_secrets').select('sealed_secret').orderBy('user_id').execute()
  const before = await stored()
  const seals = { count: 0 }
  const broken = {
    ...vault,
    isCurrent: () => false,
    seal: (...sealed: Parameters<typeof vault.seal>) => {
      seals.count += 1
      if (seals.count > 1) throw new Error('out of order')
      return vault.seal(...sealed)
    },
  }
  await expect(rotateKeys(db, { vault: broken, now: clock.now() })).rejects.toThrow('out of order')
  expect(await stored()).toEqual(before)
  first.clock.advance(MINUTE_MS)
  expect(await logIns(first, person)).toEqual([200, 200])
})

test('with the old secret listed, then without it, no factor, session, cookie or link is lost', async () => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, protectedPerson))
  const mediaId = await buildMedia(first, await buildCreator(first), {
    mustUnlock: false,
    showInSearch: true,
  })
  const linkFor = async (api: Api) => (await api.call(routes.media, { params: { mediaId } })).url ?? ''
  const isRefused = async (api: Api, link: string) => (await api.fetch(link)).status === 403
  const visitor = browserAt(first)
  await visitor.call(routes.confirmAge, {})
  const oldLink = await linkFor(visitor)
  const plain = await buildAccount(first)
  const endpoint = `${first.sandboxOrigin}/sandbox/push/send/rotated`
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  await first.api.as(plain).call(routes.addPush, { body: { endpoint, keys } })
  const device = browserAt(first)
  const known = await devicesAfterLogIn(device, plain)
  expect(known.size).toBe(1)
  expect(oldLink).toContain('/files/media/')
  const reader = await buildAccount(first)
  const mailed = await unsubscribeToken(first, reader)
  // As links were signed before there was a key that lasts.
  const older = signedScope(first.context.signer, reader.id, 'gifts')
  expect(await unsubscribes(first, older)).toBe(200)

  const both = await withSecrets(NEW, OLD, first)
  both.clock.advance(3 * MINUTE_MS)
  const between = browserAt(both, visitor)
  expect(await isRefused(between, oldLink)).toBe(false)
  expect(await isRefused(browserAt(both), oldLink)).toBe(true)
  expect((await between.call(routes.ageVerified, {})).ageVerified).toBe(true)
  const newLink = await linkFor(between)
  expect(newLink).not.toBe(oldLink)
  for (const person of people) expect(await logIns(both, person)).toEqual([200, 200])

  const deviceBetween = browserAt(both, device)
  expect(await devicesAfterLogIn(deviceBetween, plain)).toEqual(known)

  // Taken out too early, the old secret is missed at the start, before anything is lost.
  await expect(withSecrets(NEW, '', first)).rejects.toThrow(StartError)
  await expect(withSecrets(NEW, '', first)).rejects.toThrow('SECRET_KEY_PREVIOUS')

  const { db, vault, clock } = both.context
  const addressOf = () => db.selectFrom('push_subscriptions').select('sealed_subscription').execute()
  const [addressBefore] = await addressOf()
  const rotate = () => runAdmin(['rotate-keys'], db, vault, clock.now())
  // Each app's secret and the browser's address, and the keys of recovery codes, of push and of what is signed to last.
  expect((await rotate()).output).toContain(`Re-encrypted ${PEOPLE + SEALED_BESIDE} rows`)
  expect((await rotate()).output).toContain('Re-encrypted 0 rows')
  const [addressAfter] = await addressOf()
  expect(vault.isCurrent(addressBefore?.sealed_subscription ?? Buffer.of())).toBe(false)
  expect(vault.isCurrent(addressAfter?.sealed_subscription ?? Buffer.of())).toBe(true)
  await both.stop()

  const alone = await withSecrets(NEW, '', first)
  alone.clock.advance(6 * MINUTE_MS)
  for (const person of people) {
    expect(await logIns(alone, person)).toEqual([200, 200])
    expect((await alone.api.as(person).send('GET', '/auth/me')).status).toBe(200)
  }
  expect(await devicesAfterLogIn(browserAt(alone, deviceBetween), plain)).toEqual(known)
  // Neither was seen while both were listed.
  expect(await devicesAfterLogIn(browserAt(alone, device), plain)).toEqual(known)
  expect(await unsubscribes(alone, mailed)).toBe(200)
  expect(await unsubscribes(alone, older)).toBe(404)
  // The browser's cookie was signed again while both were listed.
  const after = browserAt(alone, between)
  expect((await after.call(routes.ageVerified, {})).ageVerified).toBe(true)
  expect(await isRefused(after, newLink)).toBe(false)
  expect(await isRefused(after, oldLink)).toBe(true)
  await alone.stop()
})

test('forum tokens, and those that wait to be revoked, are sealed anew and still open', async () => {
  const before = await withSecrets(OLD)
  const creator = await buildCreator(before)
  await connectForum(before, creator, 'RotatedOne')
  const { _id: accountId } = await connectForum(before, creator, 'RotatedOther')
  await before.api.as(creator).call(routes.disconnectForum, { body: { accountId } })
  const kept = async ({ context: { db, vault } }: Harness) => {
    const accounts = await db.selectFrom('forum_accounts').select(['id', 'sealed_tokens']).execute()
    const waiting = await db.selectFrom('forum_revocations').select(['id', 'sealed_token']).execute()
    const sealed = [
      ...accounts.map(({ id, sealed_tokens }) => ['forum.tokens', id, sealed_tokens] as const),
      ...waiting.map(({ id, sealed_token }) => ['forum.revocation', id, sealed_token] as const),
    ]
    return sealed.map(([purpose, id, value]) => ({
      text: vault.open(purpose, id, value ?? Buffer.of()),
      isCurrent: vault.isCurrent(value ?? Buffer.of()),
    }))
  }
  const opened = await kept(before)
  expect(opened).toHaveLength(2)
  const both = await withSecrets(NEW, OLD, before)
  expect((await kept(both)).map(({ isCurrent }) => isCurrent)).toEqual([false, false])
  await runAdmin(['rotate-keys'], both.context.db, both.context.vault, both.clock.now())
  await both.stop()
  const alone = await withSecrets(NEW, '', before)
  expect(await kept(alone)).toEqual(opened.map(({ text }) => ({ text, isCurrent: true })))
  await alone.stop()
  await before.stop()
})
