import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { runAdmin } from '../start/admin.ts'
import { buildCreator, buildFan, type Person } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { insertPurchase } from '../testing/purchases.ts'
import { writeAudit, writeAuditEach } from './audit.ts'
import { CHAINS, findHeads, findUnchained, sealRecords } from './chains.ts'
import { createDb, createPool } from './client.ts'
import { migrations } from './migrations/index.ts'

describe('the chains', () => {
  let harness: Harness
  let creator: Person
  let fan: Person
  let referrers: Person[]
  beforeAll(async () => {
    harness = await startHarness()
    creator = await buildCreator(harness)
    fan = await buildFan(harness)
    referrers = [await buildFan(harness), await buildFan(harness)]
  })
  afterAll(() => harness?.stop())
  beforeEach(async () => {
    for (let times = 0; times < 3; times += 1) await sell()
    await withhold()
    await payOut()
    await sealRecords(harness.context.db)
    expect(await findUnchained(harness.context.db)).toEqual([])
  })

  const sell = () =>
    insertPurchase(harness.context.db, {
      ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
      ...{ amount_cents: 1000, status: 'captured', created_at: harness.clock.now() },
      commissions: referrers.map(({ id }) => ({ referrerId: id, cents: 35 })),
    })
  /** Of an order like those, whose books nobody looks at. */
  const withhold = async () => {
    const { orderId } = await sell()
    await harness.context.db
      .insertInto('commissions_withheld')
      .values(
        referrers.map(({ id }) => ({
          ...{ order_id: orderId, referrer_id: id, reason: 'suspended' as const },
          withheld_at: harness.clock.now(),
        })),
      )
      .execute()
  }
  const payOut = () =>
    sql`
      with payout as (
        insert into payouts (user_id, amount_cents, requested_at, changed_at) values (${creator.id}, 2000, now(), now()) returning id
      )
      insert into payout_events (payout_id, status, actor_id, occurred_at)
        select id, status, ${creator.id}, now() from payout, unnest(array['requested', 'canceled']) as status`.execute(
      harness.context.db,
    )
  const audit = () =>
    harness.context.db.transaction().execute((tx) =>
      writeAudit(tx, {
        ...{ actorId: null, action: 'user.suspended', targetKind: 'user', targetId: fan.id },
        ...{ reason: 'Because', detail: { b: 1, a: [2] }, now: harness.clock.now() },
      }),
    )
  const seal = () => harness.server.jobs['records.seal']({}, { attempt: 1, lastAttempt: false })
  const id = async (from: string) => {
    const { rows } = await sql<{ id: string }>`
      select record_id::text as id from record_contents where chain = ${from} order by record_id desc limit 1`.execute(
      harness.context.db,
    )
    return rows[0]?.id ?? ''
  }
  /** Changes that a superuser could make, undone at the end. */
  async function altered(statement: string) {
    const undo = new Error('undone')
    let found: Awaited<ReturnType<typeof findUnchained>> = []
    await harness.context.db
      .transaction()
      .execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        const { numAffectedRows } = await sql.raw(statement).execute(tx)
        expect(numAffectedRows).toBeGreaterThan(0n)
        found = await findUnchained(tx)
        throw undo
      })
      .catch((error) => {
        if (error !== undo) throw error
      })
    return found
  }

  test.each<[what: string, table: string, statement: string, named: string]>([
    [
      'an amount of a posting',
      'journals',
      `update postings set amount_cents = amount_cents + 1 where journal_id = '$'`,
      'journals',
    ],
    [
      'an account of a posting',
      'journals',
      `update postings set account_id = uuidv7() where journal_id = '$'`,
      'journals',
    ],
    ['a posting that is gone', 'journals', `delete from postings where journal_id = '$'`, 'journals'],
    [
      'a date of a journal',
      'journals',
      `update journals set occurred_at = occurred_at - interval '1 day' where id = '$'`,
      'journals',
    ],
    ['a journal that is gone', 'journals', `delete from journals where id = '$'`, 'journals'],
    [
      'a payment event',
      'payment_events',
      `update payment_events set source = 'operator' where id = '$'`,
      'payment events',
    ],
    [
      'a payout event',
      'payout_events',
      `update payout_events set actor_id = uuidv7() where id = '$'`,
      'payout events',
    ],
    [
      'a commission that was agreed',
      'order_commissions',
      `update order_commissions set cents = cents + 1 where order_id = '$'`,
      'order commissions',
    ],
    [
      'another referrer',
      'order_commissions',
      `update order_commissions set referrer_id = uuidv7() where order_id = '$'
        and referrer_id = (select referrer_id from order_commissions where order_id = '$' limit 1)`,
      'order commissions',
    ],
    [
      'one of two commissions that is gone',
      'order_commissions',
      `delete from order_commissions where order_id = '$'
        and referrer_id = (select referrer_id from order_commissions where order_id = '$' limit 1)`,
      'order commissions',
    ],
    [
      'why a commission was withheld',
      'commissions_withheld',
      `update commissions_withheld set reason = 'leaving' where order_id = '$'`,
      'commissions withheld',
    ],
    [
      'commissions that aren’t withheld anymore',
      'commissions_withheld',
      `delete from commissions_withheld where order_id = '$'`,
      'commissions withheld',
    ],
    [
      'an entry of the audit log',
      'audit_log',
      `update audit_log set reason = 'Another' where id = '$'`,
      'audit log',
    ],
    [
      'a digest that fits what was altered',
      'audit_log',
      `with new as (update audit_log set reason = 'Another' where id = '$' returning *)
      update record_links set digest = digest_of(jsonb_build_array(new.id, actor_id, action, target_kind, target_id, reason, detail,
        extract(epoch from occurred_at))) from new where record_id = new.id`,
      'audit log',
    ],
  ])('find %s, and name the record', async (_, table, statement, named) => {
    await audit()
    await sealRecords(harness.context.db)
    const record = await id(table)
    expect(await altered(statement.replaceAll('$', record))).toEqual([
      { what: `First record of ${named} that doesn’t match its chain`, id: record },
    ])
    // Nothing has to be sealed for it.
    await audit()
    await sell()
    await withhold()
    await payOut()
    const unsealed = await id(table)
    if (!statement.includes('digest_of'))
      expect(await altered(statement.replaceAll('$', unsealed))).toMatchObject([{ id: unsealed }])
    await sealRecords(harness.context.db)
  })

  test('hold one action on more targets than a statement has parameters', async () => {
    const { db } = harness.context
    const targetIds = Array.from({ length: 10_000 }, () => crypto.randomUUID())
    const entry = {
      ...({ actorId: null, action: 'payout.paid', targetKind: 'payout' } as const),
      reason: 'Because',
    }
    await db
      .transaction()
      .execute((tx) =>
        writeAuditEach(tx, { ...entry, targetIds, detail: { a: 1 }, now: harness.clock.now() }),
      )
    const { rows } = await sql`
      select count(*)::int as entries, count(distinct target_id)::int as targets from audit_log
      where target_kind = 'payout' and detail = '{"a": 1}'`.execute(db)
    expect(rows).toEqual([{ entries: 10_000, targets: 10_000 }])
  })

  test('name the first of several, and a link that was taken out or swapped', async () => {
    const { rows } = await sql<{ record_id: string }>`
      select record_id from record_links where chain = 'payment_events' order by position`.execute(
      harness.context.db,
    )
    const [, second, third, fourth] = rows.map(({ record_id }) => record_id)
    const both = `update payment_events set reason = 'x' where id in ('${fourth}', '${second}')`
    expect((await altered(both)).map(({ id }) => id)).toEqual([second])
    expect(await altered(`delete from record_links where record_id = '${second}'`)).toEqual([
      { what: 'First record of payment events that doesn’t match its chain', id: third },
      { what: 'Record of payment events that was never chained', id: second },
    ])
    const swap = `update record_links set position = case record_id when '${second}' then 3 else 2 end + 1000000
      where record_id in ('${second}', '${third}')`
    expect((await altered(swap)).map(({ id }) => id)).toEqual([fourth])
  })

  test('are made known by the books, which fail', async () => {
    await audit()
    const books = () => runAdmin(['books'], harness.context.db, harness.context.vault, harness.clock.now())
    const before = await books()
    expect(before.output).toMatch(/audit log +\d+ {2}[\da-f]{64}/)
    const record = await id('audit_log')
    const set = (reason: string) =>
      harness.context.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql`update audit_log set reason = ${reason} where id = ${record}`.execute(tx)
      })
    await set('Another')
    const { ok, output } = await books()
    expect(ok).toBe(false)
    expect(output).toContain(`First record of audit log that doesn’t match its chain: ${record}`)
    await set('Because')
    expect((await books()).output).not.toContain('doesn’t match its chain')
  })

  test('are the same for every session, whatever its time zone', async () => {
    await harness.context.db.transaction().execute(async (tx) => {
      await sql`set local timezone = 'Asia/Kolkata'`.execute(tx)
      expect(await findUnchained(tx)).toEqual([])
    })
  })

  test('hold every record once, however many seal while others sell', async () => {
    await Promise.all([
      ...Array.from({ length: 12 }, sell),
      ...Array.from({ length: 6 }, seal),
      ...[withhold(), withhold(), payOut(), payOut(), audit(), audit()],
    ])
    await seal()
    expect(await findUnchained(harness.context.db)).toEqual([])
    const { rows } = await sql<{ chain: string; links: number; last: number; records: number }>`
      select chain, count(*) as links, max(position) as last, (select count(*) from record_contents as all_records
        where all_records.chain = record_links.chain) as records
      from record_links group by chain`.execute(harness.context.db)
    for (const { links, last, records } of rows) expect([links, last]).toEqual([records, records])
    expect((await findHeads(harness.context.db)).map(({ sealed }) => sealed)).toEqual(
      CHAINS.map((name) => rows.find(({ chain }) => chain === name)?.records),
    )
  })

  test.each([
    'update record_links set digest = sha256(digest)',
    'update record_links set hash = null, position = null',
    'delete from record_links',
    'truncate record_links',
  ])('refuse %s', async (statement) => {
    await expect(sql.raw(statement).execute(harness.context.db)).rejects.toMatchObject({ code: '23000' })
  })
})

test.each([
  {
    before: '0065-gateway-notices',
    statement: `insert into audit_log (action, target_kind, target_id, reason, occurred_at)
      select 'user.suspended', 'user', n::text, 'Because', now() from generate_series(1, 50) n`,
    sealed: { audit_log: 50 },
  },
  {
    before: '0129-commissions-withheld',
    statement: `
      insert into payout_events (payout_id, status, actor_id, occurred_at)
        select uuidv7(), 'requested', uuidv7(), now() from generate_series(1, 40);
      create temporary table agreed as select uuidv7() as order_id, uuidv7() as referrer_id from generate_series(1, 30);
      insert into order_commissions (order_id, referrer_id, side, cents)
        select order_id, referrer_id, 'buyer', 35 from agreed union all select order_id, uuidv7(), 'seller', 35 from agreed;
      insert into commissions_withheld (order_id, referrer_id, reason, withheld_at)
        select order_id, referrer_id, 'suspended', now() from agreed limit 20`,
    sealed: { payout_events: 40, order_commissions: 30, commissions_withheld: 20 },
  },
])('what was there after $before is chained by the next migration', async ({ before, statement, sealed }) => {
  const name = `chains_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(inject('databaseUrl'))
  url.pathname = `/${name}`
  const db = createDb(createPool(url.href, { max: 1, onError: () => {} }))
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo(before)).error).toBeUndefined()
    // The records alone, without what they name.
    await sql`set session_replication_role = replica`.execute(db)
    await sql.raw(statement).execute(db)
    await sql`set session_replication_role = origin`.execute(db)
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    expect(await findUnchained(db)).toEqual([])
    await sealRecords(db)
    expect(await findUnchained(db)).toEqual([])
    const heads = (await findHeads(db)).map(({ chain, sealed }) => [chain, sealed])
    expect(Object.fromEntries(heads)).toMatchObject(sealed)
  } finally {
    await db.destroy()
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
})
