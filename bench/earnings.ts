import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { browserHeaders, logIn, startFanfare } from './feeds/fanfare.ts'
import { compare, heading, line } from './feeds/measure.ts'

/** Sales of all creators, half of them of the one who looks. */
const SALES = Number(process.env.BENCH_SALES ?? 1_000_000)
const OTHERS = 200
const FANS = 20_000
const DEEP = 200_000

/**
 * The queries of the earnings page with 1,000,000 transactions, against a bare server that runs the same query alone:
 * the first page, a page far down, the days of a year, and the sources. Prints ratios.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir)
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 20 })
pool.on('error', () => {})
await fill()
const userId = (await pool.query("select id from users where username = 'person1'")).rows[0].id
const headers = await browserHeaders(server.address, await logIn(pool, userId))

const ROWS = `select p.id, p.kind, p.status, p.title, p.amount_cents, p.dated_at, p.buyer_id, buyer.username,
    (select coalesce(-sum(amount_cents), 0) from journals join postings on journal_id = journals.id
      join ledger_accounts on ledger_accounts.id = account_id
      where order_id = p.id and journals.kind = 'sale' and ledger_accounts.kind = 'platform_fees') as fee,
    (select coalesce(-sum(amount_cents), 0) from journals join postings on journal_id = journals.id
      join ledger_accounts on ledger_accounts.id = account_id
      where order_id = p.id and journals.kind = 'sale' and ledger_accounts.kind = 'creator_pending') as share
  from purchases p join users buyer on buyer.id = p.buyer_id where creator_id = $1 and order_status = 'paid'`
const ORDER = 'order by p.dated_at desc, p.id desc limit 16'
const deep = (
  await pool.query(
    `select id, to_json(dated_at)#>>'{}' as at from orders where creator_id = $1 order by dated_at desc, id desc limit 1 offset $2`,
    [userId, Math.min(DEEP, SALES / 4)],
  )
).rows[0]
const lists = [
  {
    name: 'the first page of transactions',
    path: '/users/transactions?limit=15',
    text: `${ROWS} ${ORDER}`,
    values: [userId],
  },
  {
    name: 'a page far down',
    path: `/users/transactions?limit=15&cursor=${await deepCursor()}`,
    text: `${ROWS} and (p.dated_at, p.id) < ($2, $3) ${ORDER}`,
    values: [userId, deep.at, deep.id],
  },
  {
    name: 'a year by day',
    path: `/users/earnings?timeZone=America/New_York&from=${day(-365)}&to=${day(0)}`,
    text: `select to_char(starts_at at time zone 'America/New_York', 'YYYY-MM-DD') as day, sum(sales)::int as sales,
        sum(gross_cents)::bigint as gross, sum(fee_cents)::bigint as fee, sum(share_cents)::bigint as share
      from ledger_quarter_hours where creator_id = $1 and starts_at >= $2 group by day order by day`,
    values: [userId, day(-365)],
  },
  {
    name: 'where all of it came from',
    path: '/users/earnings/breakdown?timeZone=America/New_York',
    text: `select
        (select json_agg(row) from (select source, sum(sales)::int, sum(gross_cents)::bigint, sum(fee_cents)::bigint, sum(share_cents)::bigint as share
          from ledger_source_quarter_hours where user_id = $1 group by source order by share desc) as row) as sources,
        (select json_agg(row) from (${bestOf('item', 'orders.title', "join orders on orders.id = order_id where span = 'all'")}) as row) as items,
        (select json_agg(row) from (${bestOf('fan', 'username', "join users on users.id = key where span = 'all'")}) as row) as fans`,
    values: [userId],
  },
]
const bare = fastify()
for (const [index, { text, values }] of lists.entries())
  bare.get(`/${index}`, async () => ({
    items: (await pool.query({ name: `list ${index}`, text, values })).rows,
  }))
await bare.listen({ port: 0, host: '127.0.0.1' })

process.stdout.write(heading)
for (const [index, { name, path }] of lists.entries()) {
  const fanfare = { url: `${server.address}/api${path}`, headers }
  process.stdout.write(
    line(await compare({ name, bare: `${bare.listeningOrigin}/${index}`, fanfare, target: 0.5 })),
  )
}

await bare.close()
await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

/** A creator's best items and fans of all time. */
function bestOf(side: string, name: string, named: string): string {
  return `select key, ${name}, sales, gross_cents, share_cents from ledger_rankings ${named}
    and ledger_rankings.creator_id = $1 and side = '${side}' order by share_cents desc, key limit 10`
}

