import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createDb, createPool, type Pool } from '../../../db/client.ts'
import { migrations } from '../../../db/migrations/index.ts'

const name = `orders_${crypto.randomUUID().replaceAll('-', '')}`
let admin: pg.Client
let db: Pool
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(inject('databaseUrl'))
  url.pathname = `/${name}`
  db = createDb(createPool(url.href, { max: 1, onError: () => {} }))
})
afterAll(async () => {
  await db?.destroy()
  await admin?.query(`drop database if exists ${name} with (force)`)
  await admin?.end()
})

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [creator, fan] = [sql.lit(id(1)), sql.lit(id(2))]

/** One purchase of each status, the same item tried again, and a subscription; the captured and the refunded were sold. */
const PURCHASES = sql`
  insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    select id::uuid, name || '@example.test', name, name, name, 'x', name = 'creator', name, now()
    from (values (${creator}, 'creator'), (${fan}, 'fan')) as people (id, name);
  insert into media (id, creator_id, type, width, height, thumbhash, variants, bytes, created_at, storage_id, version_id, versioned_at)
    values (${sql.lit(id(3))}, ${creator}, 'image', 10, 10, 'x', '[]', 1, now(), ${sql.lit(id(3))}, ${sql.lit(id(3))}, now());
  insert into subscription_plans (id, creator_id, title, price_cents, created_at)
    values (${sql.lit(id(4))}, ${creator}, 'P', 1000, now());
  insert into purchases (id, buyer_id, creator_id, kind, item_id, title, amount_cents, status, reason, reference,
      gateway_transaction_id, idempotency_key, request_hash, created_at, decided_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${fan}, ${creator}, kind,
      case kind when 'subscription' then ${sql.lit(id(4))}::uuid else ('00000000-0000-7000-8000-' || lpad(item::text, 12, '0'))::uuid end,
      'T' || n, 1000, status, reason, 'r' || n, 't' || n, 'key ' || n, 'hash', '2026-01-01'::timestamptz + n * interval '1 day',
      case when status not in ('held', 'unknown') then '2026-03-01'::timestamptz end
    from (values (11, 'single', 3, 'captured', null), (12, 'single', 102, 'held', null), (13, 'single', 103, 'unknown', 'timeout'),
      (14, 'single', 104, 'declined', '2'), (15, 'single', 105, 'refused', 'not_charged'), (16, 'single', 106, 'refunded', null),
      (17, 'single', 107, 'voided', 'already_owned'), (18, 'single', 108, 'refused', 'not_charged'), (19, 'single', 108, 'captured', null),
      (20, 'subscription', 0, 'captured', null)) as bought (n, kind, item, status, reason);
  insert into purchase_items (purchase_id, position, media_id, version_id)
    select id, 0, case item_id when ${sql.lit(id(3))}::uuid then item_id end, case item_id when ${sql.lit(id(3))}::uuid then item_id end
    from purchases where kind = 'single';
  insert into subscriptions (id, plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at, purchase_id)
    values (${sql.lit(id(5))}, ${sql.lit(id(4))}, ${fan}, ${creator}, 1000, 'active', now(), now(), now(), ${sql.lit(id(20))});
  insert into entitlements (user_id, granted_at, source_kind, source_id) values (${fan}, now(), 'purchase', ${sql.lit(id(11))});
  insert into ledger_accounts (kind, user_id)
    values ('gateway', null), ('platform_fees', null), ('creator_balance', ${creator}) on conflict do nothing;
  insert into journals (kind, purchase_id, occurred_at)
    select 'sale', id, created_at from purchases where status in ('captured', 'refunded');
  insert into postings (journal_id, account_id, amount_cents)
    select journals.id, ledger_accounts.id, cents from journals, ledger_accounts
      join (values ('gateway', 1000), ('platform_fees', -125), ('creator_balance', -875)) as moved (kind, cents)
        on moved.kind = ledger_accounts.kind`

const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
  (await query.execute(db)).rows.map((row) =>
    Object.values(row).map((value) =>
      /^0{8}-/.test(String(value)) ? Number(String(value).slice(-4)) : value,
    ),
  )

it('carries each purchase as an order and a payment under its id', async () => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  await migrator.migrateTo('0030-library')
  await PURCHASES.execute(db)
  const sums = () =>
    rows(sql`select user_id, gross_cents, fee_cents, share_cents, spent_cents from ledger_totals order by 1`)
  const before = await sums()
  const { error } = await migrator.migrateToLatest()
  if (error) throw error

  expect(
    await rows(
      sql`select id, status, paid_by, refunded_at is not null as refunded, fee_basis_points, period from orders order by id`,
    ),
  ).toEqual([
    [11, 'paid', 11, false, 1250, null],
    [12, 'open', null, false, 1250, null],
    [13, 'open', null, false, 1250, null],
    [14, 'void', null, false, 1250, null],
    // Its charge may still show up.
    [15, 'open', null, false, 1250, null],
    [16, 'paid', 16, true, 1250, null],
    [17, 'void', null, false, 1250, null],
    [18, 'void', null, false, 1250, null],
    [19, 'paid', 19, false, 1250, null],
    [20, 'paid', 20, false, 1250, 1],
  ])
  expect(
    await rows(
      sql`select id, order_id, status, reference, idempotency_key from payments order by id limit 2`,
    ),
  ).toEqual([
    [11, 11, 'captured', 'r11', 'key 11'],
    [12, 12, 'held', 'r12', 'key 12'],
  ])
  expect(await rows(sql`select count(*) from payments where order_id <> id or status_at is null`)).toEqual([
    [0],
  ])
  expect(
    await rows(sql`select count(*) from payments join payment_events on payment_id = payments.id
      where to_status = status and from_status is null`),
  ).toEqual([[10]])
  expect(await rows(sql`select order_id, media_id from order_items where media_id is not null`)).toEqual([
    [11, 3],
  ])
  expect(await rows(sql`select source_id from entitlements`)).toEqual([[11]])
  expect(await rows(sql`select subscription_id from orders where id = ${id(20)}`)).toEqual([[5]])
  expect(
    await rows(
      sql`select id, status from purchases where buyer_id = ${id(2)} and order_status = 'open' order by id`,
    ),
  ).toEqual([
    [12, 'held'],
    [13, 'unknown'],
    [15, 'refused'],
  ])
  expect(await sums()).toEqual(before)

  // Migrated purchases behave like new ones: a charge that shows up late pays, sold and granted at once.
  const late = db
    .transaction()
    .execute((tx) => sql`update payments set status = 'captured' where id = ${id(15)}`.execute(tx))
  await expect(late).rejects.toMatchObject({ constraint: 'payments_whole' })
  await sql`update payments set status = 'declined' where id = ${id(12)}`.execute(db)
  expect(
    await rows(
      sql`select from_status, to_status from payment_events where payment_id = ${id(12)} order by id`,
    ),
  ).toEqual([
    [null, 'held'],
    ['held', 'declined'],
  ])
})
