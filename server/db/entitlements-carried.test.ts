import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createDb, createPool, type Pool } from './client.ts'
import { migrations } from './migrations/index.ts'

const name = `carried_${crypto.randomUUID().replaceAll('-', '')}`
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

it('carries purchases, grants, versions and deletions that were made before it', async () => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  await migrator.migrateTo('0015-unlocked-feeds')
  await sql`
    insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
      select id::uuid, name || '@example.test', name, name, name, 'x', name = 'creator', name, now() from (values
        ('00000000-0000-7000-8000-000000000001', 'creator'), ('00000000-0000-7000-8000-000000000002', 'fan'),
        ('00000000-0000-7000-8000-000000000003', 'operator')) as people (id, name);
    insert into media (id, creator_id, type, width, height, thumbhash, variants, bytes, created_at, storage_id, deleted_at)
      select ('00000000-0000-7000-8000-00000000001' || n)::uuid, '00000000-0000-7000-8000-000000000001', 'image', 10, 10, 'x', '[]',
        n, now(), ('00000000-0000-7000-8000-00000000002' || n)::uuid,
        case when n > 3 then '2026-01-0' || n end::timestamptz from generate_series(1, 5) n;
    insert into audit_log (actor_id, action, target_kind, target_id, occurred_at, reason) values
      ('00000000-0000-7000-8000-000000000003', 'media.deleted', 'media', '00000000-0000-7000-8000-000000000014', '2026-01-04', 'Not allowed');
    insert into bundles (id, creator_id, title, price_cents, created_at)
      values ('00000000-0000-7000-8000-000000000031', '00000000-0000-7000-8000-000000000001', 'B', 400, now());
    insert into bundle_media (bundle_id, media_id, position) values
      ('00000000-0000-7000-8000-000000000031', '00000000-0000-7000-8000-000000000012', 0),
      ('00000000-0000-7000-8000-000000000031', '00000000-0000-7000-8000-000000000013', 1);
    insert into subscription_plans (id, creator_id, title, price_cents, created_at)
      values ('00000000-0000-7000-8000-000000000032', '00000000-0000-7000-8000-000000000001', 'P', 400, now());
    insert into purchases (id, buyer_id, creator_id, kind, item_id, title, amount_cents, status, reference, gateway_transaction_id, created_at)
      select ('00000000-0000-7000-8000-00000000004' || n)::uuid, '00000000-0000-7000-8000-000000000002',
        '00000000-0000-7000-8000-000000000001', kind, item::uuid, 'T', 400, status, 'r' || n, 't' || n, now()
      from (values (1, 'single', '00000000-0000-7000-8000-000000000011', 'captured'),
        (2, 'bundle', '00000000-0000-7000-8000-000000000031', 'held'),
        (3, 'subscription', '00000000-0000-7000-8000-000000000032', 'captured')) as bought (n, kind, item, status);
    insert into subscriptions (id, plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
      values ('00000000-0000-7000-8000-000000000051', '00000000-0000-7000-8000-000000000032', '00000000-0000-7000-8000-000000000002',
        '00000000-0000-7000-8000-000000000001', 400, 'active', now(), now(), now());
    insert into entitlements (id, user_id, kind, purchase_id, subscription_id, plan_id, granted_at, valid_until) values
      ('00000000-0000-7000-8000-000000000061', '00000000-0000-7000-8000-000000000002', 'single', '00000000-0000-7000-8000-000000000041', null, null, now(), null),
      ('00000000-0000-7000-8000-000000000062', '00000000-0000-7000-8000-000000000002', 'subscription', '00000000-0000-7000-8000-000000000043',
        '00000000-0000-7000-8000-000000000051', '00000000-0000-7000-8000-000000000032', now(), now()),
      ('00000000-0000-7000-8000-000000000063', '00000000-0000-7000-8000-000000000002', 'manual', null, null, null, now(), null);
    insert into entitlement_media (user_id, media_id, entitlement_id, granted_at)
      select '00000000-0000-7000-8000-000000000002', media, entitlement, now() from (values
        ('00000000-0000-7000-8000-000000000011'::uuid, '00000000-0000-7000-8000-000000000061'::uuid),
        ('00000000-0000-7000-8000-000000000014', '00000000-0000-7000-8000-000000000063')) as given (media, entitlement)`.execute(
    db,
  )
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  const last = (id: unknown) => String(id).slice(-2)
  const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
    (await query.execute(db)).rows.map((row) =>
      Object.values(row).map((value) => (/^0{8}-/.test(String(value)) ? last(value) : value)),
    )
  expect(await rows(sql`select source_kind, source_id, plan_id from entitlements order by id`)).toEqual([
    ['purchase', '41', null],
    ['subscription', '51', '32'],
    ['manual', '63', null],
  ])
  expect(await rows(sql`select media_id, version_id from unlocked_media order by 1`)).toEqual([
    ['11', '11'],
    ['14', '14'],
  ])
  expect(
    await rows(sql`select order_id, position, media_id, version_id from order_items order by 1, 2`),
  ).toEqual([
    ['41', 0, '11', '11'],
    ['42', 0, '12', '12'],
    ['42', 1, '13', '13'],
  ])
  expect(await rows(sql`select id, storage_id, bytes from media_versions order by id`)).toEqual(
    [1, 2, 3, 4, 5].map((n) => [`1${n}`, `2${n}`, n]),
  )
  expect(
    await rows(
      sql`select id, deleted_by, deletion_reason from media where deleted_at is not null order by id`,
    ),
  ).toEqual([
    ['14', '03', 'Not allowed'],
    ['15', '01', ''],
  ])
  expect(await rows(sql`select id, subscription_id, period from orders where period is not null`)).toEqual([
    ['43', '51', 1],
  ])
})
