import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { Refused } from '../../../testing/api.ts'
import { buildFollowed } from '../../../testing/audiences.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { leave, reauthenticatedApi } from '../../../testing/security.ts'
import { requestDeletion } from '../../identity/account/deletion/actions.ts'
import { hashPassword } from '../../identity/passwords/actions.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 3600 * 1000
const PASSWORD = 'a password for the way back'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )
const remove = (person: Person) => leave(harness, person)
const logIn = (person: Person) =>
  harness.api.visitor().call(routes.login, { body: { email: person.email, password: PASSWORD } })
const erase = () => harness.server.jobs['account.erase']({}, { attempt: 1, lastAttempt: false })
const setPassword = async (person: Person) =>
  harness.context.db
    .updateTable('users')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', person.id)
    .execute()
const profileStatus = async (person: Person) =>
  (await harness.api.visitor().send('GET', `/users/uid/${person.id}`)).status

const dueAt = async (person: Person) =>
  (
    await harness.context.db
      .selectFrom('account_deletions')
      .select('due_at')
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow()
  ).due_at.toISOString()

async function mailsTo(address: string): Promise<string[]> {
  const response = await fetch(
    `${harness.sandboxOrigin}/sandbox/mail/messages?to=${encodeURIComponent(address)}`,
  )
  return ((await response.json()) as { items: { subject: string }[] }).items.map(({ subject }) => subject)
}

async function buySingle(buyer: Person, itemId: string): Promise<void> {
  const body = { kind: 'single' as const, itemId, ...(await cardToken(harness)) }
  await harness.api.as(buyer).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
}

