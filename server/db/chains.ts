import { sql } from 'kysely'
import type { Db } from './client.ts'
import type { Chain } from './tables/operations.ts'

/** At most so many records in one transaction, and in one look at a chain. */
const BATCH = 10_000

/** Puts every record that has no place yet into its chain, in transactions of its own. */
export async function sealRecords(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await db
      .transaction()
      .execute((tx) => sql<{ sealed: number }>`select seal_records(${BATCH}::integer) as sealed`.execute(tx))
    if ((rows[0]?.sealed ?? 0) < BATCH) return
  }
}

/** How many records of a chain are sealed, and the hash of the last one; empty where there is none. */
export type ChainHead = { chain: Chain; sealed: number; hash: string }

/** The tables whose records are chained. */
export const CHAINS: Chain[] = [
  ...(['journals', 'payment_events', 'payout_events'] as const),
  ...(['order_commissions', 'commissions_withheld', 'audit_log'] as const),
]

/** The end of every chain of hashes, with the number of records in it. */
export const findHeads = (db: Db): Promise<ChainHead[]> =>
  Promise.all(CHAINS.map((chain) => findHead(db, chain)))

async function findHead(db: Db, chain: Chain): Promise<ChainHead> {
  const head = await db
    .selectFrom('record_links')
    .select(['position', 'hash'])
    .where('chain', '=', chain)
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { chain, sealed: head?.position ?? 0, hash: head?.hash?.toString('hex') ?? '' }
}

export type Unchained = { what: string; id: string }

/** The first record of each chain that isn't what it was, and the first that has no link at all. */
export async function findUnchained(db: Db): Promise<Unchained[]> {
  const found: Unchained[] = []
  for (const chain of CHAINS) {
    const name = chain.replaceAll('_', ' ')
    const broken = await findBroken(db, chain)
    if (broken) found.push({ what: `First record of ${name} that doesn’t match its chain`, id: broken })
    const { rows } = await sql<{ id: string }>`
      select record_id::text as id from record_contents as record where chain = ${chain}
        and not exists (select from record_links where chain = ${chain} and record_id = record.record_id)
      order by record_id limit 1`.execute(db)
    if (rows[0]) found.push({ what: `Record of ${name} that was never chained`, id: rows[0].id })
  }
  return found
}

/** In the order of the chain, then what waits to be sealed; each link by the hash that stands in the one before it. */
async function findBroken(db: Db, chain: Chain): Promise<string | null> {
  const { sealed } = await findHead(db, chain)
  for (let from = 0; from < sealed; from += BATCH) {
    // With the last link of the batch before, whose hash the first one needs.
    const { rows } = await sql<{ broken: string | null }>`
      with links as (
        select record_id, position, digest, hash, lag(hash) over (order by position) as before,
          (select digest_of(content) from record_contents
            where record_contents.chain = link.chain and record_contents.record_id = link.record_id) as now
        from record_links as link
        where link.chain = ${chain} and position >= ${from} and position <= ${from + BATCH}
      )
      select (array_agg(record_id::text order by position) filter (
        where position > ${from} and (now is distinct from digest
          or hash is distinct from sha256(coalesce(before, ''::bytea) || digest)
          or (before is null) <> (position = 1))))[1] as broken
      from links`.execute(db)
    if (rows[0]?.broken) return rows[0].broken
  }
  const { rows } = await sql<{ id: string }>`
    select record_id::text as id from record_links as link
    where chain = ${chain} and position is null and digest is distinct from (
      select digest_of(content) from record_contents
      where record_contents.chain = link.chain and record_contents.record_id = link.record_id)
    order by link.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}
