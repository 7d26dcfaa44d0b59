import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createDb } from './client.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'

const name = `migrated_${crypto.randomUUID().replaceAll('-', '')}`
const url = new URL(inject('databaseUrl'))
url.pathname = `/${name}`
let admin: pg.Client
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
})
afterAll(async () => {
  await admin?.query(`drop database if exists ${name} with (force)`)
  await admin?.end()
})

/** A pool whose statements may take so many milliseconds; 0 is no limit. */
const pool = (statement_timeout: number) => {
  const connections = new pg.Pool({ connectionString: url.href, max: 1, statement_timeout })
  // The database is dropped at the end, whatever is still connected to it.
  connections.on('error', () => {})
  return createDb(connections)
}

it('carries tags, creators, entitlements, the ledger and uploads, however long it takes', async () => {
  const before = pool(0)
  const migrator = new Migrator({ db: before, provider: { getMigrations: async () => migrations } })
  await migrator.migrateTo('0027-fan-privacy')
  const [creator, fan, newcomer] = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`)
  await sql`
    insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
      select id::uuid, name || '@example.test', name, name, name, 'x', name <> 'fan', name, now()
      from (values (${sql.lit(creator)}, 'creator'), (${sql.lit(fan)}, 'fan'), (${sql.lit(newcomer)}, 'newcomer')) as people (id, name);
    insert into media (creator_id, type, title, width, height, thumbhash, variants, bytes, created_at, storage_id, version_id,
        versioned_at, rank, must_unlock, tag_ids)
      select owner::uuid, type, title, 10, 10, 'x', '[]', 1, now(), uuidv7(), uuidv7(), now(), 1, locked, tag_ids
      from (values (${sql.lit(creator)}, 'image', 'photo', false), (${sql.lit(creator)}, 'video', 'video', false),
        (${sql.lit(newcomer)}, 'image', 'unpublished', true)) as items (owner, type, title, locked),
        (select array_agg(id) as tag_ids from (select id from tags order by id limit 1) as tags) as tagged;
    insert into purchases (buyer_id, creator_id, kind, item_id, title, amount_cents, status, reference, gateway_transaction_id, created_at)
      select ${sql.lit(fan)}, ${sql.lit(creator)}, 'single', id, title, 1000, 'captured', title, title, now()
      from media where creator_id = ${sql.lit(creator)};
    insert into purchase_items (purchase_id, position, media_id, version_id)
      select purchases.id, 0, item_id, version_id from purchases join media on media.id = item_id;
    insert into entitlements (user_id, granted_at, source_kind, source_id)
      select buyer_id, now(), 'purchase', id from purchases;
    insert into entitlement_media (user_id, media_id, entitlement_id, granted_at, version_id)
      select user_id, item_id, entitlements.id, now(), media.version_id from entitlements
        join purchases on purchases.id = source_id join media on media.id = item_id;
    insert into ledger_accounts (kind, user_id)
      values ('gateway', null), ('platform_fees', null), ('creator_balance', ${sql.lit(creator)})
      on conflict do nothing;
    insert into journals (kind, purchase_id, occurred_at) select 'sale', id, now() from purchases;
    insert into postings (journal_id, account_id, amount_cents)
      select journals.id, ledger_accounts.id, cents from journals, ledger_accounts
        join (values ('gateway', 1000), ('platform_fees', -200), ('creator_balance', -800)) as moved (kind, cents)
          on moved.kind = ledger_accounts.kind;
    insert into uploads (owner_id, file_name, status, bytes, moving, created_at, updated_at, expires_at)
      select ${sql.lit(creator)}, name, 'processing', bytes, moving, now(), now(), now() + interval '1 day'
      from (values ('photo', 300000000, false), ('short', 1000, true), ('long', 300000000, true)) as files (name, bytes, moving)
  `.execute(before)
  await sql`
    create function refuse_limit() returns trigger language plpgsql as $$ begin
      if current_setting('statement_timeout') <> '0' then raise 'this may take too long'; end if; return new; end $$;
    create trigger refuse_limit before update on uploads for each row execute function refuse_limit()`.execute(
    before,
  )
  await before.destroy()

  const db = pool(30_000)
  try {
    await migrate(db, url.href)
    // The connection went back with its limit.
    expect((await sql`show statement_timeout`.execute(db)).rows).toEqual([{ statement_timeout: '30s' }])
  } finally {
    await db.destroy()
  }

  const after = pool(0)
  const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
    (await query.execute(after)).rows.map((row) => Object.values(row))
  try {
    expect(
      await rows(sql`select title, media_tags.type, media_tags.popularity from media_tags
        join media on media.id = media_id order by title`),
    ).toEqual([
      ['photo', 'image', '0'],
      ['unpublished', 'image', '0'],
      ['video', 'video', '0'],
    ])
    expect(await rows(sql`select creator_id, fans from creator_popularity`)).toEqual([[creator, 0]])
    expect(await rows(sql`select creator_id from entitlement_media`)).toEqual([[creator], [creator]])
    expect(
      await rows(
        sql`select user_id, gross_cents, fee_cents, share_cents, spent_cents from ledger_totals order by 1`,
      ),
    ).toEqual([
      [creator, 2000, 400, 1600, 0],
      [fan, 0, 0, 0, 2000],
    ])
    expect(await rows(sql`select file_name, line from uploads order by 1`)).toEqual([
      ['long', 'long_video'],
      ['photo', 'picture'],
      ['short', 'short_video'],
    ])
  } finally {
    await after.destroy()
  }
})
