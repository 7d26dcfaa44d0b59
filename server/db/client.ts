import { setTimeout as wait } from 'node:timers/promises'
import {
  type CompiledQuery,
  Kysely,
  type LimitNode,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type Transaction,
  ValueNode,
} from 'kysely'
import pg from 'pg'
import { createPipeline, type Pipeline } from './pipeline.ts'
import type { CardTables } from './tables/commerce/cards.ts'
import type { CatalogTables } from './tables/commerce/catalog.ts'
import type { LedgerTables } from './tables/commerce/ledger.ts'
import type { OrderTables } from './tables/commerce/orders.ts'
import type { PaymentTables } from './tables/commerce/payments.ts'
import type { PayoutTables } from './tables/commerce/payouts.ts'
import type { SubscriptionTables } from './tables/commerce/subscriptions.ts'
import type { ComplianceTables } from './tables/compliance.ts'
import type { IdentityTables } from './tables/identity.ts'
import type { LifecycleTables } from './tables/lifecycle.ts'
import type { MediaTables } from './tables/media.ts'
import type { MessagingTables } from './tables/messaging.ts'
import type { NotificationTables } from './tables/notifications.ts'
import type { OperationsTables } from './tables/operations.ts'
import type { ProfilesTables } from './tables/profiles.ts'
import type { PromotionTables } from './tables/promotion.ts'
import type { SecurityTables } from './tables/security.ts'

export type Tables = IdentityTables &
  ProfilesTables &
  MediaTables &
  CatalogTables &
  OrderTables &
  PaymentTables &
  CardTables &
  SubscriptionTables &
  LedgerTables &
  PayoutTables &
  OperationsTables &
  LifecycleTables &
  ComplianceTables &
  NotificationTables &
  MessagingTables &
  PromotionTables &
  SecurityTables

/** An open transaction, which alone can write: what writes takes one. */
export type Tx = Transaction<Tables>

/** The database for reading and for opening a transaction: the pool, or for reading alone a transaction. */
export type Db = Omit<
  Kysely<Tables>,
  'insertInto' | 'updateTable' | 'deleteFrom' | 'mergeInto' | 'replaceInto'
>

/** The pool with all that it can do, for the server's start and end and for tests. */
export type Pool = Kysely<Tables>

// Counts and cents are far below 2^53, so bigint columns arrive as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// Ids need no quotes in a list, so that reading one is far less work than reading lists of any text.
const UUID_LIST = 2951
pg.types.setTypeParser(UUID_LIST as number, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(','),
)

// Nearly every time comes in UTC, in a form that Date reads itself, many times as fast as the library's own parser.
const TIMESTAMPTZ = pg.types.builtins.TIMESTAMPTZ
const readTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date
pg.types.setTypeParser(TIMESTAMPTZ, (text: string) =>
  /^\d{4}-.*\d\+00$/.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : readTime(text),
)

/** The longest that a statement may take, in milliseconds, unless its transaction says otherwise. */
const STATEMENT_TIMEOUT_MS = 30_000

/** Where no answer came by then, the connection is gone without a word, which else goes unnoticed for a quarter of an hour. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000

/**
 * A pool of connections, of which `keptOpen` stay open when idle. `onError` gets errors of idle connections. With
 * `answerTimeoutMs` 0, answers are awaited for as long as the connection stands.
 */
export function createPool(
  connectionString: string,
  options: { max: number; keptOpen?: number; onError: (error: Error) => void; answerTimeoutMs?: number },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: options.max,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // What lies between drops a connection that says nothing for some minutes, without a word.
    keepAliveInitialDelayMillis: 30_000,
    min: options.keptOpen ?? 0,
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'fanfare',
  })
  pool.on('error', options.onError)
  pool.on('connect', (client) => client.on('error', options.onError))
  return pool
}

/** Statements kept prepared on each connection: lists of every length must not fill its memory. */
const MAX_PREPARED = 500

const names = new Map<string, string>()

