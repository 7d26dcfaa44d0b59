import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { io as connect } from 'socket.io-client'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import type { CrowdOptions, Member, Windows } from './chat-crowd.ts'
import type { ChatServerOptions } from './chat-server.ts'
import { makeMembers } from './feeds/members.ts'
import { median, quantile } from './feeds/quantile.ts'

/**
 * Chat beside a bare Socket.IO server that does one INSERT for each message: how long a message takes to the other
 * person at a steady rate, of people who write when they like, of bursts, and with the limits that the product counts; how
 * many go through at most, how soon sockets end whose session does, and what opening a long conversation costs beside a
 * short one. Both servers run all the time, with everybody connected to each, and take turns in short windows: a machine
 * that stalls does so in windows of both.
 */
const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 1000)
const RATE = Number(process.env.BENCH_RATE ?? 100)
const WINDOWS = Number(process.env.BENCH_WINDOWS ?? 15)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const BURST = 10
const FAST = { windows: 5, seconds: 2, writers: 100 }
const NOT_FAST = { ...FAST, windows: 0 }
const LONG = 100_000
const SHORT = 100
const OPENINGS = 300
const LOGOUTS = 50

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 2 })
pool.on('error', () => {})
const say = (text: string) => process.stdout.write(`${text}\n`)

type Running = { address: string; process: ChildProcess }
let fanfare = await start('fanfare')
const people = await makeMembers(pool, PEOPLE)
const bare = await start('bare')
say(`${PEOPLE} connected to each, ${RATE} messages a second; then ${FAST.writers} writers at once`)
await compare(1, FAST)
say(`The same in bursts of ${BURST} at once`)
await compare(BURST, NOT_FAST)
await stop(fanfare)
fanfare = await start('fanfare with its limits')
say('With the limits that the product counts')
await compare(1, NOT_FAST)
await stop(bare)
await measureOpening()
await measureLogouts()
await stop(fanfare)
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

async function start(kind: ChatServerOptions['kind']): Promise<Running> {
  const { connectionString } = postgres
  const options: ChatServerOptions = { kind, connectionString, dataDir }
  const process = fork(join(import.meta.dirname, 'chat-server.ts'), [JSON.stringify(options)])
  const [address] = await once(process, 'message')
  return { address: address as string, process }
}

async function stop({ process }: Running): Promise<void> {
  process.disconnect()
  await once(process, 'exit')
}

/** Lets both take turns, and says how they did in all windows together and in the median of them. */
async function compare(together: number, fast: CrowdOptions['fast']): Promise<void> {
  const workerData: CrowdOptions = {
    addresses: [fanfare.address, bare.address],
    people,
    steady: { windows: WINDOWS, seconds: SECONDS, rate: RATE, together },
    fast,
  }
  const crowd = new Worker(new URL('./chat-crowd.ts', import.meta.url), { workerData })
  const [[our, their]] = (await once(crowd, 'message')) as [[Windows, Windows]]
  await crowd.terminate()
  for (const [name, { delays, perSecond }] of Object.entries({ fanfare: our, bare: their })) {
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(delays.flat(), share).toFixed(1))
    const rate = perSecond.length > 0 ? `; ${median(perSecond).toFixed(0)} messages/s` : ''
    say(`  ${name}: delivered p50 ${p50} ms, p99 ${p99} ms${rate}`)
  }
  const ratio = (share: number) => {
    const pooled = quantile(our.delays.flat(), share) / quantile(their.delays.flat(), share)
    const each = our.delays.map(
      (window, at) => quantile(window, share) / quantile(their.delays[at] ?? [], share),
    )
    return `${pooled.toFixed(2)} of all, ${median(each).toFixed(2)} the median of ${each.length} windows`
  }
  say(`  ratio of p50: ${ratio(0.5)}`)
  say(`  ratio of p99: ${ratio(0.99)}`)
  const rates = our.perSecond.map((rate, at) => rate / (their.perSecond[at] ?? 0))
  if (rates.length > 0) say(`  ratio of messages/s: ${median(rates).toFixed(2)}`)
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
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(all, share).toFixed(2))
    say(`opening ${count} messages: p50 ${p50} ms, p95 ${p95} ms`)
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
  const [p50, worst] = [median(times), Math.max(...times)]
  say(`a socket ends after its log-out: p50 ${p50.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`)
}
