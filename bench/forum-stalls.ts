import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { browserHeaders, logIn, startFanfare } from './feeds/fanfare.ts'

/**
 * The effect on all other calls of a forum that takes 30 seconds for every answer: their p99 with 60 calls at it, as
 * a ratio to without.
 */
const STALLS_MS = 30_000
const HANGING = 60
const ROUNDS = 3
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)

const forum = createServer((_request, response) => {
  setTimeout(() => response.end('{}'), STALLS_MS).unref()
})
forum.listen(0, '127.0.0.1')
await once(forum, 'listening')
const internalUrl = `http://127.0.0.1:${(forum.address() as AddressInfo).port}`
const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir, {
  reddit: { url: internalUrl, internalUrl, clientId: 'bench', clientSecret: 'bench' },
})
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 4 })
const { rows } = await pool.query(
  `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
   values ('c@example.test', 'creator', 'Creator', 'creator', 'x', true, 'c', now(), now()) returning id`,
)
const headers = await browserHeaders(server.address, await logIn(pool, rows[0].id))

/** People who browse: calls at a steady pace, from a thread of their own; milliseconds of each. */
async function browse(): Promise<number[]> {
  const others = new Worker(new URL('./logins-others.ts', import.meta.url), {
    workerData: { url: `${server.address}/api/media/discover`, perSecond: 100, seconds: SECONDS },
  })
  const [times] = (await once(others, 'message')) as [number[]]
  return times
}

let ended = false
/** Keeps one call at the forum, one after another. */
async function hang(): Promise<void> {
  while (!ended) {
    const answer = await fetch(`${server.address}/api/reddit/api/subreddits?search=gardens`, { headers })
    await answer.arrayBuffer()
    if (answer.status < 500 && answer.status !== 429)
      throw new Error(`the forum’s search answered ${answer.status}`)
  }
}

const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
await browse()
const quiet: number[] = []
const stalled: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  quiet.push(...(await browse()))
  ended = false
  const hanging = Array.from({ length: HANGING }, hang)
  stalled.push(...(await browse()))
  ended = true
  await Promise.all(hanging)
}
process.stdout.write(
  [
    `other calls, p99 alone                     ${p99(quiet).toFixed(2)} ms`,
    `other calls, p99 while the forum stalls    ${p99(stalled).toFixed(2)} ms`,
    `with : alone                               ${(p99(stalled) / p99(quiet)).toFixed(2)}`,
    '',
  ].join('\n'),
)

await server.stop()
await pool.end()
await postgres.stop()
forum.closeAllConnections()
forum.close()
await rm(dataDir, { recursive: true, force: true })
