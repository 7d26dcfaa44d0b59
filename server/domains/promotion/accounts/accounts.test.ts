import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Forum } from '../../../ports/forum/port.ts'
import { buildCreator, buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { connectForum, consent, forumAdmin } from '../../../testing/promotion.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
beforeEach(() => forumAdmin(harness, 'DELETE', 'faults'))
afterAll(() => harness?.stop())

const HOUR_MS = 3_600_000
const as = (person: { token: string }) => harness.api.as(person)
const accounts = async (person: Person) => (await as(person).call(routes.forumAccounts, {})).items
const authorize = async (person: { token: string }) => (await as(person).call(routes.authorizeForum, {})).url
const confirm = (person: { token: string }, body: { code: string; state: string }) =>
  as(person).send('POST', '/reddit/tokenconfirmation', { body })
const search = (person: Person) =>
  as(person).send('GET', '/reddit/api/subreddits', { query: { search: 'gardens' } })
/** Calls of this path that the forum counted. */
const callsTo = async (path: string) => {
  const { items } = await forumAdmin<{ items: { path: string }[] }>(harness, 'GET', 'requests')
  return items.filter((call) => call.path.startsWith(path)).length
}
const tokensOf = async (accountId: string): Promise<[string, string]> => {
  const { sealed_tokens } = await harness.context.db
    .selectFrom('forum_accounts')
    .select('sealed_tokens')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return JSON.parse(harness.context.vault.open('forum.tokens', accountId, sealed_tokens ?? Buffer.of()))
}

describe('connecting', () => {
  test('keeps several accounts of one creator, each once', async () => {
    const person = await buildCreator(harness)
    expect((await as(person).call(routes.me, {})).forumConnected).toBe(false)
    const first = await connectForum(harness, person, 'FirstName')
    await connectForum(harness, person, 'SecondName')
    const again = await connectForum(harness, person, 'firstname')
    expect(again._id).toBe(first._id)
    expect((await accounts(person)).map(({ name, status }) => [name, status]).sort()).toEqual([
      ['FirstName', 'connected'],
      ['SecondName', 'connected'],
    ])
    expect((await as(person).call(routes.me, {})).forumConnected).toBe(true)
  })

  test('takes a state once, of the same person and session, unaltered, for half an hour', async () => {
    const person = await buildCreator(harness)
    const stranger = await buildCreator(harness)
    const otherSession = { token: await buildSession(harness, person.id) }
    const back = async () => consent(await authorize(person), 'Somebody')
    const { code, state } = await back()
    const parts = state.split('.')
    const wrong: [string, { token: string }, string][] = [
      ['another person', stranger, state],
      ['another session of the same person', otherSession, state],
      ['another person’s id', stranger, [stranger.id, ...parts.slice(1)].join('.')],
      [
        'another nonce',
        person,
        [parts[0], parts[1], `${parts[2]?.startsWith('x') ? 'y' : 'x'}${parts[2]?.slice(1)}`, parts[3]].join(
          '.',
        ),
      ],
      ['a later end', person, [parts[0], String(Number(parts[1]) + 60), parts[2], parts[3]].join('.')],
      ['the id alone', person, person.id],
    ]
    for (const [name, caller, given] of wrong) {
      const refused = await confirm(caller, { code, state: given })
      expect(refused, name).toMatchObject({ status: 403, body: { code: 'authorization_invalid' } })
    }
    expect((await confirm(person, { code, state })).status).toBe(200)
    expect((await confirm(person, { code, state })).status).toBe(403)
    const late = await back()
    harness.clock.advance(HOUR_MS / 2 + 1000)
    expect((await confirm(person, late)).status).toBe(403)
    expect(await accounts(person)).toHaveLength(1)
    expect(await accounts(stranger)).toEqual([])
  })

  test('of the same redirect twenty times at once is one account', async () => {
    const person = await buildCreator(harness)
    const back = await consent(await authorize(person), 'Hasty')
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(person, back)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await accounts(person)).toHaveLength(1)
    // No grant that is kept waits to be revoked.
    const { db } = harness.context
    const held = db
      .selectFrom('forum_revocations')
      .select('id')
      .where('next_try_at', '>', harness.clock.now())
    expect(await held.execute()).toEqual([])
  })

  test('is refused for a code that the forum doesn’t know, or too few permissions, which are given back', async () => {
    const person = await buildCreator(harness)
    const { state } = await consent(await authorize(person), 'Somebody')
    const refused = await confirm(person, { code: 'made-up', state })
    expect(refused).toMatchObject({ status: 400, body: { code: 'authorization_code_invalid' } })
    const narrow = await consent(await authorize(person), 'Careful', { scope: 'identity' })
    const incomplete = await confirm(person, narrow)
    expect(incomplete).toMatchObject({ status: 400, body: { code: 'authorization_incomplete' } })
    expect(await accounts(person)).toEqual([])
    const due = await harness.context.db.selectFrom('forum_revocations').select('id').execute()
    const before = await callsTo('/api/v1/revoke_token')
    await harness.runJobs()
    expect((await callsTo('/api/v1/revoke_token')) - before).toBe(due.length)
    expect(due.length).toBeGreaterThan(0)
  })

  test('says so when the forum is down, and nothing is kept', async () => {
    const person = await buildCreator(harness)
    const back = await consent(await authorize(person), 'Unlucky')
    await forumAdmin(harness, 'POST', 'faults', {
      path: '/api/v1/access_token',
      kind: 'status',
      status: 503,
      times: 1,
    })
    expect(await confirm(person, back)).toMatchObject({ status: 503, body: { code: 'forum_down' } })
    expect(await accounts(person)).toEqual([])
  })
})

describe('a process that ends while it connects', () => {
  test('leaves no grant behind: it is revoked, and what comes later is refused', async () => {
    const person = await buildCreator(harness)
    const { context } = harness
    const { db, vault, forum } = context
    if (!forum) throw new Error('there is no forum')
    await harness.runJobs()
    const back = await consent(await authorize(person), 'Interrupted')
    const identity = Promise.withResolvers<Awaited<ReturnType<Forum['identity']>>>()
    context.forum = { ...forum, identity: () => identity.promise }
    onTestFinished(() => {
      context.forum = forum
    })
    // To the database it is gone from here on: it waits for the forum and holds nothing.
    const gone = confirm(person, back)
    const waiting = () => db.selectFrom('forum_revocations').selectAll().execute()
    await expect.poll(waiting).toHaveLength(1)
    const { id, sealed_token } = await db
      .selectFrom('forum_revocations')
      .selectAll()
      .executeTakeFirstOrThrow()
    const refreshToken = vault.open('forum.revocation', id, sealed_token)
    const revoke = () => harness.server.jobs['forum.revoke']({}, { attempt: 1, lastAttempt: true })
    await revoke()
    expect((await forum.renew(refreshToken)).kind).toBe('answered')
    harness.clock.advance(HOUR_MS / 4)
    await revoke()
    expect((await forum.renew(refreshToken)).kind).toBe('grant-refused')
    identity.resolve({ kind: 'down', detail: 'too late' })
    expect((await gone).status).toBeGreaterThanOrEqual(400)
    expect(await accounts(person)).toEqual([])
    expect(await waiting()).toEqual([])
  })
})

describe('disconnecting', () => {
  test('forgets the account, and has the forum revoke its grant even if that takes several tries', async () => {
    const person = await buildCreator(harness)
    const stranger = await buildCreator(harness)
    const { _id: accountId } = await connectForum(harness, person, 'Leaving')
    const [, refreshToken] = await tokensOf(accountId)
    const foreign = await as(stranger).send('POST', '/reddit/accounts/disconnect', { body: { accountId } })
    expect(foreign.status).toBe(404)
    await as(person).call(routes.disconnectForum, { body: { accountId } })
    expect(await accounts(person)).toEqual([])
    await forumAdmin(harness, 'POST', 'faults', {
      path: '/api/v1/revoke_token',
      kind: 'status',
      status: 500,
      times: 1,
    })
    await harness.runJobs()
    const { forum } = harness.context
    expect((await forum?.renew(refreshToken))?.kind).toBe('answered')
    harness.clock.advance(HOUR_MS)
    await harness.server.jobs['forum.revoke']({}, { attempt: 1, lastAttempt: true })
    expect((await forum?.renew(refreshToken))?.kind).toBe('grant-refused')
    const left = await harness.context.db.selectFrom('forum_revocations').select('id').execute()
    expect(left).toEqual([])
  })
})

test('disconnecting twice at once is done once', async () => {
  const person = await buildCreator(harness)
  const { _id: accountId } = await connectForum(harness, person, 'LeavingTwice')
  const { db } = harness.context
  const revocations = () => db.selectFrom('forum_revocations').select('id').execute()
  const before = await revocations()
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      as(person).send('POST', '/reddit/accounts/disconnect', { body: { accountId } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
  expect(await revocations()).toHaveLength(before.length + 1)
  await harness.runJobs()
})

describe('tokens', () => {
  test('are renewed once for twenty callers, when they end and when the forum forgot them', async () => {
    const person = await buildCreator(harness)
    await connectForum(harness, person, 'Patient')
    harness.clock.advance(25 * HOUR_MS)
    let before = await callsTo('/api/v1/access_token')
    const ended = await Promise.all(Array.from({ length: 20 }, () => search(person)))
    expect(ended.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect((await callsTo('/api/v1/access_token')) - before).toBe(1)
    await forumAdmin(harness, 'POST', 'tokens/expire', { account: 'Patient' })
    before = await callsTo('/api/v1/access_token')
    const forgotten = await Promise.all(Array.from({ length: 20 }, () => search(person)))
    expect(forgotten.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect((await callsTo('/api/v1/access_token')) - before).toBe(1)
  })

  test('that were revoked end the connection, tell their person once, and are mended by connecting again', async () => {
    const person = await buildCreator(harness)
    const { _id: accountId } = await connectForum(harness, person, 'Changeable')
    await forumAdmin(harness, 'POST', 'tokens/revoke', { account: 'Changeable' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        as(person).send('GET', '/reddit/flair', { query: { subreddit: 'Ceramics' } }),
      ),
    )
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 409, body: { code: 'forum_reconnect' } })
    expect((await accounts(person)).map(({ status }) => status)).toEqual(['revoked'])
    const { items } = await as(person).call(routes.notifications, { query: {} })
    expect(items.filter(({ event }) => event.kind === 'forum.reconnect')).toHaveLength(1)
    const again = await connectForum(harness, person, 'Changeable')
    expect(again).toMatchObject({ _id: accountId, status: 'connected' })
    expect((await as(person).send('GET', '/reddit/flair', { query: { subreddit: 'Ceramics' } })).status).toBe(
      200,
    )
  })

  test('that are refused although they were just renewed end the connection, and their grant at the forum', async () => {
    const person = await buildCreator(harness)
    const { _id: accountId } = await connectForum(harness, person, 'Refused')
    await forumAdmin(harness, 'POST', 'faults', {
      ...{ path: '/r/Lanterns/api/link_flair_v2', account: 'Refused' },
      ...{ kind: 'status', status: 401, times: null },
    })
    const flair = await as(person).send('GET', '/reddit/flair', { query: { subreddit: 'Lanterns' } })
    expect(flair).toMatchObject({ status: 409, body: { code: 'forum_reconnect' } })
    expect((await accounts(person)).map(({ _id, status }) => [_id, status])).toEqual([[accountId, 'revoked']])
    const { db, vault, forum } = harness.context
    const { id, sealed_token } = await db
      .selectFrom('forum_revocations')
      .select(['id', 'sealed_token'])
      .executeTakeFirstOrThrow()
    const refreshToken = vault.open('forum.revocation', id, sealed_token)
    await harness.runJobs()
    expect((await forum?.renew(refreshToken))?.kind).toBe('grant-refused')
  })

  test('aren’t ended by a forum that is down while they are renewed', async () => {
    const person = await buildCreator(harness)
    await connectForum(harness, person, 'Steady')
    harness.clock.advance(25 * HOUR_MS)
    await forumAdmin(harness, 'POST', 'faults', {
      path: '/api/v1/access_token',
      kind: 'status',
      status: 500,
      times: 1,
    })
    expect(await search(person)).toMatchObject({ status: 503, body: { code: 'forum_down' } })
    expect((await accounts(person)).map(({ status }) => status)).toEqual(['connected'])
    expect((await search(person)).status).toBe(200)
  })
})
