import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import fastify from 'fastify'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { logIn, startFanfare } from './feeds/fanfare.ts'

/**
 * A large file by a signed PUT, whole and as a range that could go on after a break, against a bare Fastify server that
 * streams the same bytes to the same disk and syncs them, in turns in one run; and what the memory grows by meanwhile.
 */
const BYTES = Number(process.env.BENCH_MIB ?? 512) * 1024 * 1024
const ROUNDS = 3

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir)
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 2 })
const { rows } = await pool.query(
  `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
   values ('c@example.test', 'creator', 'Creator', 'creator', 'x', true, 'c', now(), now()) returning id`,
)
const authorization = `Bearer ${await logIn(pool, rows[0].id)}`

const bare = fastify({ bodyLimit: BYTES * 2 })
bare.removeAllContentTypeParsers()
bare.addContentTypeParser('*', (_request, _payload, done) => done(null))
bare.put('/', async (request) => {
  await pipeline(request.raw, createWriteStream(join(dataDir, 'bare'), { flush: true }))
  return { success: true }
})
const bareAddress = await bare.listen({ port: 0, host: '127.0.0.1' })

/** Mebibytes per second of one file. */
async function rate(url: string, range = false): Promise<number> {
  const sender = new Worker(new URL('./uploads-sender.ts', import.meta.url), {
    workerData: { url, bytes: BYTES, range },
  })
  const [seconds] = await once(sender, 'message')
  return BYTES / 1024 / 1024 / seconds
}

async function signedAddress(): Promise<string> {
  const answer = await fetch(`${server.address}/api/media/upload`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ fileNames: ['video.mp4'] }),
  })
  const { signedUrls } = (await answer.json()) as { signedUrls: string[] }
  return `${server.address}${signedUrls[0]}`
}

const best = { bare: 0, fanfare: 0, range: 0 }
let [least, most] = [Number.POSITIVE_INFINITY, 0]
const watch = setInterval(() => {
  const { rss } = process.memoryUsage()
  least = Math.min(least, rss)
  most = Math.max(most, rss)
}, 100)
for (let round = 0; round < ROUNDS; round++) {
  best.bare = Math.max(best.bare, await rate(bareAddress))
  best.fanfare = Math.max(best.fanfare, await rate(await signedAddress()))
  best.range = Math.max(best.range, await rate(await signedAddress(), true))
}
clearInterval(watch)
const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`
process.stdout.write(
  [
    `bare stream to disk      ${best.bare.toFixed(0)} MiB/s`,
    `Fanfare, signed PUT      ${best.fanfare.toFixed(0)} MiB/s`,
    `Fanfare, in a range      ${best.range.toFixed(0)} MiB/s`,
    `Fanfare : bare           ${(best.fanfare / best.bare).toFixed(2)}, in a range ${(best.range / best.bare).toFixed(2)}`,
    `memory over ${ROUNDS * 3} files of ${mib(BYTES)}: ${mib(least)} to ${mib(most)}, sender included`,
    '',
  ].join('\n'),
)

await bare.close()
await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })
