import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { browserHeaders, logIn, startFanfare } from './feeds/fanfare.ts'
import { fill } from './feeds/fill.ts'
import { compare, heading, line } from './feeds/measure.ts'
import { startSessionServer } from './feeds/sessions.ts'

/**
 * The most frequent reads of a fan with 5,000 bought items, against a bare server that looks the session up, reads
 * the same rows, sends as many bytes and writes a line of log. Prints answers per second and their ratio.
 * `BENCH_ITEMS` items are filled in.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir, { logging: true })
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 2 })
pool.on('error', () => {})
await fill(pool)
const bare = await startSessionServer(postgres.connectionString)
const { rows } = await pool.query("select id from users where username = 'creator0'")
const headers = await browserHeaders(server.address, await logIn(pool, rows[0].id))

const textOf = async (url: string) => (await fetch(url, { headers })).text()
const first = JSON.parse(await textOf(`${server.address}/api/media/discover`))
const [time = '', id = ''] = Buffer.from(first.nextCursor, 'base64url').toString('latin1').split('|')
const item = first.items[3]._id
const held = await pool.query(
  'select id from media join subscription_plan_media on media_id = id where must_unlock order by id desc limit 1',
)
const locked = held.rows[0].id
const reads = [
  { name: 'discover, first page', path: '/media/discover', like: '/discover?', target: 0.5 },
  {
    name: 'discover, by cursor',
    path: `/media/discover?cursor=${first.nextCursor}`,
    like: `/discover?time=${encodeURIComponent(time)}&id=${id}&`,
    target: 0.5,
  },
  { name: 'viewmedia', path: `/media/viewmedia/${item}`, like: `/media?id=${item}&`, target: 0.5 },
  {
    name: 'viewmedia, locked',
    path: `/media/viewmedia/${locked}`,
    like: `/media?id=${locked}&`,
    target: 0.5,
  },
  { name: 'auth/me', path: '/auth/me', like: '/me?', target: 0.4 },
]
/** The bytes that a filler adds to an answer besides itself. */
const FILLER_BYTES = ',"filler":""'.length

process.stdout.write(heading)
for (const { name, path, like, target } of reads) {
  if (!name.includes(process.env.BENCH_ONLY ?? '')) continue
  const url = `${server.address}/api${path}`
  const bytes = Buffer.byteLength(await textOf(url))
  const lean = Buffer.byteLength(await textOf(bare.listeningOrigin + like))
  const filler = Math.max(0, bytes - lean - FILLER_BYTES)
  const same = `${bare.listeningOrigin}${like}filler=${filler}`
  process.stdout.write(
    line(await compare({ name: `${name}, ${bytes} bytes`, bare: same, fanfare: { url, headers }, target })),
  )
}

await bare.close()
await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })
