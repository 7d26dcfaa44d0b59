import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { CommerceTables } from './tables/commerce.ts'
import type { IdentityTables } from './tables/identity.ts'
import type { MediaTables } from './tables/media.ts'
import type { OperationsTables } from './tables/operations.ts'
import type { ProfilesTables } from './tables/profiles.ts'

export type Tables = IdentityTables & ProfilesTables & MediaTables & CommerceTables & OperationsTables

/** The database: a transaction where one is open, else the pool. Functions take it first and never learn which. */
export type Db = Kysely<Tables>

// Counts and cents are far below 2^53, so bigint columns arrive as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A pool of connections; `onError` hears of idle connections that broke. */
export function createPool(
  connectionString: string,
  options: { max: number; onError: (error: Error) => void },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: options.max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'fanfare',
  })
  pool.on('error', options.onError)
  pool.on('connect', (client) => client.on('error', options.onError))
  return pool
}

export function createDb(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
