import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '../db/migrations/index.ts'
import { StartError } from '../errors.ts'
import { currentSamplePassword, renewSamplePasswords } from '../sample/passwords.ts'
import { samplePassword } from '../sample/people.ts'
import { buildCreator, buildFan, buildSession } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { buildPost, buildRules, buildSubreddits } from '../testing/promotion.ts'
import { buildAccount, PASSWORD } from '../testing/security.ts'
import { enterMode } from './installation.ts'

const live = { livemode: true, trial: false, forum: 'none' } as const
const sandbox = { livemode: false, trial: true, forum: 'none' } as const

describe('sandbox money and real money never meet', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness()
  })
  afterAll(() => harness?.stop())

  const card = async () =>
    harness.context.db
      .insertInto('stored_cards')
      .values({
        user_id: (await buildFan(harness)).id,
        customer_profile_id: crypto.randomUUID(),
        payment_profile_id: crypto.randomUUID(),
        brand: 'Visa',
        last_four: '1111',
        created_at: harness.clock.now(),
        used_at: harness.clock.now(),
      })
      .returning('livemode')
      .executeTakeFirstOrThrow()

  test('an empty database goes either way, and what is bought says which way it was', async () => {
    const { db } = harness.context
    await enterMode(db, live)
    await enterMode(db, sandbox)
    expect(await card()).toEqual({ livemode: false })
    await expect(enterMode(db, live)).rejects.toThrow(StartError)
    await expect(enterMode(db, live)).rejects.toThrow('must never meet a real payment account')
    expect(await card()).toEqual({ livemode: false })

    await db.deleteFrom('stored_cards').execute()
    await enterMode(db, live)
    expect(await card()).toEqual({ livemode: true })
    await expect(enterMode(db, sandbox)).rejects.toThrow('This database holds real payments')
    await db.deleteFrom('stored_cards').execute()
    await enterMode(db, sandbox)
  })

  test.each<[what: string, change: object, back: object]>([
    ['sample accounts', { sample_data_at: new Date() }, { sample_data_at: null }],
    ['a clock that was moved', { clock_offset_ms: 1000 }, { clock_offset_ms: 0 }],
  ])('%s keep a real payment account out', async (_what, change, back) => {
    const { db } = harness.context
    await db.updateTable('installation').set(change).execute()
    await expect(enterMode(db, live)).rejects.toThrow(StartError)
    await enterMode(db, sandbox)
    await db.updateTable('installation').set(back).execute()
  })

  test('a clock that was moved keeps every real service out', async () => {
    const { db } = harness.context
    const beside = { ...sandbox, trial: false }
    await enterMode(db, beside)
    await db.updateTable('installation').set({ clock_offset_ms: 1000 }).execute()
    await expect(enterMode(db, beside)).rejects.toThrow('The clock of this database was moved')
    await enterMode(db, sandbox)
    await db.updateTable('installation').set({ clock_offset_ms: 0 }).execute()
  })

  test('every table of money that belongs to a mode has a row that says so', async () => {
    const { db } = harness.context
    const wanted = ['journals', 'ledger_accounts', 'orders', 'payments', 'payouts', 'stored_cards']
    const tables = await db.introspection.getTables()
    const marked = tables.filter(({ columns }) => columns.some(({ name }) => name === 'livemode'))
    expect(marked.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted))
  })
})

describe('what is of the sandbox forum and of the real one never meets', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness()
  })
  afterAll(() => harness?.stop())

  const tried = { ...sandbox, forum: 'sandbox' } as const
  const real = { livemode: false, trial: false, forum: 'real' } as const
  const start = (mode: Parameters<typeof enterMode>[1]) => enterMode(harness.context.db, mode)
  const forumOf = async () =>
    (await harness.context.db.selectFrom('installation').select('forum').executeTakeFirstOrThrow()).forum
  const before = (forum: 'sandbox' | 'real' | null) =>
    harness.context.db.updateTable('installation').set({ forum }).execute()

  /** Makes a row of promotion; what comes back removes it. */
  async function account(): Promise<() => Promise<unknown>> {
    const { db, clock } = harness.context
    const { id } = await db
      .insertInto('forum_accounts')
      .values({
        user_id: (await buildFan(harness)).id,
        forum_id: crypto.randomUUID(),
        name: 'LanternMaker',
        connected_at: clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return () => db.deleteFrom('forum_accounts').where('id', '=', id).execute()
  }
  async function reading() {
    const { db } = harness.context
    await buildSubreddits(harness, ['Lanterns'])
    await buildRules(harness, 'Lanterns', [])
    return () => db.deleteFrom('subreddits').where('name', '=', 'Lanterns').execute()
  }
  async function post() {
    const { db, clock } = harness.context
    const person = await buildCreator(harness)
    await buildSubreddits(harness, ['Kites'])
    const redditPostId = await buildPost(harness, person, { subreddits: ['Kites'] })
    const { id } = await db
      .selectFrom('subreddits')
      .select('id')
      .where('name', '=', 'Kites')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('scheduled_posts')
      .values({
        user_id: person.id,
        post_id: redditPostId,
        subreddit_id: id,
        title: 'A kite',
        url: 'https://www.redgifs.com/ifr/quietlake',
        media_key: 'quietlake',
        post_at: clock.now(),
        state: 'scheduled',
        created_at: clock.now(),
      })
      .execute()
    return () => db.deleteFrom('scheduled_posts').where('user_id', '=', person.id).execute()
  }

  test('a database without any goes either way, and keeps which way through a start without a forum', async () => {
    for (const mode of [tried, real, tried]) {
      await start(mode)
      await start(sandbox)
      expect(await forumOf()).toBe(mode.forum)
    }
  })

  test.each<[what: string, build: () => Promise<() => Promise<unknown>>]>([
    ['an account', account],
    ['a subreddit that was read', reading],
    ['a post on the timeline', post],
  ])('%s keeps the other forum out', async (_, build) => {
    const ways = [
      [tried, real, 'used with the sandbox of the forum'],
      [real, tried, 'holds accounts, posts or subreddits of the real forum'],
    ] as const
    for (const [first, other, reason] of ways) {
      await start(first)
      const remove = await build()
      await expect(start(other)).rejects.toThrow(StartError)
      await expect(start(other)).rejects.toThrow(reason)
      await start(sandbox)
      await start(first)
      expect(await forumOf()).toBe(first.forum)
      await remove()
      await start(other)
    }
  })

  test('rows of which nobody knows which forum they are of keep none out', async () => {
    const remove = await account()
    for (const mode of [tried, real]) {
      await before(null)
      await start(mode)
      expect(await forumOf()).toBe(mode.forum)
    }
    await remove()
  })

  const [TRIED, OURS] = ['sandboxClient', 'client-of-ours']
  test.each([
    ['no forum was asked', [], null],
    ['the sandbox was', [TRIED, `share of ${TRIED} somebody`], 'sandbox'],
    ['the real one was', [`share of ${OURS} somebody`, OURS], 'real'],
    ['the real one was, after the sandbox', [TRIED, 'client-before', OURS], 'real'],
    ['the sandbox was, after the real one', [OURS, TRIED], 'sandbox'],
  ])('an installation from before it was kept, where %s', async (_, clients, forum) => {
    const tx = await harness.context.db.startTransaction().execute()
    await sql`alter table installation drop column forum; delete from forum_budget`.execute(tx)
    for (const [index, client] of clients.entries())
      await sql`
        insert into forum_budget (client, calls, remaining, window_ends)
          values (${client}, 990, 900, ${new Date(Date.UTC(2026, 0, 1 + index))})`.execute(tx)
    await migrations['0100-forum-kind']?.up(tx)
    expect(await tx.selectFrom('installation').select('forum').execute()).toEqual([{ forum }])
    await tx.rollback().execute()
  })

  test('a subreddit and a post that no forum has heard of keep none out', async () => {
    await start(tried)
    await buildSubreddits(harness, ['Cabins'])
    await buildPost(harness, await buildCreator(harness), { subreddits: ['Cabins'] })
    await start(real)
    await start(tried)
  })
})

test('sample accounts change their password and lose their sessions when others can reach them', async () => {
  const home = await startHarness()
  const exposed = await startHarness({
    beside: home,
    environment: { HOST: '0.0.0.0', SANDBOX_TOKEN: 'only the operator knows it' },
  })
  const { db } = home.context
  const [sample, other] = await Promise.all([buildAccount(home), buildAccount(home)])
  await db.updateTable('users').set({ is_sample: true }).where('id', '=', sample.id).execute()
  await db
    .updateTable('installation')
    .set({ sample_password: currentSamplePassword(home.context).kind })
    .execute()
  const logIn = async ({ email }: { email: string }, password: string) =>
    (await home.api.visitor().send('POST', '/auth/login', { body: { email, password } })).status
  const isIn = async (token: string) => (await home.api.as({ token }).send('GET', '/auth/me')).status

  // Nothing changed since the last start, so what somebody chose in between stays.
  await renewSamplePasswords(home.context)
  expect([await logIn(sample, PASSWORD), await isIn(sample.token)]).toEqual([200, 200])

  await renewSamplePasswords(exposed.context)
  const { password } = currentSamplePassword(exposed.context)
  expect(password).toMatch(/^[\w-]{16}$/)
  expect([await logIn(sample, samplePassword), await logIn(sample, PASSWORD)]).toEqual([401, 401])
  expect([await logIn(sample, password), await isIn(sample.token)]).toEqual([200, 401])
  expect([await logIn(other, PASSWORD), await isIn(other.token)]).toEqual([200, 200])

  await renewSamplePasswords(home.context)
  expect([await logIn(sample, samplePassword), await logIn(sample, password)]).toEqual([200, 401])

  // Strangers behind a proxy on this machine logged in under this kind.
  const before = await buildSession(home, sample.id)
  await db.updateTable('installation').set({ sample_password: 'public' }).execute()
  await renewSamplePasswords(home.context)
  expect([await isIn(before), await logIn(sample, samplePassword)]).toEqual([401, 200])
  await exposed.stop()
  await home.stop()
})
