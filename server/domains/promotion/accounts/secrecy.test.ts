import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RouteName, routes } from '../../../../contract/index.ts'
import type { Route } from '../../../../contract/route.ts'
import { buildCreator, buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { send, validInput } from '../../../testing/inputs.ts'
import { connectForum, forumAdmin } from '../../../testing/promotion.ts'

/** Security row 22: the tokens of forum accounts are in no answer and no line of the log, and in the database only sealed. */

const HOUR_MS = 3_600_000
let harness: Harness
let creator: Person
let log = ''
const accountIds: string[] = []
beforeAll(async () => {
  harness = await startHarness({
    environment: { LOG_LEVEL: 'debug' },
    logTo: {
      write: (line) => {
        log += line
      },
    },
  })
  creator = await buildCreator(harness)
  for (const name of ['FirstSecret', 'SecondSecret'])
    accountIds.push((await connectForum(harness, creator, name))._id)
})
afterAll(() => harness?.stop())

/** The tokens that are kept of the creator’s accounts. */
async function tokens(): Promise<string[]> {
  const { db, vault } = harness.context
  const rows = await db
    .selectFrom('forum_accounts')
    .select(['id', 'sealed_tokens'])
    .where('sealed_tokens', 'is not', null)
    .execute()
  return rows.flatMap(({ id, sealed_tokens }): string[] =>
    JSON.parse(vault.open('forum.tokens', id, sealed_tokens ?? Buffer.of())),
  )
}

async function dump(): Promise<string> {
  const { db } = harness.context
  const { rows: tables } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'graphile_worker')`.execute(
    db,
  )
  const dumps = tables.map(async ({ name }) =>
    JSON.stringify((await sql`select t::text from ${sql.table(name)} t`.execute(db)).rows),
  )
  return (await Promise.all(dumps)).join('')
}

/** Every way in which a token could stand somewhere. */
const formsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64'),
]

test('of two accounts, renewed and refused, no token is in an answer, the log or a dump', async () => {
  const api = harness.api.as(creator)
  const secrets = new Set(await tokens())
  const fails = (path: string, kind: string, status = 200) =>
    forumAdmin(harness, 'POST', 'faults', { path, kind, status, times: 1 })
  const answers: unknown[] = []
  const refresh = async () =>
    answers.push(await api.send('POST', '/reddit/srinfo/refresh', { body: { subreddit: 'Gardens' } }))
  // Failures are logged in most detail.
  await fails('/r/Gardens', 'html')
  await refresh()
  harness.clock.advance(25 * HOUR_MS)
  await fails('/api/v1/access_token', 'malformed')
  await refresh()
  await refresh()
  for (const secret of await tokens()) secrets.add(secret)
  const gets = (Object.entries(routes) as [RouteName, Route][]).filter(([, { method }]) => method === 'GET')
  // One of these calls is the log-out.
  for (const [, route] of gets) {
    const session = harness.api.as({ token: await buildSession(harness, creator.id) })
    answers.push(await send(session, route, validInput(route, creator.id)))
  }
  answers.push(await api.call(routes.forumAccounts, {}), await api.call(routes.me, {}))
  await api.call(routes.disconnectForum, { body: { accountId: accountIds[1] ?? '' } })
  await forumAdmin(harness, 'POST', 'tokens/revoke', { account: 'FirstSecret' })
  await refresh()
  await harness.runJobs()

  expect(gets.length).toBeGreaterThan(100)
  // Two of each account, and what renewing the first one gave.
  expect(secrets.size).toBeGreaterThanOrEqual(5)
  expect(log).toContain('can’t be read')
  const everything = { answers: JSON.stringify(answers), log, database: await dump() }
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20)
    for (const form of formsOf(secret))
      for (const [where, text] of Object.entries(everything)) expect(text.includes(form), where).toBe(false)
  }
})
