import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { Server } from 'socket.io'
import { io as connect } from 'socket.io-client'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import type { DeliveryTimes, Member } from './chat-crowd.ts'
import { startFanfare } from './feeds/fanfare.ts'
import { makeMembers } from './feeds/members.ts'

/**
 * Chat beside a bare Socket.IO server that does one INSERT for each message: how long a message takes to the other
 * person at a steady rate, also with the limits that the product counts, how many go through at most, how soon sockets end
 * whose session does, and what opening a long conversation costs beside a short one.
 */
const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 1000)
const RATE = Number(process.env.BENCH_RATE ?? 100)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WRITERS = 100
const LONG = 100_000
const SHORT = 100
const OPENINGS = 300
const LOGOUTS = 50
/** Until those who left are noted to be gone, which would be work during the next measurement. */
const PAUSE_MS = 7000

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 20 })
pool.on('error', () => {})
const say = (text: string) => process.stdout.write(`${text}\n`)

let fanfare = await startFanfare(postgres.connectionString, dataDir)
const people = await makeMembers(pool, PEOPLE)
const bare = await startBare()
await fanfare.stop()
const rounds: { p50: number; p99: number; perSecond: number; limitedP50: number; limitedP99: number }[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const ours = await measureFanfare({ writers: WRITERS })
  const theirs = await measure(bare.address, { writers: WRITERS })
  const limited = await measureFanfare({ rateLimits: true, writers: 0 })
  say(`round ${round}, ${PEOPLE} connected, ${RATE} messages a second; then ${WRITERS} writers at once`)
  for (const [name, { p50, p99, perSecond }] of Object.entries({ fanfare: ours, bare: theirs }))
    say(`  ${name}: ${delivered({ p50, p99 })}; ${perSecond.toFixed(0)} messages/s`)
  say(`  fanfare, with its limits: ${delivered(limited)}`)
  rounds.push({
    p50: ours.p50 / theirs.p50,
    p99: ours.p99 / theirs.p99,
    perSecond: ours.perSecond / theirs.perSecond,
    limitedP50: limited.p50 / theirs.p50,
    limitedP99: limited.p99 / theirs.p99,
  })
}
const median = (name: keyof (typeof rounds)[number]) =>
  rounds
    .map((round) => round[name])
    .toSorted((a, b) => a - b)
    [rounds.length >> 1]?.toFixed(2)
say(`ratios, the median: p50 ${median('p50')}, p99 ${median('p99')}, messages/s ${median('perSecond')}`)
say(`with the limits: p50 ${median('limitedP50')}, p99 ${median('limitedP99')}`)
await bare.stop()
fanfare = await startFanfare(postgres.connectionString, dataDir)
await measureOpening()
await measureLogouts()
await fanfare.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

/** Measures the product, which runs only as long. */
async function measureFanfare(options: { writers: number; rateLimits?: boolean }): Promise<DeliveryTimes> {
  const { rateLimits = false, writers } = options
  fanfare = await startFanfare(postgres.connectionString, dataDir, { rateLimits })
  const times = await measure(fanfare.address, { writers })
  await fanfare.stop()
  return times
}

async function measure(address: string, { writers }: { writers: number }): Promise<DeliveryTimes> {
  await wait(PAUSE_MS)
  const workerData = { address, people, writers, rate: RATE, seconds: SECONDS }
  const crowd = new Worker(new URL('./chat-crowd.ts', import.meta.url), { workerData })
  const [times] = await once(crowd, 'message')
  await crowd.terminate()
  return times as DeliveryTimes
}

function delivered({ p50, p99 }: Pick<DeliveryTimes, 'p50' | 'p99'>): string {
  return `delivered p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
}

async function startBare(): Promise<{ address: string; stop(): Promise<void> }> {
  await pool.query(`create table bare_messages (id uuid primary key default uuidv7(), conversation_id uuid not null,
    sender_id uuid not null, content text not null, created_at timestamptz not null default now())`)
  const server = createServer()
  const io = new Server(server, { serveClient: false })
  io.on('connection', (socket) => {
    const { conversationId } = socket.handshake.auth as { conversationId: string }
    void socket.join(conversationId)
    socket.on('chat message', async ({ message }, acknowledge) => {
      const { rows } = await pool.query({
        name: 'bare',
        text: 'insert into bare_messages (conversation_id, sender_id, content) values ($1, $2, $3) returning *',
        values: [message.conversationId, message.senderId, message.content],
      })
      const { id, created_at: createdAt } = rows[0]
      const stored = { ...message, _id: id, createdAt }
      io.to(conversationId).emit('chat message', { message: stored, conversation: { _id: conversationId } })
      acknowledge({ ok: true, message: stored })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => io.close(),
  }
}

/** Opens a conversation of `SHORT` messages and one of `LONG`, in turn. */
async function measureOpening(): Promise<void> {
  const times = new Map<number, number[]>()
  const pairs = [people[0], people[2]] as [Member, Member]
  for (const [index, count] of [SHORT, LONG].entries()) {
    const { id, otherId, conversationId } = pairs[index] as Member
    await pool.query('delete from conversations where id = $1', [conversationId])
    const [low, high] = [id, otherId].sort()
    await pool.query(
      `insert into conversations (id, low_id, high_id, revision, created_at) values ($1, $2, $3, $4, now())`,
      [conversationId, low, high, count],
    )
    await pool.query(
      `insert into conversation_members (conversation_id, user_id, other_id, last_at) values ($1, $2, $3, now()), ($1, $3, $2, now())`,
      [conversationId, id, otherId],
    )
    await pool.query(
      `insert into messages (conversation_id, position, revision, sender_id, content, created_at)
       select $1, n, n, $2, 'Message ' || n, now() from generate_series(1, $3) as n`,
      [conversationId, id, count],
    )
  }
  await pool.query('analyze messages')
  for (let at = 0; at < OPENINGS; at++)
    for (const [index, count] of [SHORT, LONG].entries()) {
      const { token, otherId } = pairs[index] as Member
      const began = performance.now()
      const answer = await fetch(`${fanfare.address}/api/users/messages2?recipientId=${otherId}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`a conversation answered ${answer.status}`)
      times.set(count, [...(times.get(count) ?? []), performance.now() - began])
    }
  for (const [count, all] of times) {
    const sorted = all.toSorted((a, b) => a - b)
    say(
      `opening ${count} messages: p50 ${sorted[OPENINGS / 2]?.toFixed(2)} ms, p95 ${sorted[Math.floor(OPENINGS * 0.95)]?.toFixed(2)} ms`,
    )
  }
}

/** Logs people out who have a socket, and measures from the call until it ends. */
async function measureLogouts(): Promise<void> {
  const times: number[] = []
  for (const { token } of people.slice(-LOGOUTS)) {
    const socket = connect(fanfare.address, { forceNew: true, transports: ['websocket'], auth: { token } })
    await new Promise((resolve) => socket.once('connect', () => resolve(null)))
    const ended = new Promise((resolve) => socket.once('disconnect', resolve))
    const began = performance.now()
    const answer = await fetch(`${fanfare.address}/api/users/logout`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`a log-out answered ${answer.status}`)
    await ended
    times.push(performance.now() - began)
    socket.close()
  }
  const sorted = times.toSorted((a, b) => a - b)
  const [median, worst] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0]
  say(`a socket ends after its log-out: p50 ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`)
}