/** The date so many days from today. */
function day(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

/** As the server gives it after that row, read from its own pages. */
async function deepCursor(): Promise<string> {
  const skip = Math.min(10_000, SALES / 4)
  const answer = await fetch(`${server.address}/api/users/transactions?limit=15&skip=${skip}`, { headers })
  return encodeURIComponent(((await answer.json()) as { nextCursor: string }).nextCursor)
}

/** Sales as purchases leave them: order, payment, journal with its lines, and what triggers keep of them. */
async function fill(): Promise<void> {
  await pool.query(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
     select n || '@example.test', 'person' || n, 'Person', 'person' || n, 'x', n <= $1, 'c' || n, now(), now()
     from generate_series(1, $1::int + $2::int) n`,
    [OTHERS + 1, FANS],
  )
  const client = await pool.connect()
  await client.query('set statement_timeout = 0')
  await client.query('set session_replication_role = replica')
  await client.query(
    `create temporary table sold as
     select uuidv7() as order_id, uuidv7() as payment_id, uuidv7() as journal_id, fan.id as fan_id, creator.id as creator_id,
       300 + n % 2500 as cents, now() - n * interval '30 seconds' as at
     from generate_series(1, $1::int) n
       join (select id, row_number() over (order by id) as place from users where not is_creator) as fan
         on fan.place = 1 + n % $2::int
       join (select id, row_number() over (order by username <> 'person1', id) as place from users where is_creator) as creator
         on creator.place = case when n % 2 = 0 then 1 else 2 + n / 2 % $3::int end`,
    [SALES, FANS, OTHERS],
  )
  await client.query(`
    insert into orders (id, buyer_id, creator_id, kind, item_id, title, amount_cents, fee_basis_points, bought_once, status,
        paid_by, created_at, tried_at, paid_at)
      select order_id, fan_id, creator_id, 'single', order_id, 'A quiet lake', cents, 2000, true, 'paid', payment_id, at, at, at from sold;
    insert into payments (id, order_id, buyer_id, amount_cents, status, source, status_at, reference, gateway_transaction_id, created_at)
      select payment_id, order_id, fan_id, cents, 'captured', 'live', at, left(replace(payment_id::text, '-', ''), 8) || right(payment_id::text, 12),
        payment_id::text, at from sold;
    insert into ledger_accounts (kind, user_id) values ('gateway', null), ('platform_fees', null) on conflict do nothing;
    insert into ledger_accounts (kind, user_id) select 'creator_pending', id from users where is_creator;
    insert into journals (id, kind, order_id, source_type, source_id, occurred_at)
      select journal_id, 'sale', order_id, 'payment', payment_id, at from sold;
    insert into postings (journal_id, account_id, amount_cents)
      select journal_id, account.id, part.cents from sold
      cross join lateral (values ('gateway', null::uuid, sold.cents), ('platform_fees', null, -(sold.cents / 5)),
        ('creator_pending', creator_id, sold.cents / 5 - sold.cents)) as part (kind, user_id, cents)
      join ledger_accounts as account on account.kind = part.kind and account.user_id is not distinct from part.user_id;
    insert into ledger_quarter_hours (creator_id, starts_at, sales, gross_cents, fee_cents, share_cents)
      select creator_id, date_bin('15 minutes', at, 'epoch'), count(*), sum(cents), sum(cents / 5), sum(cents - cents / 5)
      from sold group by 1, 2;
    insert into ledger_source_quarter_hours (user_id, starts_at, source, sales, gross_cents, fee_cents, share_cents)
      select creator_id, starts_at, 'single', sales, gross_cents, fee_cents, share_cents from ledger_quarter_hours;
    insert into ledger_rankings (creator_id, side, span, starts_on, key, sales, gross_cents, share_cents, order_id)
      select creator_id, side, span, starts_on, key, count(*), sum(cents), sum(cents - cents / 5), (array_agg(order_id))[1] from sold
      cross join lateral (values ('item', order_id), ('fan', fan_id)) as sides (side, key)
      cross join lateral (values ('day', at::date), ('month', date_trunc('month', at)::date), ('all', '-infinity'::date)) as spans (span, starts_on)
      group by 1, 2, 3, 4, 5`)
  client.release(true)
  await pool.query('vacuum analyze')
}
