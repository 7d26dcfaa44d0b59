import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { createClock } from '../server/clock.ts'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { createDb, createPool } from '../server/db/client.ts'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { chargeDue } from '../server/domains/commerce/renewals/charging/actions.ts'
import type { Charge, ChargeOutcome } from '../server/ports/payments/port.ts'
import { startFanfare } from './feeds/fanfare.ts'

/**
 * Renewals a second, less the gateway's own time: its answer is there at once. `BENCH_SUBSCRIPTIONS` of them are due, of
 * as many fans and 200 creators. Prints the rate, and what the ledger says was sold.
 */
const SUBSCRIPTIONS = Number(process.env.BENCH_SUBSCRIPTIONS ?? 100_000)
const CREATORS = 200
const WANTED = 200

const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
await (await startFanfare(postgres.connectionString, dataDir)).stop()
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 1 })
pool.on('error', () => {})
await fill()

const db = createDb(createPool(postgres.connectionString, { max: 12, onError: () => {} }))
const context = {
  db,
  clock: createClock(),
  log: pino({ level: 'warn' }),
  config: readConfig({ DATA_DIR: dataDir }),
  payments: { charge: approve },
  checkpoint: async () => {},
} as unknown as Context

const start = performance.now()
const charged = await chargeDue(context)
const seconds = (performance.now() - start) / 1000
const { rows } = await pool.query(
  `select count(*) as sold, count(distinct subscription_id) as renewed from journals
   join orders on orders.id = order_id where journals.kind = 'sale' and period = 2`,
)
const rate = charged / seconds
const verdict = rate >= WANTED ? 'ok' : 'BELOW'
process.stdout.write(
  `${charged} due, ${rows[0].sold} sold for ${rows[0].renewed} subscriptions in ${seconds.toFixed(1)} s: ` +
    `${rate.toFixed(0)} a second, at least ${WANTED} wanted  ${verdict}\n`,
)

await db.destroy()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

async function approve({ reference }: Charge): Promise<ChargeOutcome> {
  return {
    kind: 'approved',
    transactionId: `t-${reference}`,
    networkTransactionId: null,
    card: { brand: 'Visa', lastFour: '1111' },
    storedCard: null,
    checks: { avs: null, cvv: null },
  }
}

/** Subscriptions whose first month is paid and over: with their order, payment, sale and grant, as a purchase leaves them. */
async function fill(): Promise<void> {
  await pool.query('set statement_timeout = 0')
  await pool.query('set session_replication_role = replica')
  await pool.query(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code,
       email_verified_at, created_at)
     select n || '@example.test', 'person' || n, 'Person', 'person' || n, 'x', n <= $1, 'c' || n, now(), now()
     from generate_series(1, $1::int + $2::int) n`,
    [CREATORS, SUBSCRIPTIONS],
  )
  await pool.query(`
    insert into profiles (user_id) select id from users;
    insert into subscription_plans (creator_id, title, price_cents, created_at)
      select id, 'Everything', 999, now() from users where is_creator;
    insert into stored_cards (user_id, customer_profile_id, payment_profile_id, brand, last_four, created_at,
        used_at)
      select id, id::text, id::text, 'Visa', '1111', now(), now() from users where not is_creator;
    create temporary table due as
      select uuidv7() as subscription_id, uuidv7() as order_id, fan.id as fan_id, plan.id as plan_id, plan.creator_id,
        card.id as card_id, now() - interval '1 month' - interval '1 hour' as began
      from (select *, row_number() over (order by id) as n from users where not is_creator) as fan
      join stored_cards as card on card.user_id = fan.id
      join (select *, row_number() over (order by id) as n from subscription_plans) as plan on plan.n = 1 + fan.n % ${CREATORS};
    insert into subscriptions (id, plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end,
        renewal_due_at, stored_card_id, created_at)
      select subscription_id, plan_id, fan_id, creator_id, 999, 'active', began, began + interval '1 month',
        began + interval '1 month', card_id, began from due;
    insert into orders (id, buyer_id, creator_id, kind, item_id, title, amount_cents, fee_basis_points, bought_once, status,
        subscription_id, period, paid_by, created_at, tried_at, paid_at)
      select order_id, fan_id, creator_id, 'subscription', plan_id, 'Everything', 999, 2000, false, 'paid',
        subscription_id, 1, order_id, began, began, began from due;
    insert into payments (id, order_id, buyer_id, amount_cents, status, source, status_at, reference,
        gateway_transaction_id, stored_card_id, created_at)
      select order_id, order_id, fan_id, 999, 'captured', 'live', began, left(replace(order_id::text, '-', ''), 8) || right(order_id::text, 12),
        order_id::text, card_id, began from due;
    insert into entitlements (user_id, source_kind, source_id, plan_id, granted_at, valid_until)
      select fan_id, 'subscription', subscription_id, plan_id, began, began + interval '1 month 3 days' from due`)
  await pool.query('vacuum analyze')
}