/** The name by which connections keep this statement prepared; undefined when they keep enough. */
function nameOf(text: string): string | undefined {
  if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `q${names.size}`)
  return names.get(text)
}

/** The library's message when no answer came in time. */
const NO_ANSWER = 'Query read timeout'

/** For connections whose statements may take as long as they were told: the most that a timer takes, 24 days. */
const UNLIMITED = { query_timeout: 2 ** 31 - 1 }

/**
 * The pool for Kysely. Every statement is prepared once a connection: planning a feed at each call costs more than
 * running it.
 */
function preparing(pool: pg.Pool, pipeline: Pipeline): PostgresPool {
  return {
    options: pool.options,
    async end() {
      await pipeline.end()
      await pool.end()
    },
    async connect() {
      const client = await pool.connect()
      let [silent, unlimited] = [false, false]
      const query = async (text: string, values: unknown[]) => {
        // Nothing that follows on it, such as the end of its transaction, has to wait as long again.
        if (silent) throw new Error(NO_ANSWER)
        unlimited ||= text.includes('statement_timeout')
        // Migrations hold several statements in one text, which can't be prepared.
        const name = values.length > 0 || text.startsWith('select ') ? nameOf(text) : undefined
        const config = { ...(name ? { name } : {}), ...(unlimited ? UNLIMITED : {}), text, values }
        try {
          return await client.query(config)
        } catch (error) {
          silent ||= error instanceof Error && error.message === NO_ANSWER
          throw error
        }
      }
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy?: boolean) => client.release(destroy || silent),
      }
    },
  }
}

const pipelineOf = new WeakMap<Db, Pipeline>()

/** The errors after which PostgreSQL asks for another try: serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 3
/** Milliseconds until it starts over, so that the other one takes first what it waits for. */
const STARTS_OVER_MS = 20

/** The pool, whose transactions start over when PostgreSQL ends one of those that wait for each other. */
class RetryingPool extends Kysely<Tables> {
  override transaction() {
    const transaction = super.transaction()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await execute(work)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error
          await wait(STARTS_OVER_MS * attempt)
        }
      }
    }
    return transaction
  }
}

/** One row, and one more than most pages of the client hold. Other sizes stay parameters: only 500 texts are kept prepared. */
const LIMITS_IN_TEXT = new Set<unknown>([1, 6, 16, 31, 61, 101])

/**
 * Writes a page's limit into the text. The planner takes a parameter for a tenth of all rows, so that the kept plan
 * looks expensive to it, and it plans the page at every call: 6 ms for one of transactions.
 */
class LimitsInText extends PostgresQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    if (ValueNode.is(node.limit) && LIMITS_IN_TEXT.has(node.limit.value)) {
      this.append('limit ')
      this.appendImmediateValue(node.limit.value)
    } else super.visitLimit(node)
  }
}

class Dialect extends PostgresDialect {
  override createQueryCompiler() {
    return new LimitsInText()
  }
}

/** Kysely on a pool, with prepared statements and transactions that start over; its `destroy` ends the pool. */
export function createDb(pool: pg.Pool): Pool {
  const pipeline = createPipeline(pool.options, (error) => pool.emit('error', error))
  const db = new RetryingPool({ dialect: new Dialect({ pool: preparing(pool, pipeline) }) })
  pipelineOf.set(db, pipeline)
  return db
}

/** The rows of a short compiled query, by the pipeline where no transaction is open. */
export async function run<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  const pipeline = pipelineOf.get(db)
  if (!pipeline) return (await db.executeQuery(query)).rows
  const name = nameOf(query.sql)
  return pipeline.query({ ...(name ? { name } : {}), text: query.sql, values: [...query.parameters] })
}

/** What this asks by `run`, without waiting in between, goes by one write, unless a transaction is open. */
export function inOneWrite(db: Db, ask: () => void): void {
  const pipeline = pipelineOf.get(db)
  if (pipeline) pipeline.inOneWrite(ask)
  else ask()
}
