import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createDb, createPool, type Pool } from '../../../db/client.ts'
import { migrations } from '../../../db/migrations/index.ts'
import { releaseDue } from './actions.ts'
import { findBooks } from './books/data.ts'

const name = `ledger_${crypto.randomUUID().replaceAll('-', '')}`
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

const CREATOR = '00000000-0000-7000-8000-000000000011'
const OTHER = '00000000-0000-7000-8000-000000000012'
const FAN = '00000000-0000-7000-8000-000000000013'
const [creator, other, fan] = [sql.lit(CREATOR), sql.lit(OTHER), sql.lit(FAN)]

/** 200 sales of two creators within 20 days, each of another amount. */
const SALES = sql`
  insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    select id::uuid, name || '@example.test', name, name, name, 'x', name <> 'fan', name, now()
    from (values (${creator}, 'creator'), (${other}, 'other'), (${fan}, 'fan')) as people (id, name);
  insert into purchases (id, buyer_id, creator_id, kind, item_id, title, amount_cents, status, reference,
      gateway_transaction_id, created_at)
    select uuidv7(), ${fan}, case when n % 3 = 0 then ${other}::uuid else ${creator} end, 'subscription', uuidv7(),
      'T', 100 + n * 7, 'captured', 'r' || n, 't' || n, '2026-01-01'::timestamptz + n * interval '144 minutes'
    from generate_series(1, 200) n;
  insert into ledger_accounts (kind, user_id) values ('gateway', null), ('platform_fees', null),
    ('creator_balance', ${creator}), ('creator_balance', ${other});
  insert into journals (kind, purchase_id, occurred_at) select 'sale', id, created_at + interval '3 days' from purchases;
  insert into postings (journal_id, account_id, amount_cents)
    select journals.id, account.id, case account.kind when 'gateway' then amount_cents
      when 'platform_fees' then -(amount_cents / 5) else amount_cents / 5 - amount_cents end
    from journals join purchases on purchases.id = purchase_id
      join ledger_accounts as account on account.user_id is null or account.user_id = creator_id`

const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) => (await query.execute(db)).rows
const kept = () =>
  rows(sql`select ledger_totals.*, (select sum(share_cents) from ledger_quarter_hours where creator_id = user_id) as days
    from ledger_totals order by user_id`)
const postings = () => rows(sql`select id, journal_id, account_id, amount_cents from postings order by id`)
const balances = () =>
  rows(sql`select user_id, kind, balance_cents as cents,
      balance_cents = (select -sum(amount_cents) from postings where postings.account_id = ledger_accounts.id) as is_sum
    from ledger_balances join ledger_accounts on ledger_accounts.id = account_id order by 1, 2`)

it('carries every cent of the sales before it, each with its day, and releases what is due', async () => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  await migrator.migrateTo('0030-library')
  await SALES.execute(db)
  const before = { kept: await kept(), postings: await postings() }
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  expect({ kept: await kept(), postings: await postings() }).toEqual(before)
  // Sums are by the days when the money moved.
  const first = { hours: '2026-01-04', sources: '2026-01-04', rankings: '2026-01-04' }
  expect(
    await rows(sql`select (select min(starts_at)::date::text from ledger_quarter_hours) as hours,
      (select min(starts_at)::date::text from ledger_source_quarter_hours) as sources,
      (select min(starts_on)::text from ledger_rankings where span = 'day') as rankings`),
  ).toEqual([first])
  expect((await findBooks(db)).discrepancies).toEqual([])

  const pending = (userId: string) =>
    before.kept.find(({ user_id }) => user_id === userId)?.share_cents as number
  expect(await balances()).toEqual([
    { user_id: CREATOR, kind: 'creator_pending', cents: pending(CREATOR), is_sum: true },
    { user_id: OTHER, kind: 'creator_pending', cents: pending(OTHER), is_sum: true },
  ])
  expect(
    await rows(sql`select count(*) from journals where source_type <> 'payment' or source_id <> order_id`),
  ).toEqual([{ count: 0 }])

  // Of 200 sales in 20 days those of the first 13 are a week old on the last one.
  const now = new Date('2026-01-21T00:00:00Z')
  const [due] = await rows(sql`
    select -sum(amount_cents)::bigint as cents from postings join journals on journals.id = journal_id
      join ledger_accounts on ledger_accounts.id = account_id
    where user_id = ${CREATOR} and occurred_at <= ${now}::timestamptz - interval '7 days'`)
  expect(due?.cents).toBeGreaterThan(0)
  for (let run = 0; run < 2; run++) await db.transaction().execute((tx) => releaseDue(tx, CREATOR, now))
  expect(await balances()).toEqual([
    { user_id: CREATOR, kind: 'creator_available', cents: due?.cents, is_sum: true },
    {
      ...{ user_id: CREATOR, kind: 'creator_pending', is_sum: true },
      cents: pending(CREATOR) - (due?.cents as number),
    },
    { user_id: OTHER, kind: 'creator_pending', cents: pending(OTHER), is_sum: true },
  ])
  expect(await kept()).toEqual(before.kept)
  const refused = db.transaction().execute((tx) => sql`update postings set amount_cents = 1`.execute(tx))
  await expect(refused).rejects.toThrow(/append-only/)
})
