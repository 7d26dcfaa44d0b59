import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDb, createPool, type Pool, type Tx } from '../../../db/client.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { postSale } from './actions.ts'

const now = new Date('2027-01-01T00:00:00Z')
let db: Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseUrl'))
  db = createDb(createPool(clone.url, { max: 12, onError: () => {} }))
  drop = async () => {
    await db.destroy()
    await clone.drop()
  }
})
afterAll(() => drop())

async function person(): Promise<string> {
  const name = `user_${randomBytes(5).toString('hex')}`
  const { id } = await db
    .insertInto('users')
    .values({
      email: `${name}@example.test`,
      username: name,
      first_name: 'Test',
      reddit_username: name,
      password_hash: '',
      is_creator: true,
      role: null,
      email_verified_at: now,
      referral_code: name,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Sale = { buyerId?: string; creatorId?: string; feeBasisPoints?: number }

/** An order that was paid, which posts its sale. */
async function sell(amountCents: number, sale: Sale = {}) {
  const creatorId = sale.creatorId ?? (await person())
  const sold = await insertPurchase(db, {
    buyer_id: sale.buyerId ?? (await person()),
    creator_id: creatorId,
    kind: 'single',
    item_id: crypto.randomUUID(),
    amount_cents: amountCents,
    status: 'captured',
    created_at: now,
    fee_basis_points: sale.feeBasisPoints ?? 2000,
  })
  return { ...sold, creatorId }
}

async function linesOf(orderId: string) {
  return db
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
    .select(['ledger_accounts.kind', 'ledger_accounts.user_id', 'postings.amount_cents'])
    .where('journals.order_id', '=', orderId)
    .orderBy('ledger_accounts.kind')
    .execute()
}

const total = async () => {
  const { sum } = await db
    .selectFrom('postings')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('sum'))
    .executeTakeFirstOrThrow()
  return sum
}

describe('postSale', () => {
  test('debits the gateway by gross and credits fee and share', async () => {
    const { orderId, creatorId } = await sell(999)
    expect(await linesOf(orderId)).toEqual([
      { kind: 'creator_pending', user_id: creatorId, amount_cents: -800 },
      { kind: 'gateway', user_id: null, amount_cents: 999 },
      { kind: 'platform_fees', user_id: null, amount_cents: -199 },
    ])
  })

  test.each([
    { fee: 0, left: ['creator_pending', 'gateway'] },
    { fee: 10_000, left: ['gateway', 'platform_fees'] },
  ])('posts no empty line at $fee basis points', async ({ fee, left }) => {
    const { orderId } = await sell(500, { feeBasisPoints: fee })
    expect((await linesOf(orderId)).map((line) => line.kind)).toEqual(left)
  })

  test('opens one account of a kind when ten first sales of one creator are posted at once', async () => {
    const creatorId = await person()
    const buyerId = await person()
    await Promise.all(Array.from({ length: 10 }, () => sell(100, { creatorId, buyerId })))
    const accounts = await db.selectFrom('ledger_accounts').select(['kind', 'user_id']).execute()
    expect(accounts.filter((account) => account.user_id === creatorId)).toHaveLength(1)
    expect(accounts.filter((account) => account.kind === 'gateway')).toHaveLength(1)
    expect(accounts.filter((account) => account.kind === 'platform_fees')).toHaveLength(1)
  })

  test('three hundred random sales leave a ledger that sums to zero', async () => {
    const before = await db
      .selectFrom('postings')
      .select(db.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    const [creatorId, buyerId] = [await person(), await person()]
    const random = fc.sample(
      fc.tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 10_000 })),
      300,
    )
    for (const [grossCents, feeBasisPoints] of random)
      await sell(grossCents, { creatorId, buyerId, feeBasisPoints })
    const after = await db
      .selectFrom('postings')
      .select(db.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(after.n - before.n).toBeGreaterThanOrEqual(600)
    expect(await total()).toBe(0)
    // The stored balances equal the sums of the postings.
    const { rows } = await sql<{ wrong: number }>`
      with summed as (
        select orders.creator_id as user_id,
          sum(postings.amount_cents) filter (where account.kind = 'gateway') as gross,
          -coalesce(sum(postings.amount_cents) filter (where account.kind = 'platform_fees'), 0) as fee,
          -coalesce(sum(postings.amount_cents) filter (where account.kind = 'creator_pending'), 0) as share
        from postings join journals on journals.id = postings.journal_id
          join orders on orders.id = journals.order_id
          join ledger_accounts as account on account.id = postings.account_id
        group by orders.creator_id
      )
      select count(*) filter (where (gross_cents, fee_cents, share_cents) is distinct from (gross, fee, share)) as wrong
      from summed left join ledger_totals using (user_id)`.execute(db)
    expect(rows).toEqual([{ wrong: 0 }])
    const kept = await db
      .selectFrom('ledger_quarter_hours')
      .innerJoin('ledger_totals', 'ledger_totals.user_id', 'creator_id')
      .where('creator_id', '=', creatorId)
      .select(['starts_at', 'sales', 'ledger_quarter_hours.gross_cents', 'ledger_quarter_hours.fee_cents'])
      .select(['ledger_totals.gross_cents as gross', 'ledger_totals.fee_cents as fee'])
      .execute()
    expect(kept).toMatchObject([{ starts_at: now, sales: 300 }])
    expect([kept[0]?.gross_cents, kept[0]?.fee_cents]).toEqual([kept[0]?.gross, kept[0]?.fee])
    const { spent_cents } = await db
      .selectFrom('ledger_totals')
      .select('spent_cents')
      .where('user_id', '=', buyerId)
      .executeTakeFirstOrThrow()
    expect(spent_cents).toBe(random.reduce((sum, [gross]) => sum + gross, 0))
    const gateway = random.reduce((sum, [gross]) => sum + gross, 0)
    const { sum } = await db
      .selectFrom('postings')
      .innerJoin('journals', 'journals.id', 'postings.journal_id')
      .innerJoin('orders', 'orders.id', 'journals.order_id')
      .where('orders.creator_id', '=', creatorId)
      .where('postings.amount_cents', '>', 0)
      .select(sql<number>`sum(postings.amount_cents)::bigint`.as('sum'))
      .executeTakeFirstOrThrow()
    expect(sum).toBe(gateway)
  })
})

describe('the database refuses', () => {
  const source = () => ({ source_type: 'adjustment' as const, source_id: crypto.randomUUID() })
  const journal = (transaction: Tx) =>
    transaction
      .insertInto('journals')
      .values({ kind: 'adjustment', ...source(), occurred_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
  const line = async (transaction: Tx, journalId: string, amountCents: number) => {
    const account = await transaction
      .selectFrom('ledger_accounts')
      .select('id')
      .where('kind', '=', 'gateway')
      .executeTakeFirstOrThrow()
    await transaction
      .insertInto('postings')
      .values({ journal_id: journalId, account_id: account.id, amount_cents: amountCents })
      .execute()
  }

  /** Tries it in a transaction; nothing of it may have been written. */
  async function refused(attempt: (transaction: Tx) => Promise<unknown>, message: RegExp): Promise<void> {
    const count = async () => ({
      postings: await db.selectFrom('postings').selectAll().orderBy('id').execute(),
      journals: await db.selectFrom('journals').selectAll().orderBy('id').execute(),
    })
    const before = await count()
    await expect(db.transaction().execute(attempt)).rejects.toThrow(message)
    expect(await count()).toEqual(before)
  }

  beforeAll(() => sell(700))

  test('a journal that does not sum to zero', () =>
    refused(async (transaction) => {
      const { id } = await journal(transaction)
      await line(transaction, id, 100)
      await line(transaction, id, -99)
    }, /sums to 1/))

  test('a journal of one line, or of none', async () => {
    await refused(async (transaction) => {
      const { id } = await journal(transaction)
      await line(transaction, id, 100)
    }, /has 1 postings/)
    await refused((transaction) => journal(transaction), /has 0 postings/)
  })

  test('a line of nothing', () =>
    refused(async (transaction) => {
      const { id } = await journal(transaction)
      await line(transaction, id, 0)
    }, /postings_amount_cents_check/))

  test('another line in a journal that is closed, even a balanced pair', async () => {
    const { id } = await db.selectFrom('journals').select('id').executeTakeFirstOrThrow()
    await refused(async (transaction) => {
      await line(transaction, id, 100)
      await line(transaction, id, -100)
    }, /is closed/)
  })

  test('a second sale of one payment', async () => {
    const { orderId, paymentId, creatorId } = await sell(300)
    await refused(
      (transaction) =>
        postSale(transaction, { orderId, paymentId, creatorId, grossCents: 300, feeBasisPoints: 2000, now }),
      /journals_source_key/,
    )
  })

  test.each([
    ['changing a line', 'update postings set amount_cents = amount_cents + 1'],
    ['deleting lines', 'delete from postings'],
    ['changing a journal', "update journals set reason = 'other'"],
    ['deleting journals', 'delete from journals'],
    ['emptying the lines', 'truncate postings'],
    ['emptying the journals', 'truncate journals cascade'],
  ])('%s', (_name, statement) =>
    refused((transaction) => sql.raw(statement).execute(transaction), /append-only/),
  )

  test('two accounts of one kind and person', async () => {
    const creatorId = await person()
    const insert = () =>
      db.insertInto('ledger_accounts').values({ kind: 'creator_pending', user_id: creatorId }).execute()
    await insert()
    await expect(insert()).rejects.toThrow(/ledger_accounts_key/)
    await expect(
      db.insertInto('ledger_accounts').values({ kind: 'gateway', user_id: null }).execute(),
    ).rejects.toThrow(/ledger_accounts_key/)
  })

  test('a balance of nobody, and a gateway of somebody', async () => {
    const values = [
      { kind: 'creator_pending' as const, user_id: null },
      { kind: 'gateway' as const, user_id: await person() },
    ]
    for (const value of values) {
      await expect(db.insertInto('ledger_accounts').values(value).execute()).rejects.toThrow(
        /check constraint/,
      )
    }
  })
})
