import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { startBare } from './feeds/bare.ts'
import { browserHeaders, logIn, startFanfare } from './feeds/fanfare.ts'
import { fill } from './feeds/fill.ts'
import { comparisons } from './feeds/lists.ts'
import { compare, heading, line } from './feeds/measure.ts'

/**
 * Every list of media against a bare Fastify + pg server that reads the same rows, in one run on one filled database.
 * Prints answers per second and their ratio. `BENCH_ONLY` names the lists to measure, by a part of their names.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir)
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 2 })
pool.on('error', () => {})
await fill(pool)
const bare = await startBare(postgres.connectionString)
const { rows } = await pool.query("select id from users where username = 'creator0'")
const lists = await comparisons(pool, {
  bare: bare.listeningOrigin,
  fanfare: server.address,
  fan: await browserHeaders(server.address, await logIn(pool, rows[0].id)),
  visitor: await browserHeaders(server.address, null),
})
process.stdout.write(heading)
for (const list of lists.filter(({ name }) => name.includes(process.env.BENCH_ONLY ?? '')))
  process.stdout.write(line(await compare(list)))

await bare.close()
await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })
