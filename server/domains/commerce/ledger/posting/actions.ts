import type { Tx } from '../../../../db/client.ts'
import type { LedgerTables } from '../../../../db/tables/commerce/ledger.ts'
import { accountKey, findAccounts, type Owned } from '../data.ts'
import type { Entry } from '../rules.ts'

type Journal = Pick<LedgerTables['journals'], 'kind' | 'order_id' | 'source_type' | 'source_id'>

/** Posts one journal. */
export async function post(db: Tx, journal: Journal, entries: Entry[], now: Date): Promise<void> {
  await postEach(db, [{ journal, entries }], now)
}

/** Posts journals of different sources. */
export async function postEach(
  db: Tx,
  all: { journal: Journal; entries: Entry[] }[],
  now: Date,
): Promise<void> {
  const made = await db
    .insertInto('journals')
    .values(all.map(({ journal }) => ({ ...journal, occurred_at: now })))
    .returning(['id', 'source_id'])
    .execute()
  const ids = new Map(made.map(({ id, source_id }) => [source_id, id]))
  const accounts = await accountIds(
    db,
    all.flatMap(({ entries }) => entries.filter(({ amountCents }) => amountCents !== 0)),
  )
  const lines = []
  for (const { journal, entries } of all) {
    const journalId = ids.get(journal.source_id)
    if (!journalId) throw new Error('a journal was not posted')
    for (const entry of entries.filter(({ amountCents }) => amountCents !== 0)) {
      const { amountCents: amount_cents, availableAt: available_at } = entry
      lines.push({
        journal_id: journalId,
        account_id: accounts.get(accountKey(entry)) ?? '',
        amount_cents,
        available_at,
      })
    }
  }
  await db.insertInto('postings').values(lines).execute()
}

/** The accounts of these lines, opened when they are first needed; two who open one at once get the same one. */
export async function accountIds(db: Tx, lines: Owned[]): Promise<Map<string, string>> {
  const known = await findAccounts(db, lines)
  const missing = new Map(
    lines.filter((line) => !known.has(accountKey(line))).map((line) => [accountKey(line), line]),
  )
  if (missing.size === 0) return known
  await db
    .insertInto('ledger_accounts')
    .values(
      // In one order, so that two who open several never wait for each other.
      [...missing].sort().map(([, { kind, userId }]) => ({ kind, user_id: userId })),
    )
    .onConflict((conflict) => conflict.constraint('ledger_accounts_key').doNothing())
    .execute()
  const opened = await findAccounts(db, lines)
  for (const key of missing.keys()) if (!opened.has(key)) throw new Error(`no ledger account ${key}`)
  return opened
}
