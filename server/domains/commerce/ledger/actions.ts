import { split } from '../../../../contract/money.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { CommerceTables } from '../../../db/tables/commerce.ts'

type AccountKind = CommerceTables['ledger_accounts']['kind']

/**
 * Posts one sale: the gateway owes us gross, of which the platform keeps its fee and the creator is owed the rest
 * (docs/product.md, Money). Takes cents; `feePercent` is 0 to 100. Must run in a transaction; the database refuses a second
 * sale of one purchase (`journals_one_sale`) and any journal that does not sum to zero.
 */
export async function postSale(
  db: Tx,
  sale: { purchaseId: string; creatorId: string; grossCents: number; feePercent: number; now: Date },
): Promise<void> {
  const { feeCents, shareCents } = split(sale.grossCents, sale.feePercent)
  const { id: journalId } = await db
    .insertInto('journals')
    .values({ kind: 'sale', purchase_id: sale.purchaseId, occurred_at: sale.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = [
    { account_id: await accountId(db, 'gateway', null), amount_cents: sale.grossCents },
    { account_id: await accountId(db, 'platform_fees', null), amount_cents: -feeCents },
    { account_id: await accountId(db, 'creator_balance', sale.creatorId), amount_cents: -shareCents },
  ]
  const moved = lines.filter((line) => line.amount_cents !== 0)
  await db
    .insertInto('postings')
    .values(moved.map((line) => ({ ...line, journal_id: journalId })))
    .execute()
}

/** The account of this kind, opened by whoever needs it first; two who open it at once get the same one. */
async function accountId(db: Tx, kind: AccountKind, userId: string | null): Promise<string> {
  const known = await findAccount(db, kind, userId)
  if (known) return known
  await db
    .insertInto('ledger_accounts')
    .values({ kind, user_id: userId })
    .onConflict((conflict) => conflict.columns(['kind', 'user_id']).doNothing())
    .execute()
  const opened = await findAccount(db, kind, userId)
  if (!opened) throw new Error(`no ledger account ${kind}`)
  return opened
}

async function findAccount(db: Db, kind: AccountKind, userId: string | null): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select('id')
    .where('kind', '=', kind)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .executeTakeFirst()
  return row?.id
}
