import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import type { Forum } from '../port.ts'
import { reddit } from './adapter.ts'
import { createBudget } from './budget.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const PAGE = '<!doctype html><title>Blocked</title>'

/** A forum on the real adapter that answers every call but that for tokens with this. */
async function forumThatAnswers(
  status: number | 'never',
  body: unknown,
  { timeoutMs = 60_000, retryWaitsMs = [] }: { timeoutMs?: number; retryWaitsMs?: number[] } = {},
): Promise<{ forum: Forum; tokens(): number; calls(): number }> {
  let tokens = 0
  let calls = 0
  const listener: RequestListener = (request, reply) => {
    const isToken = request.url === '/api/v1/access_token'
    if (isToken) tokens++
    else calls++
    if (!isToken && status === 'never') return
    const token = { access_token: `token ${tokens}`, expires_in: 86_400, scope: '*' }
    const isPage = !isToken && body === PAGE
    reply.writeHead(isToken ? 200 : Number(status), {
      'content-type': isPage ? 'text/html' : 'application/json',
    })
    reply.end(isPage ? PAGE : JSON.stringify(isToken ? token : body))
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { db, log } = harness.context
  const forum = reddit({
    ...{ consentUrl: url, wwwUrl: url, apiUrl: url, redirectUri: 'http://fanfare.test/tokenconfirmation' },
    ...{ clientId: 'client', clientSecret: 'secret', userAgent: 'web:fanfare.test:1.0.0 (by /u/fanfare)' },
    ...{ timeoutMs, retryWaitsMs, budget: createBudget(db, 'malformed'), log },
    now: harness.clock.now,
  })
  return { forum, tokens: () => tokens, calls: () => calls }
}

const about = (name: string) => ({ kind: 't5', data: { display_name: name } })

test.each<[string, string, number, unknown, (forum: Forum) => Promise<{ kind: string }>]>([
  ['a reason that is no text', 'forbidden', 403, { reason: { toString: 1, valueOf: 1 } }, askAbout],
  ['nothing at all', 'malformed', 200, null, askAbout],
  ['another subreddit than was asked for', 'malformed', 200, about('Elsewhere'), askAbout],
  ['the same in other letters', 'answered', 200, about('GARDENS'), askAbout],
  ['a flair whose id the database can’t hold', 'malformed', 200, [{ id: 'a\0b', text: 'A' }], askFlair],
  ['a person whose id the database can’t hold', 'malformed', 200, { id: 'a\0', name: 'Somebody' }, askWho],
  ['that a new token of our own is no good', 'misconfigured', 401, {}, askAbout],
  ['a page that refuses', 'malformed', 403, PAGE, askAbout],
  ['a page that finds nothing', 'malformed', 404, PAGE, askAbout],
  ['a page that finds no such name', 'gone', 404, PAGE, askAboutNone],
  ['a page that refuses a post', 'doubt', 403, PAGE, submit],
  ['a page that finds nothing for a post', 'doubt', 404, PAGE, submit],
  ['a page that calls a comment wrong', 'doubt', 400, PAGE, comment],
])('an answer with %s is taken as %s', async (_, kind, status, body, ask) => {
  const { forum } = await forumThatAnswers(status, body)
  expect((await ask(forum)).kind).toBe(kind)
})

test('a forum that never answers is told to a person after one time-out, and tried again by what can wait', async () => {
  const askOne = async (priority: 'interactive' | 'background') => {
    const { forum, calls } = await forumThatAnswers('never', {}, { timeoutMs: 3_000, retryWaitsMs: [1] })
    return [(await forum.subreddit('Gardens', priority)).kind, calls()]
  }
  expect(await Promise.all([askOne('interactive'), askOne('background')])).toEqual([
    ['down', 1],
    ['down', 2],
  ])
})

function askAbout(forum: Forum) {
  return forum.subreddit('Gardens', 'interactive')
}
function askAboutNone(forum: Forum) {
  return forum.subreddit('no-such-name', 'interactive')
}
function submit(forum: Forum) {
  const post = { subreddit: 'Gardens', title: 'A lake', url: 'https://www.redgifs.com/watch/lake' }
  return forum.submit({ ...post, flairId: null, flairText: null, isNsfw: true, isRepeated: false }, 'token')
}
function comment(forum: Forum) {
  return forum.comment({ postId: 'abc', text: 'Hello' }, 'token')
}
function askFlair(forum: Forum) {
  return forum.flair('Gardens', 'token', 'interactive')
}
function askWho(forum: Forum) {
  return forum.identity('token')
}

test('texts that are cut through a character can be stored', async () => {
  const long = (length: number) => `${'x'.repeat(length - 1)}🌷🌷`
  const rules = [{ short_name: long(200), description: long(2000) }]
  const { forum } = await forumThatAnswers(200, { rules })
  const answer = await forum.rules('Gardens', 'interactive')
  if (answer.kind !== 'answered') throw new Error(answer.kind)
  expect(answer.value[0]?.name).toBe('x'.repeat(199))
  const { rows } = await sql<{ stored: unknown }>`
    select ${JSON.stringify(answer.value)}::jsonb as stored`.execute(harness.context.db)
  expect(rows[0]?.stored).toEqual(answer.value)
})

test('twenty callers whose token is refused have one new one made', async () => {
  const { forum, tokens } = await forumThatAnswers(401, {})
  await Promise.all(Array.from({ length: 20 }, () => askAbout(forum)))
  expect(tokens()).toBeLessThanOrEqual(2)
})
