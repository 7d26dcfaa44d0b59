import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { conversationIdOf } from '../server/domains/messaging/data.ts'
import type { Heard, Member } from './chat-crowd.ts'
import { startFanfare } from './feeds/fanfare.ts'

/**
 * A mass message to many followers: how long it takes, how much memory it adds to the process that sends it, and how
 * long chat messages take to the other person meanwhile, beside the same without it.
 */
const RECIPIENTS = Number(process.env.BENCH_RECIPIENTS ?? 100_000)
const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 200)
const RATE = Number(process.env.BENCH_RATE ?? 50)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const ROUNDS = 2

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 10 })
pool.on('error', () => {})
const say = (text: string) => process.stdout.write(`${text}\n`)

const fanfare = await startFanfare(postgres.connectionString, dataDir)
const crowd = await makeCrowd()
const creatorId = await makeFollowed()

for (let round = 1; round <= ROUNDS; round++) {
  const alone = await chat()
  const end = new AbortController()
  const sending = sendUntil(end.signal)
  const beside = await chat()
  end.abort()
  const sent = await sending
  say(`round ${round}: ${PEOPLE} people write ${RATE} messages a second`)
  say(`  delivered alone: p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms`)
  say(`  beside: p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms`)
  say(
    `  ratio: p50 ${(beside.p50 / alone.p50).toFixed(2)}, p99 ${(beside.p99 / alone.p99).toFixed(2)}; ${sent}`,
  )
}
const { seconds, grown } = await sendOne()
say(
  `${RECIPIENTS} people, nothing beside: ${seconds.toFixed(1)} s; memory grew by ${grown.toFixed(0)} MB at most`,
)
await fanfare.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

/** Sends mass messages one after the other; what had gone out when it was ended. */
async function sendUntil(signal: AbortSignal): Promise<string> {
  let messages = 0
  const began = performance.now()
  while (!signal.aborted) {
    await work(await makeMessage(), signal)
    messages++
  }
  const { rows } = await pool.query<{ sent: number }>('select sum(sent)::int as sent from mass_messages')
  const perSecond = ((rows[0]?.sent ?? 0) / (performance.now() - began)) * 1000
  await pool.query('update mass_messages set sent = 0')
  return `${messages} mass messages begun, ${perSecond.toFixed(0)} people a second`
}

/** One mass message to everybody, with how far memory rose above where it was. */
async function sendOne(): Promise<{ seconds: number; grown: number }> {
  const id = await makeMessage()
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  const began = performance.now()
  await work(id)
  clearInterval(watching)
  const { rows } = await pool.query<{ got: number }>(
    'select count(*)::int as got from messages where mass_message_id = $1',
    [id],
  )
  if (rows[0]?.got !== RECIPIENTS) throw new Error(`${rows[0]?.got} of ${RECIPIENTS} people got it`)
  return { seconds: (performance.now() - began) / 1000, grown: (most - before) / 1e6 }
}

/** Works as the queue does: each run leaves the rest to the next. */
async function work(massMessageId: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from mass_messages where id = $1 and status = $2', [
      massMessageId,
      'sending',
    ])
    if (rows.length === 0 || signal?.aborted) return
    await fanfare.jobs['messages.mass']({ massMessageId }, { attempt: 1, lastAttempt: false })
  }
}

async function makeMessage(): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into mass_messages (creator_id, content, audience, status, created_at, send_at, started_at, expected)
     values ($1, 'Hello to all of you', 'followers', 'sending', now(), now(), now(), $2) returning id`,
    [creatorId, RECIPIENTS],
  )
  return rows[0]?.id ?? ''
}

async function chat(): Promise<Heard> {
  const workerData = { address: fanfare.address, people: crowd, writers: 0, rate: RATE, seconds: SECONDS }
  const worker = new Worker(new URL('./chat-crowd.ts', import.meta.url), { workerData })
  const [heard] = await once(worker, 'message')
  await worker.terminate()
  return heard as Heard
}

async function makePeople(prefix: string, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, email_verified_at,
       referral_code, created_at)
     select name || '@bench.test', name, 'P', name, 'x', true, now(), name, now()
     from (select $1 || n as name from generate_series(1, $2::int) as n) as each returning id`,
    [prefix, count],
  )
  return rows.map(({ id }) => id)
}

/** People with a session each, every two of them a conversation. */
async function makeCrowd(): Promise<Member[]> {
  const ids = await makePeople('p', PEOPLE)
  const tokens = ids.map(() => randomBytes(32).toString('base64url'))
  await pool.query(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
     select id, hash, now(), now(), now() + interval '30 days' from unnest($1::uuid[], $2::bytea[]) as s (id, hash)`,
    [ids, tokens.map((token) => createHash('sha256').update(token).digest())],
  )
  return ids.map((id, at) => {
    const otherId = ids[at % 2 === 0 ? at + 1 : at - 1] ?? ''
    return { id, token: tokens[at] ?? '', otherId, conversationId: conversationIdOf(id, otherId) }
  })
}

/** A creator whom so many people follow; returns the creator's id. */
async function makeFollowed(): Promise<string> {
  const [creator = ''] = await makePeople('c', 1)
  const followers = await makePeople('f', RECIPIENTS)
  await pool.query(
    `insert into follows (follower_id, following_id, created_at) select id, $2, now() from unnest($1::uuid[]) as f (id)`,
    [followers, creator],
  )
  await pool.query('analyze')
  return creator
}