describe('a request to delete an account', () => {
  test('hides the person at once and ends every session; logging in takes it back', async () => {
    const creator = await buildCreator(harness)
    await setPassword(creator)
    const media = await buildMedia(harness, creator, { showInSearch: true, mustUnlock: false })
    const { message, erasedBy } = await remove(creator)
    expect(message).toBe('Your account will be deleted within 30 days.')
    expect(erasedBy).toBe(await dueAt(creator))
    expect(await profileStatus(creator)).toBe(404)
    const found = harness.api.visitor().call(routes.media, { params: { mediaId: media } })
    expect(await refusalOf(found)).toBe('404 media_not_found')
    expect((await harness.api.as(creator).send('GET', '/users/blocked')).status).toBe(401)

    harness.clock.advance(27 * DAY_MS)
    await erase()
    expect(await logIn(creator)).toMatchObject({ deletionUndone: true })
    expect(await logIn(creator)).toMatchObject({ deletionUndone: false })
    expect(await profileStatus(creator)).toBe(200)
    harness.clock.advance(10 * DAY_MS)
    await erase()
    expect(await profileStatus(creator)).toBe(200)
    await harness.runJobs()
    const subjects = await mailsTo(creator.email)
    expect(subjects.map((subject) => subject.split(' · ')[0])).toEqual([
      'Your account won’t be deleted',
      'Your account will be deleted',
    ])
  })

  test('can be taken back until what it answers, and not after it', async () => {
    const people = [
      await buildFan(harness, { discoverable: true }),
      await buildFan(harness, { discoverable: true }),
    ] as const
    for (const person of people) await setPassword(person)
    await remove(people[1])
    const { erasedBy } = await remove(people[0])
    harness.clock.advance(Date.parse(erasedBy) - harness.clock.now().getTime() - MINUTE_MS)
    await erase()
    expect(await refusalOf(logIn(people[0]))).toBe('accepted')
    harness.clock.advance(2 * MINUTE_MS)
    await erase()
    expect(await refusalOf(logIn(people[1]))).toBe('401 login_failed')
    expect([await profileStatus(people[0]), await profileStatus(people[1])]).toEqual([200, 404])
  })

  test('sent six times at once counts and is told once, and is taken back as a whole', async () => {
    const { db } = harness.context
    const [creator, buyer] = [await buildCreator(harness), await buildFan(harness, { discoverable: true })]
    await setPassword(creator)
    await buySingle(buyer, await buildMedia(harness, creator, { showInStore: true }))
    const devices = await Promise.all(Array.from({ length: 6 }, () => reauthenticatedApi(harness, creator)))
    const asked: ReturnType<typeof remove>[] = []
    await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('users').select('id').where('id', '=', creator.id).forUpdate().execute()
      for (const device of devices) {
        asked.push(device.call(routes.deleteAccount, { params: { userId: creator.id } }))
        await expect.poll(() => waitingForLocks(db, 'users'), { interval: 5 }).toBe(asked.length)
        // Each at a moment of its own, as real ones are.
        harness.clock.advance(1000)
      }
    })
    const answers = new Set((await Promise.all(asked)).map(({ erasedBy }) => erasedBy))
    expect([...answers]).toEqual([await dueAt(creator)])
    await harness.runJobs()
    expect(await mailsTo(creator.email)).toHaveLength(1)
    expect(await mailsTo(buyer.email)).toEqual([
      expect.stringContaining('Download what you bought'),
      expect.stringContaining('Your receipt for'),
    ])
    await logIn(creator)
    expect(await profileStatus(creator)).toBe(200)
  })

  test('can’t be taken back anymore once it is erased', async () => {
    const fan = await buildFan(harness, { discoverable: true })
    await setPassword(fan)
    await remove(fan)
    harness.clock.advance(30 * DAY_MS)
    await erase()
    expect(await refusalOf(logIn(fan))).toBe('401 login_failed')
    expect(await refusalOf(logIn({ ...fan, email: `${fan.id}@deleted.invalid` }))).toBe('401 login_failed')
    expect(await profileStatus(fan)).toBe(404)
  })

  test('is not taken back by who is suspended meanwhile, but by their first login after that', async () => {
    const fan = await buildFan(harness, { discoverable: true })
    await setPassword(fan)
    await remove(fan)
    harness.clock.advance(1000)
    const suspend = (suspended: boolean) =>
      harness.context.db
        .updateTable('users')
        .set({
          suspended_at: suspended ? harness.clock.now() : null,
          suspension_reason: suspended ? 'Spam' : null,
        })
        .where('id', '=', fan.id)
        .execute()
    await suspend(true)
    expect(await refusalOf(logIn(fan))).toBe('403 account_suspended')
    expect(await profileStatus(fan)).toBe(404)
    await suspend(false)
    expect(await profileStatus(fan)).toBe(404)
    await logIn(fan)
    expect(await profileStatus(fan)).toBe(200)
  })

  test('in the moment of a login is seen by it, and taken back', async () => {
    const { db, clock } = harness.context
    const fan = await buildFan(harness, { discoverable: true })
    await setPassword(fan)
    let session: Promise<{ token: string | null }> | undefined
    await db.transaction().execute(async (transaction) => {
      await requestDeletion(transaction, { userId: fan.id, now: clock.now() })
      session = logIn(fan)
      await expect.poll(() => waitingForLocks(db)).toBe(1)
    })
    const token = (await session)?.token ?? ''
    expect(await harness.api.as({ token }).call(routes.me, {})).toMatchObject({ _id: fan.id })
    expect(await profileStatus(fan)).toBe(200)
    expect(
      await db.selectFrom('account_deletions').selectAll().where('user_id', '=', fan.id).execute(),
    ).toEqual([])
  })

  test('of a creator is told to every buyer once, some at a time, also when telling breaks down half way', async () => {
    // An installation whose mails no other test sends.
    const crowded = await startHarness()
    onTestFinished(() => crowded.stop())
    const { db, clock } = crowded.context
    const { creator, followerIds: buyers } = await buildFollowed(crowded, 450)
    const media = await buildMedia(crowded, creator)
    await sql`
      with granted as (
        insert into entitlements (user_id, source_kind, source_id, granted_at)
        select id, 'manual', uuidv7(), ${clock.now()}::timestamptz from unnest(${buyers}::uuid[]) as id returning id, user_id
      )
      insert into unlocked_media (user_id, media_id, version_id, entitlement_id, granted_at)
      select user_id, media.id, media.version_id, granted.id, ${clock.now()}::timestamptz
      from granted, media where media.id = ${media}`.execute(db)
    await db.transaction().execute((tx) => requestDeletion(tx, { userId: creator.id, now: clock.now() }))
    const told = async () => {
      const rows = await db
        .selectFrom('notifications')
        .select('user_id')
        .where('kind', '=', 'creator.leaving')
        .where('user_id', 'in', buyers)
        .execute()
      return rows.map(({ user_id }) => user_id).toSorted()
    }
    const last = buyers.toSorted().at(-1) ?? ''
    await sql`
      create function refuse_last() returns trigger language plpgsql as $$ begin
        if new.user_id = ${sql.lit(last)} then raise 'not today'; end if; return new; end $$;
      create trigger refuse_last before insert on notifications for each row execute function refuse_last()`.execute(
      db,
    )
    const tell = () =>
      crowded.server.jobs['account.tell-buyers'](
        { creatorId: creator.id },
        { attempt: 1, lastAttempt: false },
      )
    await expect(tell()).rejects.toThrow('not today')
    expect(await told()).toEqual(buyers.toSorted().slice(0, 400))
    await sql`drop function refuse_last cascade`.execute(db)
    for (let time = 0; time < 2; time++) await tell()
    expect(await told()).toEqual(buyers.toSorted())
  })

  test('in another’s name is refused and deletes nobody', async () => {
    const [fan, other] = [
      await buildFan(harness, { discoverable: true }),
      await buildFan(harness, { discoverable: true }),
    ]
    const call = (await reauthenticatedApi(harness, fan)).call(routes.deleteAccount, {
      params: { userId: other.id },
    })
    expect(await refusalOf(call)).toBe('403 not_yourself')
    expect([await profileStatus(fan), await profileStatus(other)]).toEqual([200, 200])
  })

  test('needs re-authentication within the last 10 minutes, also before the email is confirmed', async () => {
    for (const verified of [true, false]) {
      const person = await buildUser(harness, { verified, discoverable: true })
      await setPassword(person)
      const api = harness.api.as(person)
      const leaving = () => refusalOf(api.call(routes.deleteAccount, { params: { userId: person.id } }))
      expect(await leaving()).toBe('403 reauthentication_required')
      expect(await profileStatus(person)).toBe(200)
      const { challengeId } = await api.call(routes.startReauthentication, {})
      await api.call(routes.reauthenticate, { body: { challengeId, password: PASSWORD } })
      expect(await leaving()).toBe('accepted')
      expect(await profileStatus(person)).toBe(404)
    }
  })

  test('of the last superadmin is refused, also when all leave at once', async () => {
    const operators = await Promise.all(
      Array.from({ length: 4 }, () => buildUser(harness, { role: 'superadmin' })),
    )
    const answers = await Promise.all(operators.map((person) => refusalOf(remove(person))))
    expect(answers.sort()).toEqual(['409 last_superadmin', ...Array(3).fill('accepted')])
    const left = await harness.context.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'superadmin')
      .where('hidden_at', 'is', null)
      .execute()
    expect(left).toHaveLength(1)
  })

  test('tells buyers at once, who see what they bought until the erasure', async () => {
    const [creator, buyer, other] = [
      await buildCreator(harness),
      await buildFan(harness, { discoverable: true }),
      await buildFan(harness, { discoverable: true }),
    ]
    const single = await buildMedia(harness, creator, { showInStore: true })
    await buySingle(buyer, single)
    await remove(creator)
    await harness.runJobs()
    expect(await mailsTo(buyer.email)).toEqual([
      expect.stringContaining('Download what you bought'),
      expect.stringContaining('Your receipt for'),
    ])
    expect(await mailsTo(other.email)).toEqual([])
    const api = harness.api.as(buyer)
    const media = await api.call(routes.media, { params: { mediaId: single } })
    expect((await api.fetch(media.url ?? '')).status).toBe(200)
  })
})
