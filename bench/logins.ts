import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { hashPassword } from '../server/domains/identity/passwords/actions.ts'
import { startFanfare } from './feeds/fanfare.ts'

/**
 * The effect of logins on all other calls, and what the time of an answer gives away: the p99 of other calls with 50
 * logins under way as a ratio to without, and the medians of a refused login and of a reset request for known and
 * unknown addresses.
 */
const ACCOUNTS = 50
const SAMPLES = 200
const ROUNDS = 4
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const PASSWORD = 'a password of the benchmark'

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir)
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 4 })
await pool.query(
  `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
   select 'p' || n || '@example.test', 'person' || n, 'Person', 'person' || n, $1, false, 'p' || n, now(), now()
   from generate_series(1, $2::int) n`,
  [await hashPassword(PASSWORD), ACCOUNTS + SAMPLES],
)

async function send(path: string, body: object): Promise<{ status: number; ms: number }> {
  const started = performance.now()
  const answer = await fetch(`${server.address}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - started }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Medians of known and unknown addresses, asked in turns, so that both are measured under the same conditions. */
async function timings(path: string, body: (email: string) => object, expected: number) {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let index = 0; index < SAMPLES + 20; index++) {
    for (const kind of ['known', 'unknown'] as const) {
      const number = ACCOUNTS + 1 + (index % SAMPLES)
      const { status, ms } = await send(path, body(`${kind === 'known' ? 'p' : 'q'}${number}@example.test`))
      if (status !== expected) throw new Error(`${path} answered ${status}`)
      if (index >= 20) times[kind].push(ms)
    }
  }
  return { known: median(times.known), unknown: median(times.unknown) }
}

/** People who browse: calls at a steady pace, from a thread of their own; milliseconds of each. */
async function browse(): Promise<number[]> {
  const others = new Worker(new URL('./logins-others.ts', import.meta.url), {
    workerData: { url: `${server.address}/api/media/discover`, perSecond: 100, seconds: SECONDS },
  })
  const [times] = (await once(others, 'message')) as [number[]]
  return times
}

const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

/** Everybody logs in over and over, all at once; says how many logins that were. */
async function crowd(seconds: number): Promise<number> {
  const people = Array.from({ length: ACCOUNTS }, (_, index) => `p${index + 1}@example.test`)
  const worker = new Worker(new URL('./logins-crowd.ts', import.meta.url), {
    workerData: { address: server.address, people, password: PASSWORD, seconds },
  })
  const [logins] = (await once(worker, 'message')) as [number]
  return logins
}

// Both paths are warm before either is measured, and they are measured in turns, on the same machine's minutes.
await browse()
await crowd(8)
const quiet: number[] = []
const crowded: number[] = []
let logins = 0
for (let round = 0; round < ROUNDS; round++) {
  quiet.push(...(await browse()))
  const underWay = crowd(SECONDS + 3)
  // The crowd's own thread has to start first.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  crowded.push(...(await browse()))
  logins += await underWay
}

const login = await timings('/auth/login', (email) => ({ email, password: 'a wrong password' }), 401)
const reset = await timings('/auth/reset', (email) => ({ email }), 200)
const ms = (value: number) => `${value.toFixed(2)} ms`
process.stdout.write(
  [
    `other calls, p99 alone            ${ms(p99(quiet))}`,
    `other calls, p99 with 50 logins   ${ms(p99(crowded))} (${(logins / ROUNDS / (SECONDS + 3)).toFixed(0)} logins a second)`,
    `with logins : alone               ${(p99(crowded) / p99(quiet)).toFixed(2)}`,
    `refused login, known, unknown     ${ms(login.known)}, ${ms(login.unknown)}`,
    `reset request, known, unknown     ${ms(reset.known)}, ${ms(reset.unknown)}`,
    '',
  ].join('\n'),
)

await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })
