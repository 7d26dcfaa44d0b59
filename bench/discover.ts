import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import fastify from 'fastify'
import pg from 'pg'
import pino from 'pino'
import { SANDBOX_CREDENTIALS } from '../sandboxes.ts'
import { createClock } from '../server/clock.ts'
import { readConfig } from '../server/config.ts'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { startServer } from '../server/main.ts'

/**
 * The discover feed against a bare Fastify + pg server that runs the same query on the same rows, in one run:
 * 1,000,000 items by 20,000 creators, first page and a deep page by cursor. Prints requests per second and ratios.
 */
const ITEMS = 1_000_000
const CREATORS = 20_000
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const CONNECTIONS = 16

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startServer({
  config: readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ROLE: 'web' }),
  connectionString: postgres.connectionString,
  publicUrl: 'http://localhost',
  secretKey: 'a secret for the benchmark, long enough',
  clock: createClock(),
  log: pino({ level: 'silent' }),
  sandboxes: {
    authorizenet: { ...SANDBOX_CREDENTIALS, apiUrl: 'http://127.0.0.1:9', scriptUrl: 'http://127.0.0.1:9' },
    age: null,
    smtpUrl: 'smtp://127.0.0.1:9',
  },
  sandboxPlugins: {},
  clientDir: null,
})
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 20 })
pool.on('error', () => {})
await fill()

const bareQuery = (after: string) => `
  select m.*, u.username from media m join users u on u.id = m.creator_id
  where m.deleted_at is null and m.show_in_search and not m.must_unlock and not m.direct_only
    ${after}
  order by m.created_at desc, m.id desc limit 16`
const bare = fastify()
bare.get('/discover', async (request) => {
  const { time, id } = request.query as { time?: string; id?: string }
  const { rows } = await pool.query(
    time
      ? {
          name: 'deep',
          text: bareQuery('and (m.created_at, m.id) < ($1::timestamptz, $2::uuid)'),
          values: [time, id],
        }
      : { name: 'first', text: bareQuery('') },
  )
  return { items: rows.slice(0, 15), hasMore: rows.length > 15 }
})
const bareAddress = await bare.listen({ port: 0, host: '127.0.0.1' })

const deepSkip = 9_990
const deep = (await (
  await fetch(`${server.address}/api/media/discover?limit=15&skip=${deepSkip}`)
).json()) as { nextCursor: string }
const { rows: position } = await pool.query(
  `select created_at, id from media where deleted_at is null and show_in_search and not must_unlock and not direct_only
   order by created_at desc, id desc offset ${deepSkip + 14} limit 1`,
)
const deepBare = `${bareAddress}/discover?time=${encodeURIComponent(position[0].created_at.toISOString())}&id=${position[0].id}`

// A browser holds its companion cookie after its first call.
const { headers: first } = await fetch(`${server.address}/api/media/discover`)
const headers = {
  cookie: first
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; '),
}

const rate = async (url: string) => {
  await autocannon({ url, headers, connections: CONNECTIONS, duration: 2, workers: 1 })
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS, workers: 1 })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} answered ${result.non2xx} refusals and ${result.errors} errors`)
  return result.requests.average
}
const figures = {
  'bare, first page': await rate(`${bareAddress}/discover`),
  'Fanfare, first page': await rate(`${server.address}/api/media/discover`),
  'bare, page 667': await rate(deepBare),
  'Fanfare, page 667': await rate(`${server.address}/api/media/discover?cursor=${deep.nextCursor}`),
}
for (const [name, value] of Object.entries(figures))
  process.stdout.write(`${name.padEnd(22)} ${value.toFixed(0)} requests/s\n`)
const ratio = (a: keyof typeof figures, b: keyof typeof figures) => (figures[a] / figures[b]).toFixed(2)
process.stdout.write(`first page, Fanfare : bare   ${ratio('Fanfare, first page', 'bare, first page')}\n`)
process.stdout.write(`deep page, Fanfare : bare    ${ratio('Fanfare, page 667', 'bare, page 667')}\n`)
process.stdout.write(`Fanfare, deep : first        ${ratio('Fanfare, page 667', 'Fanfare, first page')}\n`)

await bare.close()
await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

async function fill(): Promise<void> {
  await pool.query(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
     select 'c' || n || '@example.test', 'creator' || n, 'Creator', 'creator' || n, 'x', true, 'c' || n, now(), now() from generate_series(1, $1::int) n`,
    [CREATORS],
  )
  await pool.query('insert into profiles (user_id) select id from users')
  await pool.query(
    `insert into media (creator_id, type, title, price_cents, width, height, thumbhash, variants, bytes, must_unlock, show_in_search, created_at)
     select c.id, 'image', 'Item ' || n, 400, 1080, 1350, '1QcSHQRnh493V4dIh4eXh1h4kJUI',
       '[{"name":"w320.webp","mime":"image/webp","width":320,"height":400,"bytes":20000},{"name":"w640.webp","mime":"image/webp","width":640,"height":800,"bytes":60000},{"name":"w1080.webp","mime":"image/webp","width":1080,"height":1350,"bytes":120000}]'::jsonb,
       200000, n % 2 = 0, true, now() - make_interval(secs => n)
     from generate_series(1, $1::int) n
     join (select id, row_number() over (order by id) as r from users) c on c.r = 1 + n % ${CREATORS}`,
    [ITEMS],
  )
  await pool.query('vacuum analyze')
}
