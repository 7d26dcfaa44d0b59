import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { workLater } from '../server/domains/messaging/mass-messages/actions.ts'
import type { CrowdOptions, Windows } from './chat-crowd.ts'
import { startFanfare } from './feeds/fanfare.ts'
import { makeMembers, makePeople } from './feeds/members.ts'
import { quantile } from './feeds/quantile.ts'

/**
 * A mass message to many followers: how long it takes, how much memory it adds to the process that sends it, and how
 * long chat messages take to the other person while it goes out and those who don't read it are told, beside the same
 * without it. Every message is of another creator, whom nobody wrote with before.
 */
const RECIPIENTS = Number(process.env.BENCH_RECIPIENTS ?? 100_000)
const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 200)
const RATE = Number(process.env.BENCH_RATE ?? 100)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Until the first of those who got it are told that they haven't read it. */
const UNTIL_TOLD_MS = 11_000
const LOOK_MS = 200

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 10 })
pool.on('error', () => {})
const say = (text: string) => process.stdout.write(`${text}\n`)

const fanfare = await startFanfare(postgres.connectionString, dataDir, { role: 'all' })
const crowd = await makeMembers(pool, PEOPLE)
const followers = await makePeople(pool, 'f', RECIPIENTS)
let creators = 0
// A database in which people have written to each other for long, as far as its planner knows.
await work(await makeMessage())
await forgetJobs()
await pool.query('analyze')

const ratios: number[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const alone = await chat()
  const end = new AbortController()
  const sending = sendUntil(end.signal)
  await wait(UNTIL_TOLD_MS)
  const beside = await chat()
  end.abort()
  const sent = await sending
  await forgetJobs()
  ratios.push(beside.p99 / alone.p99)
  say(`round ${round}: ${PEOPLE} people write ${RATE} messages a second`)
  say(`  delivered alone: p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms`)
  say(`  beside: p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms`)
  say(
    `  ratio: p50 ${(beside.p50 / alone.p50).toFixed(2)}, p99 ${(beside.p99 / alone.p99).toFixed(2)}; ${sent}`,
  )
}
say(`ratio of p99, the median: ${ratios.toSorted((a, b) => a - b)[ROUNDS >> 1]?.toFixed(2)}`)
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
  await pool.query('update mass_messages set sent = 0')
  const began = performance.now()
  while (!signal.aborted) {
    await work(await makeMessage(), signal)
    messages++
  }
  const { rows } = await pool.query<{ sent: number; told: number }>(
    `select sum(sent)::int as sent, (select count(*)::int from notifications) as told from mass_messages`,
  )
  const { sent = 0, told = 0 } = rows[0] ?? {}
  const perSecond = (sent / (performance.now() - began)) * 1000
  return `${messages} mass messages begun, ${perSecond.toFixed(0)} people a second, ${told} told`
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

/** Has a mass message sent, and waits until it is. */
async function work(massMessageId: string, signal?: AbortSignal): Promise<void> {
  await fanfare.context.db.transaction().execute((tx) => workLater(tx, massMessageId))
  for (;;) {
    const { rows } = await pool.query('select from mass_messages where id = $1 and status = $2', [
      massMessageId,
      'sending',
    ])
    if (rows.length === 0 || signal?.aborted) return
    await wait(LOOK_MS)
  }
}

/** Ends what is being sent, and deletes queued jobs and notifications. */
async function forgetJobs(): Promise<void> {
  await pool.query(`update mass_messages set status = 'sent' where status = 'sending'`)
  await pool.query('delete from graphile_worker._private_jobs where locked_at is null')
  await pool.query('delete from notifications')
}

async function makeMessage(): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into mass_messages (creator_id, content, audience, status, created_at, send_at, started_at, expected)
     values ($1, 'Hello to all of you', 'followers', 'sending', now(), now(), now(), $2) returning id`,
    [await makeFollowed(), RECIPIENTS],
  )
  return rows[0]?.id ?? ''
}

async function chat(): Promise<{ p50: number; p99: number }> {
  const workerData: CrowdOptions = {
    addresses: [fanfare.address],
    people: crowd,
    steady: { windows: 1, seconds: SECONDS, rate: RATE, together: 10 },
    fast: { windows: 0, seconds: 0, writers: 0 },
  }
  const worker = new Worker(new URL('./chat-crowd.ts', import.meta.url), { workerData })
  const [[{ delays }]] = (await once(worker, 'message')) as [[Windows]]
  await worker.terminate()
  return { p50: quantile(delays.flat(), 0.5), p99: quantile(delays.flat(), 0.99) }
}

/** Another creator whom everybody follows; returns the creator's id. */
async function makeFollowed(): Promise<string> {
  creators += 1
  const [creator = ''] = await makePeople(pool, `c${creators}_`, 1)
  await pool.query(
    `insert into follows (follower_id, following_id, created_at) select id, $2, now() from unnest($1::uuid[]) as f (id)`,
    [followers, creator],
  )
  return creator
}
