import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { findAccount } from '../domains/promotion/accounts/data.ts'
import { askAs } from '../domains/promotion/accounts/tokens/actions.ts'
import { reddit } from '../ports/forum/reddit/adapter.ts'
import { createBudget } from '../ports/forum/reddit/budget.ts'
import { buildCreator } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import { connectForum } from './promotion.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('an account that is disconnected while a renewal changes its grant leaves no grant behind', async () => {
  const { context, clock } = harness
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const server = createServer(async (_request, reply) => {
    asked.resolve()
    await answered.promise
    reply.writeHead(200, { 'content-type': 'application/json' })
    const answer = { access_token: 'new', refresh_token: 'changed', expires_in: 86_400, scope: '*' }
    reply.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const forum = reddit({
    ...{ consentUrl: url, wwwUrl: url, apiUrl: url, redirectUri: 'http://fanfare.test/tokenconfirmation' },
    ...{ clientId: 'client', clientSecret: 'secret', userAgent: 'web:fanfare.test:1.0.0 (by /u/fanfare)' },
    ...{ timeoutMs: 60_000, retryWaitsMs: [], budget: createBudget(context.db, 'renewing') },
    ...{ log: context.log, now: clock.now },
  })
  const person = await buildCreator(harness)
  const { _id: accountId } = await connectForum(harness, person, 'Restless')
  const account = await findAccount(context.db, accountId)
  if (!account) throw new Error('the account isn’t there')
  clock.advance(25 * 3_600_000)
  const reading = askAs({ ...context, forum }, account, async () => ({ kind: 'answered' as const }))
  await asked.promise
  await harness.api.as(person).call(routes.disconnectForum, { body: { accountId } })
  answered.resolve()
  await reading
  server.close()
  const waiting = await context.db.selectFrom('forum_revocations').select(['id', 'sealed_token']).execute()
  const tokens = waiting.map(({ id, sealed_token }) =>
    context.vault.open('forum.revocation', id, sealed_token),
  )
  expect(tokens).toHaveLength(2)
  expect(tokens).toContain('changed')
})
